/**
 * The limit of what a service in Node can be: an HTTPS server that answers prepared bytes, with `ws` at hand, and nothing
 * else. JavaScript, so that nothing but Node itself is loaded; its files come from the environment.
 */

import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { WebSocketServer } from "ws";

const { BENCH_CERT = "", BENCH_KEY = "", BENCH_BODY_BYTES = "2" } = process.env;
const body = Buffer.from(JSON.stringify({ data: "x".repeat(Number(BENCH_BODY_BYTES)) }));

const server = createServer({ cert: readFileSync(BENCH_CERT), key: readFileSync(BENCH_KEY) }, (_request, response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
  response.end(body);
});
const streams = new WebSocketServer({ noServer: true, perMessageDeflate: false });
server.on("upgrade", (request, socket, head) => streams.handleUpgrade(request, socket, head, () => {}));
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`ready https://127.0.0.1:${server.address().port}\n`);
});
