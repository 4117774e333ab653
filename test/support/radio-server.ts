/** A simulated radio network behind a TCP port of loopback, as a stick on another machine is reached. */

import { createServer, type Server, type Socket } from "node:net";
import type { SimulatedNetwork } from "../../src/drivers/zwave/simulated/simulated-network.ts";

export type RadioServer = {
  /** What the setting zwavePort names. */
  readonly url: string;
  close(): Promise<void>;
};

/** @param port 0 picks a free one. While the stick is unplugged, connections are refused. */
export async function serveRadio(network: SimulatedNetwork, port = 0): Promise<RadioServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .setNoDelay()
      .on("close", () => sockets.delete(socket))
      .on("error", () => {});
    carry(network, socket);
  });
  const bound = await listen(server, port);
  return {
    url: `tcp://127.0.0.1:${bound}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function carry(network: SimulatedNetwork, socket: Socket): void {
  try {
    const connection = network.connect({ hear: (bytes) => socket.write(bytes), cut: () => socket.destroy() });
    socket.on("data", (bytes) => connection.write(bytes)).on("close", () => connection.close());
  } catch {
    socket.destroy();
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(address.port);
      else reject(new Error("The radio server has no port."));
    });
  });
}
