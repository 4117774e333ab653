/** Replays, in portal mode, for owners. @see docs/interface/replays.md */

import { ClientError } from "../errors.ts";
import type { Replay, ReplayOrder, Replays } from "../model/replays.ts";
import type { Session } from "../transport/session.ts";
import { isoOf } from "./history.ts";
import { portalRequest } from "./portal-request.ts";

/** Short, so that progress shows and an aborted signal ends the wait soon. */
const WAIT_S = 1;

export function createReplays(session: Session): Replays {
  const request = portalRequest(session, "A replay");
  const begin = ({ from, until, ...order }: ReplayOrder) =>
    request("POST /api/replays", {}, { body: { ...order, from: isoOf(from), ...(until && { until: isoOf(until) }) } });
  const follow = (id: string) => request("GET /api/replays/:id", { id }, { query: { wait: WAIT_S } });
  const remove = async (id: string) => void (await request("DELETE /api/replays/:id", { id }));
  return {
    list: () => request("GET /api/replays", {}),
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
