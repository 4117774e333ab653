/** Replays, in portal mode, for owners. @see docs/interface/replays.md */

import { readEnvelope } from "../documents/json.ts";
import { readReplay, readReplays } from "../documents/replays.ts";
import { ClientError } from "../errors.ts";
import type { Replay, ReplayOrder, Replays } from "../model/replays.ts";
import type { Session } from "../transport/session.ts";
import { requirePortal, write } from "./acknowledge.ts";
import { segment } from "./paths.ts";

/** Short, so that progress shows and a signal is heeded. */
const WAIT_S = 1;

export function createReplays(session: Session): Replays {
  const one = (id: string) => `/api/replays/${segment(id)}`;
  const read = async (path: string) => {
    requirePortal(session, "A replay");
    return readEnvelope(await session.get(path), path);
  };
  const begin = async ({ from, until, changes }: ReplayOrder) => {
    requirePortal(session, "A replay");
    const order = {
      from: from.toISOString(),
      ...(until && { until: until.toISOString() }),
      ...(changes && { changes }),
    };
    return readReplay(await write(session, "POST", "/api/replays", order));
  };
  const follow = async (id: string) => readReplay(await read(`${one(id)}?wait=${WAIT_S}`));
  const remove = async (id: string) => {
    await write(session, "DELETE", one(id));
  };
  return {
    list: async () => readReplays(await read("/api/replays")),
    begin,
    follow,
    remove,
    async run(order, { onProgress, signal } = {}) {
      let replay: Replay = await begin(order);
      try {
        while (replay.state === "running") {
          onProgress?.(replay.progress);
          signal?.throwIfAborted();
          replay = await follow(replay.id);
        }
      } finally {
        await remove(replay.id).catch(() => {});
      }
      if (replay.result) return replay.result;
      throw new ClientError("REFUSED", replay.failure ?? "The replay failed.");
    },
  };
}
