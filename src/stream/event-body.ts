/**
 * A tail: all of an event that is the same for every client, from the timestamp on. In front of it stand a sequence
 * number and the subscription's id, which differ (see event-bytes.ts). Each surface's bytes are made once, when the
 * first client needs them, and shared from then on.
 */

/** `rest`: an XML document per message; `api`: the same document in a JSON envelope. */
export type Surface = "rest" | "api";

export class EventBody {
  #xml: string | (() => string);
  #rest: Buffer | null = null;
  #api: Buffer | null = null;

  /** @param xml ` timestamp="…"><control>…</Event>`, or what makes it when it is first needed. */
  constructor(xml: string | (() => string)) {
    this.#xml = xml;
  }

  get characters(): number {
    return this.#text().length;
  }

  bytes(surface: Surface): Buffer {
    if (surface === "rest") {
      this.#rest ??= ownBytes(this.#text());
      return this.#rest;
    }
    this.#api ??= ownBytes(`${insideJson(this.#text())}"}`);
    return this.#api;
  }

  #text(): string {
    if (typeof this.#xml !== "string") this.#xml = this.#xml();
    return this.#xml;
  }
}

/**
 * Not from Node's shared pool: a tail stays in the ring for long, and would keep a whole piece of the pool alive, which is
 * full of frames that are long sent.
 */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** The text between the quotes of a JSON string. */
export function insideJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
