/** Which command a report shows the effect of: one to the same clusters that is under way, or was confirmed a moment ago. */

import type { Clock } from "../../util/clock.ts";

type Sent = {
  readonly peer: string;
  readonly endpoint: number;
  readonly id: string;
  readonly clusters: readonly string[];
};

type Report = { readonly peer: string; readonly endpoint: number; readonly cluster: string };

/** The library gathers reports for a moment, and lamps fade. */
const EFFECT_MS = 2000;
const CLUSTERS_TOGETHER: ReadonlySet<string> = new Set(["onOff", "levelControl"]);

export class RecentCommands {
  readonly #sent = new Map<Sent, number>();

  /** @returns what says how it ended. */
  add(sent: Sent): (clock: Clock, isConfirmed: boolean) => void {
    this.#sent.set(sent, Number.POSITIVE_INFINITY);
    return (clock, isConfirmed) => {
      if (isConfirmed) this.#sent.set(sent, clock.elapsed() + EFFECT_MS);
      else this.#sent.delete(sent);
    };
  }

  /** The latest; null: none. */
  of(clock: Clock, { peer, endpoint, cluster }: Report): string | null {
    const nowMs = clock.elapsed();
    for (const [sent, untilMs] of this.#sent) if (untilMs < nowMs) this.#sent.delete(sent);
    const found = [...this.#sent.keys()].findLast(
      (sent) => sent.peer === peer && sent.endpoint === endpoint && sent.clusters.some((each) => isSame(each, cluster)),
    );
    return found?.id ?? null;
  }
}

/** A switch command can show in the level, and a level in the switch. */
function isSame(one: string, other: string): boolean {
  return one === other || (CLUSTERS_TOGETHER.has(one) && CLUSTERS_TOGETHER.has(other));
}
