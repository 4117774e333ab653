import { hostname } from "node:os";
import type { Config } from "../config.ts";

/** Name of this machine, as others read who writes the home. */
export function machineName({ machineName }: Pick<Config, "machineName">): string {
  return machineName === "" ? hostname() : machineName;
}
