/** The data directory alone yields the same definitions as the running controller. */

import { expect, test } from "vitest";
import { storedProfile } from "../../src/replays/run-replay.ts";
import { openRecording } from "../../src/store/recording/open-recording.ts";
import { createLog } from "../../src/util/log.ts";
import { START_MS, startTestController } from "../support/controller.ts";
import { idsOf } from "../support/profile-ids.ts";

test("of the demo home, with its simulated radios and plugins", async () => {
  await using controller = await startTestController();
  const { profile, durability, feed } = controller.services;
  await durability.committed(feed.lastSeq);
  const recording = openRecording(controller.data, START_MS, START_MS + 1);
  try {
    const where = { ...recording, data: controller.data, log: createLog("silent") };
    expect(idsOf(await storedProfile(recording.present(), where))).toEqual(idsOf(profile));
    expect(profile.instances().length).toBeGreaterThan(3);
  } finally {
    recording[Symbol.dispose]();
  }
});
