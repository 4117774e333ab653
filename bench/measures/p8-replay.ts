/** P8: from opening the connection to the end of the replay, for a client that comes alone. */

import type { NewcomerInput, NewcomerOutput } from "../generators/newcomers.ts";
import { pause } from "../harness/arrivals.ts";
import { certificateOf } from "../harness/certificate.ts";
import { type ForkedChild, pinToCore } from "../harness/children.ts";
import { startController } from "../harness/controller.ts";
import { type HomeCopy, LOCAL_AUTHORIZATION, USUAL } from "../harness/homes.ts";
import type { Target } from "../harness/https-connection.ts";
import type { Bench, Measure, Result } from "../harness/measure.ts";
import { type Spread, spreadOf } from "../harness/statistics.ts";
import { HEARTBEAT } from "./p7-fan-out.ts";

const GOAL = { of: "figure", bound: "at most", value: 60 } as const;
/** The texts of a replay are kept for ten seconds; after that a client is the first again. */
const FORGOTTEN_MS = 10_500;
/** Told of the original controller, for 182 nodes. */
const ORIGINAL_MS = 2000;
const LAST_GREETING = "last frame of the greeting";

type Arrivals = { readonly first: Spread; readonly next: Spread; readonly last: NewcomerOutput };

export const replay: Measure = {
  id: "P8",
  title: "replay on connect, 500 nodes",
  async run(bench): Promise<Result> {
    const home = await bench.homes.copy(USUAL);
    const controller = await startController(bench.children, { home });
    const generator = bench.children.fork("generators/newcomers.ts");
    pinToCore(generator.pid, 1);
    const json = await visit(bench, generator, jsonStream(controller.portal, home));
    const rest = await visit(bench, generator, restStream(controller.local));
    await controller.end();
    const bare = await bareGreeting(bench, generator, home, rest.last.kept);
    await generator.end();
    const original = { name: "the original, 182 nodes (told, not run)", figure: ORIGINAL_MS };
    const limit = { name: "bare ws, same frames (limit)", figure: bare.p50 };
    return {
      rows: [
        {
          what: "first client, JSON stream, slowest",
          figure: json.first.max,
          unit: "ms",
          goal: GOAL,
          peer: original,
          spread: json.first,
        },
        {
          what: "first client, XML stream, slowest",
          figure: rest.first.max,
          unit: "ms",
          goal: GOAL,
          peer: original,
          spread: rest.first,
        },
        { what: "next clients, JSON stream, p99", figure: json.next.p99, unit: "ms", goal: GOAL, spread: json.next },
        {
          what: "next clients, XML stream, p50",
          figure: rest.next.p50,
          unit: "ms",
          goal: GOAL,
          peer: limit,
          spread: rest.next,
        },
      ],
      notes: [
        `TCP, TLS and the upgrade included; ${rest.last.frames} frames, ${(rest.last.bytes / 1e6).toFixed(2)} MB. A first client comes when no text of a replay is kept.`,
      ],
    };
  },
};

async function visit({ quick, say }: Bench, generator: ForkedChild, input: NewcomerInput): Promise<Arrivals> {
  const first: number[] = [];
  const next: number[] = [];
  let last = await come(generator, input, true);
  first.push(last.ms);
  for (let run = 0; run < (quick ? 15 : 60); run += 1) next.push((await come(generator, input, false)).ms);
  if (!quick) {
    say("waiting until the texts of the replay are forgotten");
    await pause(FORGOTTEN_MS);
    last = await come(generator, input, true);
    first.push(last.ms);
  }
  return { first: spreadOf(first), next: spreadOf(next), last };
}

/** Time in which `ws` sends as many frames of the same bytes, one by one. */
async function bareGreeting(
  bench: Bench,
  generator: ForkedChild,
  home: HomeCopy,
  frames: readonly string[],
): Promise<Spread> {
  const server = bench.children.fork("servers/ws-broadcast.ts");
  const greeting = [...frames.slice(0, -1), LAST_GREETING];
  const { value: port } = await server.call<number>("start", { ...certificateOf(home), greeting });
  const input = { target: { host: "127.0.0.1", port }, path: "/", replayEnd: LAST_GREETING };
  const times: number[] = [];
  for (let run = 0; run < 20; run += 1) times.push((await come(generator, input, false)).ms);
  await server.end();
  return spreadOf(times.slice(5));
}

async function come(generator: ForkedChild, input: NewcomerInput, keep: boolean): Promise<NewcomerOutput> {
  return (await generator.call<NewcomerOutput>("come", { ...input, keep })).value;
}

function jsonStream(target: Target, { accessToken }: HomeCopy): NewcomerInput {
  const authorization = `Bearer ${accessToken}`;
  return { target, path: "/api/events/subscribe", authorization, replayEnd: '"type":"replayed"' };
}

export function restStream(target: Target): NewcomerInput {
  return { target, path: "/rest/subscribe", authorization: LOCAL_AUTHORIZATION, replayEnd: HEARTBEAT };
}
