/** The built eisy-admin on a server of its own, as its owner serves it. */

import { createReadStream } from "node:fs";
import { createServer, type Server } from "node:http";
import { request } from "node:https";
import { extname, join } from "node:path";
import { connect } from "node:tls";

type Ports = { readonly admin: number; readonly local: number };

const TYPES: Readonly<Record<string, string>> = { ".htm": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Its files are those of `folder`; everything else is passed on to the controller, the stream too. */
export async function serveBuiltAdmin(folder: string, { admin, local }: Ports): Promise<Server> {
  const server = createServer((asked, answer) => {
    const file = /^\/WEB\/console\/([\w./-]*)/.exec(asked.url ?? "")?.[1];
    if (file !== undefined && !file.includes("..")) {
      const path = join(folder, "dist", extname(file) === "" ? "index.htm" : file);
      answer.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
      createReadStream(path).pipe(answer);
      return;
    }
    const { method = "GET", url = "/", headers } = asked;
    const passed = request(`https://127.0.0.1:${local}${url}`, { method, headers, rejectUnauthorized: false });
    passed.on("response", (given) => given.pipe(answer.writeHead(given.statusCode ?? 502, given.headers)));
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  server.on("upgrade", ({ url, rawHeaders }, socket) => {
    const controller = connect({ port: local, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      const lines = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
      controller.write(`GET ${url} HTTP/1.1\r\n${lines}\r\n`);
      socket.pipe(controller).pipe(socket);
    });
    for (const each of [socket, controller]) each.on("error", () => each.destroy());
  });
  await new Promise<void>((resolve) => server.listen(admin, "127.0.0.1", resolve));
  return server;
}
