import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChangeFeed } from "../../src/home/change-feed.ts";
import { startTestController } from "../support/controller.ts";
import { FOLLOWED_STEPS, SEED } from "./effort.ts";
import { readFacts } from "./facts.ts";
import { Follower } from "./follower.ts";
import { type Happening, Happenings, happening } from "./happenings.ts";

const STEPS_A_HOME = 1000;
const HOMES = Math.ceil(FOLLOWED_STEPS / STEPS_A_HOME);
/** Comparisons of one home. */
const STEPS_BETWEEN = 250;
const SECONDS_A_HOME = 12;

/** Clients are cut by nothing but their own wish; the test's clock would outrun their pongs. */
const SETTINGS = { streamPingIntervalMs: 600_000, streamStallMs: 600_000, accessTokenLifetimeS: 86_400 };

test(
  `a client with only a stream has the state of the documents, over ${HOMES * STEPS_A_HOME} events and reconnects`,
  async () => {
    let entries = 0;
    let connections = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: STEPS_A_HOME, maxLength: STEPS_A_HOME, size: "max" }),
        async (story) => {
          const told = await follow(story);
          entries += told.entries;
          connections += told.connections;
        },
      ),
      { numRuns: HOMES, seed: SEED, endOnFailure: true },
    );
    console.info(
      `${HOMES * STEPS_A_HOME} happenings (seed ${SEED}): ${connections} connections, ${entries} changes told`,
    );
  },
  HOMES * SECONDS_A_HOME * 1000,
);

async function follow(story: readonly Happening[]) {
  await using controller = await startTestController(SETTINGS);
  await controller.login();
  const steady = [new Follower(controller, "rest"), new Follower(controller, "api")];
  const restless = [new Follower(controller, "rest"), new Follower(controller, "api")];
  const all = [...steady, ...restless];
  await Promise.all(all.map((follower) => follower.connect()));
  const entries = countEntries(controller.services.feed);
  const happenings = await Happenings.begin(controller, (pick) => void restless[pick % restless.length]?.connect());
  for (const [step, now] of story.entries()) {
    await happenings.happen(now);
    if ((step + 1) % STEPS_BETWEEN > 0) continue;
    const answers = await happenings.settled();
    // A folder takes no startup verb, an unplugged lamp no command: refused, but never a failure of the service itself.
    expect(controller.lines.filter(({ level }) => level === "error")).toEqual([]);
    expect(answers.filter(({ status }) => status === 500)).toEqual([]);
    const mark = 1_000_000_000 + step;
    await controller.local.get(`/rest/vars/set/2/10/${mark}`);
    const isMark = ({ eventInfo }: { readonly eventInfo: string }) => eventInfo.includes(`<val>${mark}</val>`);
    await Promise.all(all.map((follower) => follower.catchUp(isMark)));
    const documents = Object.fromEntries(await readFacts(controller.local));
    for (const follower of all) {
      expect(follower.disorder).toEqual([]);
      expect(Object.fromEntries(follower.facts)).toEqual(documents);
    }
    for (const follower of steady) expect(follower.commandsHeard).toBe(entries.commandsSent);
  }
  await Promise.all(all.map((follower) => follower.close()));
  const connections = all.reduce((sum, follower) => sum + follower.connections, 0);
  return { entries: entries.all, connections };
}

function countEntries(feed: ChangeFeed) {
  const entries = { all: 0, commandsSent: 0 };
  feed.listen(({ change }) => {
    entries.all += 1;
    if (change.type === "control-sent") entries.commandsSent += 1;
  });
  return entries;
}
