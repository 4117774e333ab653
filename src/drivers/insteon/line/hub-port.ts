/**
 * The line to the modem inside a Hub 2245: commands are requests, and what the modem sends is read from a ring of characters.
 *
 * The Hub stores hexadecimal characters and, behind them, the place where it writes next. A command empties it.
 */

import { type Clock, delay } from "../../../util/clock.ts";
import { messageOf } from "../../../util/message-of.ts";
import { request } from "../../../util/node-http.ts";
import type { ModemPort } from "./modem-port.ts";

export type HubAccess = { readonly url: URL; readonly user: string; readonly password: string };

const RING_CHARACTERS = 200;
const PLACE_CHARACTERS = 2;
const POLL_MS = 250;
const ANSWER_MS = 5000;
/** Failures in a row until the Hub counts as lost. */
const FAILURES_MAX = 4;
const ANSWER_BYTES_MAX = 10_000;
const RING = /<BS>([0-9A-Fa-f]*)<\/BS>/;

/** Reads the ring of a Hub: what was added since the last time. */
export class HubRing {
  #place = 0;

  /** A command was sent, which empties the ring. */
  restart(): void {
    this.#place = 0;
  }

  /** @param text of the Hub's answer. @returns hexadecimal characters; empty when there is nothing whole to read */
  read(text: string): string {
    const content = RING.exec(text)?.[1] ?? "";
    const ring = content.slice(0, -PLACE_CHARACTERS);
    const place = Number.parseInt(content.slice(-PLACE_CHARACTERS), 16);
    const isRing = ring.length === RING_CHARACTERS && place <= RING_CHARACTERS;
    // Half a byte is being written.
    if (!isRing || place % 2 !== 0) return "";
    const tail = place < this.#place ? ring.slice(this.#place) : "";
    const added = place < this.#place ? ring.slice(0, place) : ring.slice(this.#place, place);
    this.#place = place;
    // The Hub was emptied, and did not wrap.
    return /^0*$/.test(tail) ? added : tail + added;
  }
}

/** @param onLost called once with a sentence, unless the port was closed from here */
export async function openHub(
  access: HubAccess,
  clock: Clock,
  signal: AbortSignal,
  onLost: (detail: string) => void,
): Promise<ModemPort> {
  const closing = new AbortController();
  const ring = new HubRing();
  let listen: (bytes: Uint8Array) => void = () => {};
  const poll = async () => {
    const added = ring.read(await ask(access, "GET", "/buffstatus.xml", closing.signal));
    if (added !== "") listen(Buffer.from(added, "hex"));
  };
  let turn: Promise<unknown> = Promise.resolve();
  let failures = 0;
  /** One request at a time: the Hub answers no two. */
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).then(
      () => {
        failures = 0;
      },
      (error: unknown) => {
        failures += 1;
        if (closing.signal.aborted || failures < FAILURES_MAX) return;
        closing.abort();
        onLost(`The Hub at ${access.url.host} was lost: ${messageOf(error)}.`);
      },
    );
    return turn;
  };
  const onAbort = () => closing.abort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    // The first answer holds old messages only.
    ring.read(await ask(access, "GET", "/buffstatus.xml", closing.signal));
  } catch (error) {
    throw new Error(`The Hub at ${access.url.host} cannot be reached: ${messageOf(error)}.`, { cause: error });
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  void pollUntilClosed(clock, closing.signal, () => inTurn(poll));
  return {
    write: (bytes) =>
      void inTurn(async () => {
        await poll();
        await ask(access, "POST", `/3?${Buffer.from(bytes).toString("hex").toUpperCase()}=I=3`, closing.signal);
        ring.restart();
      }),
    listen: (onBytes) => {
      listen = onBytes;
    },
    close: () => closing.abort(),
  };
}

async function pollUntilClosed(clock: Clock, signal: AbortSignal, poll: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await delay(clock, POLL_MS, signal).catch(() => {});
    if (!signal.aborted) await poll();
  }
}

/** @throws Error for another status than 200 */
function ask({ url, user, password }: HubAccess, method: string, path: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const options = { method, headers: { authorization }, signal, timeout: ANSWER_MS };
  const asked = request(new URL(path, url), options, (answer) => {
    let text = "";
    answer.setEncoding("latin1").on("data", (part: string) => {
      text += part;
      if (text.length > ANSWER_BYTES_MAX) asked.destroy(new Error("it answers too much"));
    });
    answer.on("error", reject).on("end", () => {
      if (answer.statusCode === 200) resolve(text);
      else
        reject(new Error(answer.statusCode === 401 ? "user or password are wrong" : `it answers ${answer.statusCode}`));
    });
  });
  asked.on("timeout", () => asked.destroy(new Error("it does not answer")));
  asked.on("error", reject).end();
  return promise;
}
