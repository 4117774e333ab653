/** A home whose changes are published as events. */

import type { Change } from "../../src/home/change.ts";
import { eventBodies } from "../../src/stream/frame.ts";
import { lastSentOf, remember } from "../../src/stream/last-sent.ts";
import { createZone } from "../../src/util/zone.ts";
import { program } from "../support/programs.ts";
import { CONTROLLER, createGround, nodeRecord, START_MS } from "./services.ts";

export const LAMP = "5C 2 D1 1";
export const PROGRAM = program(28, { name: "Evening", status: true, lastRunAtMs: START_MS, lastFinishAtMs: START_MS });

/** Makes the events of changes on one home with a lamp. */
export function narrator() {
  const ground = createGround();
  const bodies: string[] = [];
  const sent = lastSentOf(ground.home);
  const zone = createZone(CONTROLLER.timeZone);
  ground.feed.listen((entry) => {
    bodies.push(...eventBodies(entry, { ...ground, zone, sent }));
    remember(sent, entry.change);
  });
  ground.commit({ type: "node-added", node: nodeRecord(LAMP) });
  return {
    ...ground,
    /** The content of the events of these changes, without timestamps. */
    tell(...changes: readonly Change[]): string[] {
      bodies.length = 0;
      for (const change of changes) ground.commit(change);
      return bodies.map((body) => body.replace(/^ timestamp="[^"]*">|<\/Event>$/g, ""));
    },
    bodies,
  };
}
