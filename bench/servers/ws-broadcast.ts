/** The limit of a fan-out with `ws`: over TLS, one frame to all clients, in a loop, and nothing else. */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { CertificateFiles } from "../harness/certificate.ts";
import { serveCalls } from "../harness/worker.ts";
import type { FloodInput } from "./embedded-controller.ts";

type BroadcastInput = CertificateFiles & {
  /** Texts sent to every client when it connects, one frame each. */
  readonly greeting: readonly string[];
};
export type BroadcastFloodInput = FloodInput & { readonly frame: string };

/** Frames between two turns of the event loop. */
const FLOOD_BATCH = 16;

const clients = new Set<WebSocket>();
let taken = 0;

serveCalls(
  {
    async start({ cert, key, greeting }: BroadcastInput): Promise<number> {
      const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) });
      new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (client) => welcome(client, greeting));
      await once(server.listen(0, "127.0.0.1"), "listening");
      return (server.address() as AddressInfo).port;
    },
    async flood({ frames, window, frame }: BroadcastFloodInput): Promise<void> {
      const bytes = Buffer.from(frame);
      taken = 0;
      for (let told = 0; told < frames; ) {
        const batch = Math.min(FLOOD_BATCH, frames - told, taken + window - told);
        for (let index = 0; index < batch; index += 1) broadcast(bytes);
        told += Math.max(0, batch);
        await new Promise<void>((resolve) => (batch > 0 ? setImmediate(resolve) : setTimeout(resolve, 1)));
      }
    },
  },
  (name, value) => {
    if (name === "taken") taken = value as number;
  },
);

/** Sends a client's message to all clients. */
function welcome(client: WebSocket, greeting: readonly string[]): void {
  clients.add(client);
  client.on("close", () => clients.delete(client));
  client.on("message", (message: Buffer) => broadcast(message));
  for (const frame of greeting) client.send(frame);
}

function broadcast(frame: Buffer): void {
  for (const client of clients) client.send(frame, { binary: false });
}
