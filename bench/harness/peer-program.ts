/** Programs of the system that the service is compared with. Absent ones are left out of the table. */

import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";

/** System services live in sbin, which is not on everyone's PATH. */
const FURTHER_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...FURTHER_FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** For programs that cannot pick a port themselves. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
