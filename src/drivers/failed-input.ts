/**
 * Input from outside whose reading threw an exception: what the log says of it, and that it is not read again while this process runs. A
 * message that a broker keeps would otherwise break its integration at every start.
 */

import { createHash } from "node:crypto";
import { foreignText } from "../util/foreign-value.ts";
import { placeOf } from "../util/message-of.ts";

/** A message, a line, an event of a library, a timer. */
export type Input = {
  /** Where it came from, for the log: a topic, a port, the kind of the event. */
  readonly from: string;
  /** Left out: it has no content by which it can be known again. */
  readonly content?: unknown;
  /** It comes from one device: it is dropped, with a line in the log, and the integration goes on for the others. */
  readonly isOfDevice?: boolean;
};

/** Of all integrations. The oldest is forgotten first. */
const FAILED_MAX = 1000;
const FROM_CHARS_MAX = 200;

export class FailedInputs {
  readonly #failed = new Set<string>();
  /** Integration and source of each of them: only their input is compared. */
  readonly #sources = new Set<string>();

  has(integration: string, input: Input): boolean {
    if (this.#failed.size === 0 || input.content === undefined) return false;
    return this.#sources.has(sourceOf(integration, input)) && this.#failed.has(fingerprint(integration, input));
  }

  add(integration: string, input: Input): void {
    if (input.content === undefined) return;
    const [oldest] = this.#failed;
    if (this.#failed.size >= FAILED_MAX && oldest !== undefined) this.#failed.delete(oldest);
    this.#failed.add(fingerprint(integration, input));
    if (this.#sources.size < FAILED_MAX) this.#sources.add(sourceOf(integration, input));
  }
}

/** For the log: never what the input says, and not the message of the error, which may quote it. */
export function describeFailure({ from, content }: Input, error: unknown): Readonly<Record<string, unknown>> {
  const bytes = content === undefined ? null : bytesOf(content).length;
  return { from: from.slice(0, FROM_CHARS_MAX), bytes, ...placeOf(error) };
}

function sourceOf(integration: string, { from }: Input): string {
  return `${integration} ${from}`;
}

function fingerprint(integration: string, input: Input): string {
  const hash = createHash("sha256").update(sourceOf(integration, input));
  return hash.update("\0").update(bytesOf(input.content)).digest("base64");
}

function bytesOf(content: unknown): Uint8Array {
  return content instanceof Uint8Array ? content : Buffer.from(foreignText(content));
}
