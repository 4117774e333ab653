/**
 * The one that must not notice: an owner's client that reads, commands a lamp and writes on a fixed beat, whether or not
 * the answer before has come, and follows the stream. It notes how long it waits, what was refused, and what it did.
 */

import { WebSocket } from "ws";
import type { Answer, HttpsClient } from "../../support/https-client.ts";
import type { Documents } from "../documents.ts";
import { Register, Sequence } from "../register.ts";

/** Milliseconds between two requests. */
const BEAT_MS = 40;
/** Requests under way before the client waits itself, as any client would. */
const UNDER_WAY_MAX = 100;
/** Requests of different kinds, one after another. */
const KINDS = 6;

export type Wait = {
  readonly what: "read" | "command" | "write";
  readonly ms: number;
  readonly during: string;
  /** The connection was opened for this request, with a handshake that its wait includes. */
  readonly isNew: boolean;
};

type HonestPorts = {
  /** With the owner's token. */
  readonly portal: HttpsClient;
  /** With basic credentials of the local administrator. */
  readonly local: HttpsClient;
  readonly authorization: string;
  /** "type/id" of variables that no other client writes. */
  readonly variables: readonly string[];
  /** A lamp that no other client switches. */
  readonly lamp: string;
};

export class HonestClient {
  readonly waits: Wait[] = [];
  /** Answers that the client did not deserve, and what its stream did wrong, in words. */
  readonly refused: string[] = [];
  /** The present attackers, for the report. */
  during = "nobody";
  /** False while the disk stalls: then a write may be refused, as it must be. */
  isDiskSound = true;
  acknowledged = 0;
  streams = 0;
  readonly #ports: HonestPorts;
  readonly #registers: ReadonlyMap<string, Register>;
  readonly #streamed = new Map<string, string>();
  readonly #underWay = new Set<Promise<unknown>>();
  #beat: NodeJS.Timeout | null = null;
  #number = 0;
  #socket: WebSocket | null = null;
  #nextSeqnum = 0;

  constructor(ports: HonestPorts, documents: Documents) {
    const sequence = new Sequence();
    this.#ports = ports;
    this.#registers = new Map(
      ports.variables.map((key) => [key, new Register(sequence, documents.variables.get(key)?.val ?? "")]),
    );
  }

  start(): void {
    this.#follow();
    this.#beat = setInterval(() => this.#act(), BEAT_MS);
  }

  /** Settles when all answers are there. */
  async stop(): Promise<void> {
    if (this.#beat) clearInterval(this.#beat);
    await Promise.all(this.#underWay);
  }

  /** Settles when the stream has shown the last value of every variable, or some seconds have passed. */
  async streamSettled(): Promise<void> {
    const deadline = performance.now() + 5000;
    while (this.streamContradictions().length > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Settles when writes reach the disk again after it stalled, or some seconds have passed. */
  async untilDiskWrites(): Promise<void> {
    const deadline = performance.now() + 5000;
    const before = this.acknowledged;
    while (this.acknowledged < before + 2 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  leave(): void {
    this.#socket?.removeAllListeners("close").terminate();
  }

  /** Variables whose value in these documents is none that this client can have left there. */
  contradictions(documents: Documents): readonly string[] {
    return [...this.#registers].flatMap(([key, register]) => {
      const value = documents.variables.get(key)?.val ?? "nothing";
      return register.allows(value) ? [] : [`Variable ${key} is ${value}, not ${register.possible.join(" or ")}.`];
    });
  }

  streamContradictions(): readonly string[] {
    return [...this.#registers].flatMap(([key, register]) => {
      const value = this.#streamed.get(key) ?? "nothing";
      return register.allows(value)
        ? []
        : [`The stream left ${key} at ${value}, not ${register.possible.join(" or ")}.`];
    });
  }

  #act(): void {
    if (this.#underWay.size >= UNDER_WAY_MAX) return;
    this.#number += 1;
    const act: Promise<unknown> = this.#one(this.#number).finally(() => this.#underWay.delete(act));
    this.#underWay.add(act);
  }

  #one(number: number): Promise<unknown> {
    const { portal, local, lamp, variables } = this.#ports;
    switch (number % KINDS) {
      case 0:
        return this.#measure("read", () => portal.get("/api/nodes"));
      case 1:
        return this.#measure("read", () => local.get("/rest/status"));
      case 2:
        return this.#measure("read", () => portal.get("/api/variables/1"));
      case 3:
        return this.#measure("command", () =>
          portal.get(`/rest/nodes/${encodeURIComponent(lamp)}/cmd/DON/${number % 256}`),
        );
      case 4:
        return this.#measure("read", () => local.get("/rest/config"));
      default:
        return this.#write(variables[Math.floor(number / KINDS) % variables.length] ?? "", String(number));
    }
  }

  async #write(variable: string, value: string): Promise<void> {
    const register = this.#registers.get(variable);
    const attempt = register?.send(value);
    const path = `/api/variables/${variable}`;
    const isDone = await this.#measure("write", () => this.#ports.portal.post(path, { value: Number(value) }));
    if (!isDone || !attempt) return;
    register?.acknowledge(attempt);
    this.acknowledged += 1;
  }

  /** @returns whether it was done. */
  async #measure(what: Wait["what"], ask: () => Promise<Answer>): Promise<boolean> {
    const { during, isDiskSound } = this;
    const beginMs = performance.now();
    const { status, isNew } = await ask().then(
      (answer) => answer,
      (error: Error) => ({ status: error.message, isNew: true }),
    );
    const isWaitForDisk = what === "write" && !(isDiskSound && this.isDiskSound);
    if (!isWaitForDisk) this.waits.push({ what, ms: performance.now() - beginMs, during, isNew });
    if (status === 200) return true;
    if (!(isWaitForDisk && status === 503)) this.refused.push(`${what} during ${during}: ${status}`);
    return false;
  }

  #follow(): void {
    const url = `${this.#ports.portal.url.replace("https", "wss")}/api/events/subscribe`;
    const headers = { Authorization: this.#ports.authorization };
    const socket = new WebSocket(url, { headers, rejectUnauthorized: false, perMessageDeflate: false });
    this.#socket = socket;
    socket.on("error", (error) => this.refused.push(`stream during ${this.during}: ${error.message}`));
    socket.on("message", (data) => this.#take(String(data)));
    socket.on("close", (code) => this.refused.push(`stream during ${this.during}: closed with ${code}`));
  }

  #take(message: string): void {
    const seqnum = /<Event seqnum=\\?"(\d+)/.exec(message)?.[1];
    if (seqnum === undefined) return;
    this.streams += 1;
    if (Number(seqnum) !== this.#nextSeqnum) this.refused.push(`Event ${seqnum} came for ${this.#nextSeqnum}.`);
    this.#nextSeqnum = Number(seqnum) + 1;
    const [, type, id, value] = VARIABLE.exec(message) ?? [];
    if (value !== undefined) this.#streamed.set(`${type}/${id}`, value);
  }
}

const VARIABLE = /<var type=\\?"(\d)\\?" id=\\?"(\d+)\\?"><prec>\d+<\/prec><val>(-?\d+)</;
