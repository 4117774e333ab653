/**
 * The limit of what a service in Node can be: an HTTPS server that answers prepared bytes, with `ws` at hand, and nothing
 * else. JavaScript, so that nothing but Node itself is loaded; what it needs to know comes from the environment.
 */

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import { WebSocketServer } from "ws";

const { BENCH_CERT = "", BENCH_KEY = "", BENCH_BODY_BYTES = "2", BENCH_DOCUMENTS = "" } = process.env;
const documents = new Map(
  BENCH_DOCUMENTS.split(" ")
    .filter((path) => existsSync(path))
    .map((path) => [path.slice(path.indexOf("/files") + 6).replace(".document", ""), readFileSync(path)]),
);
const plain = Buffer.from(JSON.stringify({ data: "x".repeat(Number(BENCH_BODY_BYTES)) }));

const server = createServer({ cert: readFileSync(BENCH_CERT), key: readFileSync(BENCH_KEY) }, (request, response) => {
  const path = request.url.split("?", 1)[0];
  const packed = request.headers["accept-encoding"] === "gzip" ? documents.get(`${path}.gz`) : undefined;
  const body = packed ?? documents.get(path) ?? plain;
  const encoding = packed ? { "Content-Encoding": "gzip" } : {};
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length, ...encoding });
  response.end(body);
});
const streams = new WebSocketServer({ noServer: true, perMessageDeflate: false });
server.on("upgrade", (request, socket, head) => streams.handleUpgrade(request, socket, head, () => {}));
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`ready https://127.0.0.1:${server.address().port}\n`);
});
