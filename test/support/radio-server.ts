/** A simulated radio network behind a TCP port of loopback, as an adapter on another machine is reached. */

import { createServer, type Server, type Socket } from "node:net";
import type { SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";

export type RadioServer = {
  /** The value of the setting zwavePort. */
  readonly url: string;
  /** Cuts every connection and takes no new one, as a machine that has lost its adapter. */
  suspend(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
};

/**
 * @param wanted port; 0 picks a free one.
 * @param speaks settles when clients get data, as from a machine whose adapter is still starting.
 */
export async function serveRadio(
  network: Pick<SimulatedNetwork, "connect">,
  wanted = 0,
  speaks: Promise<void> = Promise.resolve(),
): Promise<RadioServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .setNoDelay()
      .on("close", () => sockets.delete(socket))
      .on("error", () => {});
    void speaks.then(() => carry(network, socket));
  });
  const port = await listen(server, wanted);
  const suspend = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `tcp://127.0.0.1:${port}`,
    suspend,
    resume: async () => void (await listen(server, port)),
    close: suspend,
  };
}

function carry(network: Pick<SimulatedNetwork, "connect">, socket: Socket): void {
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
