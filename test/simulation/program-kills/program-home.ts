/** A home with nothing in it but the plans: made by the service itself, then furnished while it is down. */

import { parseConfig } from "../../../src/config.ts";
import type { Change } from "../../../src/home/change.ts";
import { ChangeFeed } from "../../../src/home/change-feed.ts";
import type { Home } from "../../../src/home/home.ts";
import type { NodeRecord } from "../../../src/home/nodes.ts";
import { ROOT_PROGRAM_ID } from "../../../src/home/programs.ts";
import { declareBuiltinProfile } from "../../../src/profile/builtin/builtin.ts";
import { Profile } from "../../../src/profile/profile.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { createLog } from "../../../src/util/log.ts";
import type { Randomness } from "../../../src/util/randomness.ts";
import { startService } from "../service-process.ts";
import { type Plan, programOf, randomPlans, resourceOf, variablesFor } from "./plans.ts";

export const DEMO = ["--demo", "--still", "--demo-nodes", "300", "--local-api"];

/** @param port where the network resources of the plans are counted. */
export async function makeHome(
  data: string,
  randomness: Randomness,
  wanted: number,
  port: number,
): Promise<readonly Plan[]> {
  const { process } = await startService(data, DEMO);
  process.signal("SIGTERM");
  await process.ended;
  const store = await openStore({
    dir: data,
    config: parseConfig({ data }),
    clock: systemClock,
    log: createLog("silent"),
  });
  const known = store.loadHome();
  if (!known) throw new Error("The service made a home.");
  const { home, lastSeq } = known;
  const plans = randomPlans(randomness, lampsOf(home), wanted);
  const feed = new ChangeFeed(home, systemClock, lastSeq);
  feed.record(store.record);
  for (const change of [...clearing(home), ...plans.flatMap((plan) => furnishing(plan, port))]) {
    feed.commit(change, { kind: "system", id: "test", by: null });
  }
  await store.committed(feed.lastSeq);
  await store.close();
  return plans;
}

/** Nodes that accept every command of the plans. */
function lampsOf({ nodes }: Home): readonly string[] {
  const profile = new Profile();
  declareBuiltinProfile(profile);
  const takesAll = ({ nodeDefId, family, instance }: NodeRecord) => {
    const accepted = profile.nodedef(nodeDefId, family, instance)?.accepts.map(({ id }) => id) ?? [];
    return ["DON", "BRT", "DIM"].every((command) => accepted.includes(command));
  };
  return [...nodes.values()].filter(takesAll).map(({ address }) => address);
}

function clearing({ programs }: Home): readonly Change[] {
  const ids = [...programs.keys()].filter((id) => id !== ROOT_PROGRAM_ID);
  return ids.map((id) => ({ type: "program-removed", id }));
}

function furnishing(plan: Plan, port: number): readonly Change[] {
  return [
    ...variablesFor(plan).map((variable): Change => ({ type: "variable-added", variable })),
    { type: "network-resource-put", resource: resourceOf(plan, port) },
    { type: "program-added", program: programOf(plan) },
  ];
}
