/** The clients of the stream benchmarks, in a process of their own: raw sockets that read as little as they can. */

import { connect, type Socket } from "node:net";

export type ClientOrder =
  /** Follows until every client has seen the mark; tells when all have connected and when all are done. */
  | { readonly do: "follow"; readonly port: number; readonly clients: number; readonly mark: string }
  /** Connects, tells that it has, and takes nothing any more. */
  | { readonly do: "stall"; readonly port: number; readonly clients: number; readonly mark: string }
  /** As `follow`, and notes when each numbered event reached the clients. */
  | { readonly do: "time"; readonly port: number; readonly clients: number; readonly mark: string };

export type ClientReport =
  | { readonly is: "ready" }
  | {
      readonly is: "done";
      readonly atMs: number;
      readonly bytes: number;
      readonly arrivals: readonly (readonly [number, number])[];
    };

/** Milliseconds on a clock that both processes share. */
export const nowMs = () => performance.timeOrigin + performance.now();

const UPGRADE =
  "GET /rest/subscribe HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: good\r\n\r\n";
const NUMBERED = /<control>N<\/control><action uom="51" prec="0">(\d+)</g;

function serve(order: ClientOrder): void {
  let bytes = 0;
  let connected = 0;
  let done = 0;
  const arrivals: [number, number][] = [];
  const sockets: Socket[] = [];
  const report = (message: ClientReport) => process.send?.(message);
  const finish = () => {
    report({ is: "done", atMs: nowMs(), bytes, arrivals });
    for (const socket of sockets) socket.destroy();
  };
  for (let index = 0; index < order.clients; index += 1) {
    const socket = connect(order.port, "127.0.0.1", () => socket.write(UPGRADE));
    sockets.push(socket);
    let isUpgraded = false;
    let end = "";
    socket.on("data", (chunk) => {
      bytes += chunk.length;
      if (!isUpgraded) {
        isUpgraded = true;
        if (++connected === order.clients) report({ is: "ready" });
        if (order.do === "stall") socket.pause();
      }
      if (order.do === "time") {
        const atMs = nowMs();
        for (const [, number] of chunk.toString("latin1").matchAll(NUMBERED)) arrivals.push([Number(number), atMs]);
      }
      end = (end + chunk.toString("latin1", Math.max(0, chunk.length - 400))).slice(-400);
      if (end.includes(order.mark) && ++done === order.clients) finish();
    });
  }
}

if (process.send) process.on("message", (order: ClientOrder) => serve(order));
