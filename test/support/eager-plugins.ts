/**
 * Plugins in a process of their own that send their login, their subscription and a question packet by packet, without waiting for an
 * answer. Prints how many got one. Arguments: port, token, how many; their ids are p0, p1 and so on.
 */

import { connect } from "node:tls";
import { packets } from "./mqtt-packets.ts";

const [port = "", token = "", count = ""] = process.argv.slice(2);
const answered = await Promise.all(Array.from({ length: Number(count) }, (_, at) => ask(`p${at}`)));
process.stdout.write(String(answered.filter(Boolean).length));

function ask(id: string): Promise<boolean> {
  const socket = connect({ port: Number(port), host: "127.0.0.1", rejectUnauthorized: false });
  return new Promise((resolve) => {
    let answer = "";
    socket.once("secureConnect", () => {
      socket.setNoDelay(true);
      socket.write(packets.connecting(id, token));
      socket.write(packets.subscribing(`udi/pg3/ns/clients/${id}`));
      socket.write(packets.publishing(`udi/pg3/ns/system/${id}`, '{"config":{}}'));
    });
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
      if (!answer.includes('{"config":{}}')) return;
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(false));
    socket.setTimeout(30_000, () => socket.destroy());
  });
}
