/** The home that the environment names; the examples have this in common. */

import { readFileSync } from "node:fs";
import { connect, type Home } from "@domovoi/client";

/** By DOMOVOI_URL, DOMOVOI_USER, DOMOVOI_PASSWORD, and DOMOVOI_CA, a file; what they are not given for is that of `npm start`. */
export async function connectFromEnvironment(): Promise<Home> {
  const { DOMOVOI_URL, DOMOVOI_USER, DOMOVOI_PASSWORD, DOMOVOI_CA } = process.env;
  if (!DOMOVOI_PASSWORD) return end("DOMOVOI_PASSWORD is what the controller printed at its first start.");
  const user = DOMOVOI_USER ?? "owner@domovoi.local";
  const home = connect({
    url: DOMOVOI_URL ?? "https://127.0.0.1:9443",
    mode: user.includes("@") ? "portal" : "local",
    user,
    password: DOMOVOI_PASSWORD,
    ca: readFileSync(DOMOVOI_CA ?? "data/secrets/ca-cert", "utf8"),
  });
  return await home.catch((error: Error) => end(error.message));
}

/** Prints the sentence alone, because the position in an example does not help. */
function end(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

/** Settles when the user presses Ctrl-C, or the process receives SIGTERM. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
