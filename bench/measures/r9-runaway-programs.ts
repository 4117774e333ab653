/**
 * R9: what programs that start one another, or repeat without end, cost everybody else: an honest client's writes, a
 * program that has nothing to do with them, and memory. The service as its owner runs it, over HTTP.
 */

import { type RunningController, startController } from "../harness/controller.ts";
import { type HomeCopy, LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { HttpsConnection, requestHead } from "../harness/https-connection.ts";
import type { Bench, Goal, Measure, Result, Row } from "../harness/measure.ts";
import { residentMb } from "../harness/process-figures.ts";
import { Samples, type Spread } from "../harness/statistics.ts";

const HOME = { nodes: 500, journalEntries: 1000, killed: false };
/** Stands for a lamp that reports what it did at once. */
const LAMP = "{LAMP}";
const WRITE_EVERY_MS = 50;
/** A program that has not followed a write after this long is not waited for. */
const FOLLOW_MS = 30_000;

type Kind = {
  readonly what: string;
  readonly programs: readonly string[];
  /** Programs that are changed once all exist, because they name themselves. */
  readonly changed?: readonly string[];
  /** Paths that set them off. */
  readonly start: (ids: readonly string[]) => readonly string[];
};

const numbered = (count: number, text: (name: string) => string) =>
  Array.from({ length: count }, (_, index) => text(`Runaway ${index}`));
const BY_VARIABLE = () => ["/rest/vars/set/2/1/1"];
const FAN = (name: string) => `Program '${name}'\nIf\nState variable [1] > 0\nThen\nState variable [1] += 1`;

const KINDS: readonly Kind[] = [
  { what: "10 programs in breadth", programs: numbered(10, FAN), start: BY_VARIABLE },
  { what: "40 programs in breadth", programs: numbered(40, FAN), start: BY_VARIABLE },
  {
    what: "200 programs: repeat every second, v += 1",
    programs: numbered(
      200,
      (name) => `Program '${name}'\nIf\nState variable [1] > 0\nThen\nRepeat every 1 second\nState variable [1] += 1`,
    ),
    start: BY_VARIABLE,
  },
  {
    what: "200 programs: wait 1 second, v += 1",
    programs: numbered(
      200,
      (name) => `Program '${name}'\nIf\nState variable [1] > 0\nThen\nWait 1 second\nState variable [1] += 1`,
    ),
    start: BY_VARIABLE,
  },
  {
    what: "200 programs that start themselves",
    programs: numbered(200, (name) => `Program '${name}'\nThen\nInteger variable [1] += 1`),
    changed: numbered(
      200,
      (name) => `Program '${name}'\nThen\nInteger variable [1] += 1\nRun program '${name}' (Then path)`,
    ),
    start: (ids) => ids.map((id) => `/rest/programs/${id}/runThen`),
  },
  {
    what: "200 programs: repeat without a wait",
    programs: numbered(
      200,
      (name) =>
        `Program '${name}'\nIf\nState variable [1] > 0\nThen\nRepeat while State variable [1] > 0\nInteger variable [1] += 1`,
    ),
    start: BY_VARIABLE,
  },
  {
    what: "a lamp that switches itself",
    programs: [
      `Program 'Light'\nIf\nStatus [${LAMP}] ST is 0%\nThen\nSet [${LAMP}] DFON`,
      `Program 'Dark'\nIf\nStatus [${LAMP}] ST > 0%\nThen\nSet [${LAMP}] DFOF`,
    ],
    start: () => [`/rest/nodes/${LAMP}/cmd/DFON`],
  },
];

export const runawayPrograms: Measure = {
  id: "R9",
  title: "programs that run away, and everybody else",
  async run(bench): Promise<Result> {
    const rows: Row[] = [];
    for (const kind of KINDS) rows.push(...(await measure(bench, kind)));
    return {
      rows,
      notes: [
        "A client writes a state variable every 50 ms and reads until a program, which has nothing to do with the others, has followed. Longer than before: p99 beside the idle p99 of the same process. Memory: the highest resident memory beside the one before.",
      ],
    };
  },
};

async function measure(bench: Bench, kind: Kind): Promise<readonly Row[]> {
  bench.say(kind.what);
  const home = await bench.homes.copy(HOME);
  const controller = await startController(bench.children, { home });
  const ids = await writePrograms(controller, home, kind);
  const local = await open(controller);
  const seconds = bench.quick ? 5 : 20;
  await follow(local, 1, 2);
  const idle = await follow(local, 1000, seconds);
  const beforeMb = residentMb(controller.pid);
  const starter = await open(controller);
  const lamp = encodeURI(home.switches[0] ?? "");
  const started = startAll(
    starter,
    kind.start(ids).map((path) => path.replace(LAMP, lamp)),
  );
  const busy = await follow(local, 100_000, seconds, () => residentMb(controller.pid));
  await started;
  local.close();
  starter.close();
  await controller.end();
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  bench.say(
    `writes p50 ${ms(busy.writes.p50)}, at most ${ms(busy.writes.max)} (idle ${ms(idle.writes.max)}); followed p99 ${ms(busy.followed.p99)} (idle ${ms(idle.followed.p99)})`,
  );
  return [
    row(`${kind.what}: a write, at most`, busy.writes.max, "ms", 1000, busy.writes),
    row("… unrelated program, p99 longer by", busy.followed.p99 - idle.followed.p99, "ms", 20, busy.followed),
    row("… memory, more by", busy.peakMb - beforeMb, "MB", 100),
  ];
}

function row(what: string, figure: number, unit: Row["unit"], value: number, spread?: Spread): Row {
  const goal: Goal = { of: "figure", bound: "at most", value };
  return { what, figure, unit, goal, ...(spread && { spread }) };
}

async function open({ local }: RunningController): Promise<HttpsConnection> {
  const connection = new HttpsConnection(local);
  await connection.opened();
  return connection;
}

async function writePrograms(
  { portal }: RunningController,
  { accessToken, switches }: HomeCopy,
  { programs, changed = [] }: Kind,
): Promise<readonly string[]> {
  const connection = new HttpsConnection(portal);
  await connection.opened();
  const send = async (method: string, path: string, text: string): Promise<string> => {
    const body = JSON.stringify({ text: text.replaceAll(LAMP, switches[0] ?? "") });
    const head = requestHead({ method, path, authorization: `Bearer ${accessToken}`, body });
    const answer = await connection.request(head, { body, keep: true });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return (JSON.parse(answer.body.toString()) as { data: { id: string } }).data.id;
  };
  const ids: string[] = [];
  for (const text of programs) ids.push(await send("POST", "/api/programs/text", text));
  for (const [index, text] of changed.entries()) await send("PUT", `/api/programs/${ids[index]}/text`, text);
  await send(
    "POST",
    "/api/programs/text",
    "Program 'Follow'\nIf\nState variable [2] > 0\nThen\nInteger variable [2] = State variable [2]",
  );
  connection.close();
  return ids;
}

async function startAll(connection: HttpsConnection, paths: readonly string[]): Promise<void> {
  for (const path of paths) await get(connection, path);
}

type Followed = { readonly writes: Spread; readonly followed: Spread; readonly peakMb: number };

/** One write after the other. */
async function follow(connection: HttpsConnection, from: number, seconds: number, mb = () => 0): Promise<Followed> {
  const [writes, followed] = [new Samples(), new Samples()];
  let peakMb = 0;
  const startMs = performance.now();
  for (let count = 0; performance.now() - startMs < seconds * 1000; count += 1) {
    const restMs = startMs + count * WRITE_EVERY_MS - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, restMs)));
    const value = from + count;
    const sentMs = performance.now();
    await get(connection, `/rest/vars/set/2/2/${value}`);
    writes.add(performance.now() - sentMs);
    while (!(await get(connection, "/rest/vars/get/1/2")).includes(`<val>${value}</val>`)) {
      if (performance.now() - sentMs > FOLLOW_MS) throw new Error("The unrelated program did not follow.");
    }
    followed.add(performance.now() - sentMs);
    peakMb = Math.max(peakMb, mb());
  }
  return { writes: writes.spread(), followed: followed.spread(), peakMb };
}

async function get(connection: HttpsConnection, path: string): Promise<string> {
  const answer = await connection.request(requestHead({ path, authorization: LOCAL_AUTHORIZATION }), { keep: true });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return answer.body.toString();
}
