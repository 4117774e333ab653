/** The service with all of its devices at the end of a line, and the generator that plays them. */

import type { LineInput, LineListeners } from "../servers/line-controller.ts";
import type { ForkedChild } from "./children.ts";
import { HEAP_OF_SERVICE } from "./controller.ts";
import { FIRST_ACCOUNTS } from "./homes.ts";
import type { LineHome } from "./line-devices.ts";
import type { Bench } from "./measure.ts";

export type LineService = {
  readonly server: ForkedChild;
  readonly listeners: LineListeners;
  /** Its data directory. */
  readonly dir: string;
};

export async function startLineService(
  { children, directory }: Bench,
  home: LineHome,
  settings: LineInput["settings"] = {},
): Promise<LineService> {
  const server = children.fork("servers/line-controller.ts", { ...FIRST_ACCOUNTS, ...HEAP_OF_SERVICE });
  const dir = directory("line-home");
  const input: LineInput = { dir, home, settings };
  const { value: listeners } = await server.call<LineListeners>("start", input);
  return { server, listeners, dir };
}

/** Connected to the line of a service, or of a program in its place. */
export async function startDevices({ children }: Bench, line: LineListeners["line"]): Promise<ForkedChild> {
  const generator = children.fork("generators/lines.ts");
  await generator.call("connect", line);
  return generator;
}
