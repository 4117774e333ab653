/**
 * Many plugins in one process: each logs in at the broker as itself, adds nodes, and reports values at a steady rate. It speaks MQTT
 * by itself, so that it takes little of the machine on which the service is measured.
 */

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectTo, type TLSSocket } from "node:tls";
import { serveCalls } from "../harness/worker.ts";

/** @param files what the host gave to each plugin, as the plugin's process stored it. */
export type ConnectInput = { readonly files: readonly string[]; readonly nodes: number };
export type ReportInput = { readonly perSecond: number; readonly seconds: number };

type Speaker = { readonly id: string; readonly socket: TLSSocket; sent: number };

const CONNECT = 0x10;
const PUBLISH = 0x30;
const SUBSCRIBE = 0x82;
const KEEP_ALIVE_S = 300;
const TICK_MS = 10;

/** As the host runs plugins. */
setPriority(process.pid, 5);

let speakers: readonly Speaker[] = [];
let nodesOfEach = 0;

serveCalls({
  async connect({ files, nodes }: ConnectInput) {
    nodesOfEach = nodes;
    speakers = await Promise.all(files.map(logIn));
    for (const speaker of speakers) {
      const node = (at: number) => ({ address: `d${at}`, name: `Device ${at}`, nodeDefId: "D", primaryNode: "d0" });
      publish(speaker, "command", {
        addnode: Array.from({ length: nodes }, (_, at) => ({ ...node(at), drivers: [] })),
      });
    }
  },
  /** In turn, one plugin after the other. @returns how many reports were sent. */
  async report({ perSecond, seconds }: ReportInput): Promise<number> {
    const startMs = performance.now();
    let count = 0;
    while (count < perSecond * seconds) {
      for (; count < ((performance.now() - startMs) * perSecond) / 1000; count += 1) reportNext(count);
      await pause(TICK_MS);
    }
    return count;
  },
});

function reportNext(index: number): void {
  const speaker = speakers[index % speakers.length];
  if (!speaker) return;
  speaker.sent += 1;
  const address = `d${speaker.sent % nodesOfEach}`;
  publish(speaker, "status", { set: [{ address, driver: "GV1", value: String(speaker.sent), uom: 56 }] });
}

async function logIn(file: string): Promise<Speaker> {
  const init = JSON.parse(Buffer.from(await readFile(file, "utf8"), "base64").toString());
  const id = `${init.uuid}_${init.profileNum}`;
  const socket = connectTo({ host: init.mqttHost, port: init.mqttPort, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  socket.setNoDelay(true).resume();
  const speaker = { id, socket, sent: 0 };
  const flags = Buffer.from([4, 0xc2, KEEP_ALIVE_S >> 8, KEEP_ALIVE_S & 0xff]);
  write(speaker, CONNECT, field("MQTT"), flags, field(id), field(id), field(init.token));
  write(speaker, SUBSCRIBE, Buffer.from([0, 1]), field(`udi/pg3/ns/clients/${id}`), Buffer.from([0]));
  return speaker;
}

function publish(speaker: Speaker, kind: string, message: object): void {
  write(speaker, PUBLISH, field(`udi/pg3/ns/${kind}/${speaker.id}`), Buffer.from(JSON.stringify(message)));
}

function write({ socket }: Speaker, type: number, ...parts: readonly Buffer[]): void {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  for (let left = body.length; length.length === 0 || left > 0; left = Math.floor(left / 128)) {
    length.push((left % 128) + (left >= 128 ? 128 : 0));
  }
  socket.write(Buffer.concat([Buffer.from([type, ...length]), body]));
}

function field(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}
