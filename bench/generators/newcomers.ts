/** Clients that come to an event stream: how long until one, or all of a crowd, know the home as it is. */

import { HttpsConnection, requestHead, type Target } from "../harness/https-connection.ts";
import { type Spread, spreadOf } from "../harness/statistics.ts";
import { Subscriber } from "../harness/subscriber.ts";
import { serveCalls } from "../harness/worker.ts";

export type NewcomerInput = {
  readonly target: Target;
  readonly path: string;
  readonly authorization?: string;
  /** A text in the frame that ends the replay. */
  readonly replayEnd: string;
};
export type NewcomerOutput = {
  /** From the first byte of the connection to the end of the replay. */
  readonly ms: number;
  readonly frames: number;
  readonly bytes: number;
  /** The frames as received; filled on request. */
  readonly kept: readonly string[];
};
export type CrowdInput = NewcomerInput & {
  readonly clients: number;
  /** A request that writes the variable, and the text of its frame, which arrives live or in the replay. */
  readonly write: {
    readonly target: Target;
    readonly path: string;
    readonly authorization: string;
    readonly mark: string;
  };
  /** Documents that every client loads besides, over one connection. */
  readonly heads: readonly string[];
};
export type CrowdOutput = {
  /** From the start of the crowd to each client being in step: replay over, the new value known, documents loaded. */
  readonly spread: Spread;
  /** Answers that were neither 101 nor 200. */
  readonly refused: number;
  readonly bytes: number;
};

serveCalls({ come, crowd });

async function come(input: NewcomerInput & { readonly keep: boolean }): Promise<NewcomerOutput> {
  const kept: string[] = [];
  let frames = 0;
  const startMs = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const subscriber = subscribe(input, (text) => {
    frames += 1;
    if (input.keep) kept.push(text);
    if (text.includes(input.replayEnd)) resolve(performance.now() - startMs);
  });
  subscriber.upgraded().catch(reject);
  const ms = await promise;
  subscriber.close();
  return { ms, frames, bytes: subscriber.bytes, kept };
}

async function crowd(input: CrowdInput): Promise<CrowdOutput> {
  const startMs = performance.now();
  const members = Array.from({ length: input.clients }, () => joinCrowd(input));
  const { path, authorization, target } = input.write;
  const writer = new HttpsConnection(target);
  await writer.opened();
  await writer.request(requestHead({ path, authorization }));
  const ended = await Promise.all(members);
  writer.close();
  return {
    spread: spreadOf(ended.map(({ atMs }) => atMs - startMs)),
    refused: ended.filter(({ refused }) => refused).length,
    bytes: ended.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

type Joined = { readonly atMs: number; readonly refused: boolean; readonly bytes: number };

async function joinCrowd(input: CrowdInput): Promise<Joined> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isReplayed = false;
  let isCurrent = false;
  const subscriber = subscribe(input, (text) => {
    isReplayed ||= text.includes(input.replayEnd);
    isCurrent ||= text.includes(input.write.mark);
    if (isReplayed && isCurrent) resolve();
  });
  subscriber.upgraded().catch(reject);
  try {
    const loaded = await loadAll(input);
    await promise;
    return { atMs: performance.now(), refused: !loaded.isWhole, bytes: subscriber.bytes + loaded.bytes };
  } catch {
    return { atMs: performance.now(), refused: true, bytes: subscriber.bytes };
  } finally {
    subscriber.close();
  }
}

async function loadAll({ target, heads }: CrowdInput): Promise<{ readonly isWhole: boolean; readonly bytes: number }> {
  if (heads.length === 0) return { isWhole: true, bytes: 0 };
  const connection = new HttpsConnection(target);
  await connection.opened();
  let isWhole = true;
  let bytes = 0;
  for (const head of heads) {
    const answer = await connection.request(head);
    isWhole &&= answer.status === 200;
    bytes += answer.bytes;
  }
  connection.close();
  return { isWhole, bytes };
}

function subscribe({ target, path, authorization }: NewcomerInput, onText: (text: string) => void): Subscriber {
  return new Subscriber({
    target,
    path,
    ...(authorization === undefined ? {} : { authorization }),
    onFrame: (bytes, start, end) => onText(bytes.toString("latin1", start, end)),
  });
}
