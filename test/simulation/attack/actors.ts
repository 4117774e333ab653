/** All who attack, by the names that the report and `DOMOVOI_ATTACK_ACTORS` use. */

import { diskStalls, flappingLamps, programsInBreadth, programsInLoops, programsThatRepeat } from "./inside.ts";
import { brokenRequests, guessers, hugeBodies, pipelineAsGuest, pipelineAsStranger, slowBodies } from "./requests.ts";
import type { Actor } from "./scene.ts";
import { brokenFrames, streamHogs } from "./streams.ts";

export const ACTORS = {
  "stranger-pipelines": pipelineAsStranger,
  "guest-pipelines": pipelineAsGuest,
  "slow-bodies": slowBodies,
  "huge-bodies": hugeBodies,
  guessers,
  "broken-requests": brokenRequests,
  "stream-hogs": streamHogs,
  "broken-frames": brokenFrames,
  "programs-in-breadth": programsInBreadth,
  "programs-that-repeat": programsThatRepeat,
  "programs-in-loops": programsInLoops,
  "flapping-lamps": flappingLamps,
  "disk-stalls": diskStalls,
} as const satisfies Readonly<Record<string, Actor>>;

export type ActorName = keyof typeof ACTORS;

export const ACTOR_NAMES = Object.keys(ACTORS) as readonly ActorName[];
