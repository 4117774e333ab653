/** A simulated modem behind a TCP port of loopback, as one behind a serial server. */

import { createServer } from "node:net";
import type { SimulatedModem } from "./simulated-modem.ts";

export type ModemServer = { readonly url: string; close(): Promise<void> };

export async function serveModem(modem: Pick<SimulatedModem, "open" | "unplug">): Promise<ModemServer> {
  const server = createServer((socket) => {
    socket.setNoDelay().on("error", () => {});
    try {
      const line = modem.open({ hear: (bytes) => socket.write(bytes), cut: () => socket.destroy() });
      socket.on("data", (bytes) => line.write(bytes)).on("close", () => line.close());
    } catch {
      socket.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("The simulated modem has no port.");
  return {
    url: `tcp://127.0.0.1:${address.port}`,
    close: async () => {
      modem.unplug();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
