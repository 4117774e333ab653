/** P3: all documents of a client in parallel over TLS; beside nginx with the same bytes, from memory, on as many cores. */

import { fileURLToPath } from "node:url";
import type { LoadInput, LoadOutput, OpenLoopInput } from "../generators/full-load.ts";
import { type CertificateFiles, certificateOf } from "../harness/certificate.ts";
import type { Answer } from "../harness/children.ts";
import { type ForkedChild, pinToCore } from "../harness/children.ts";
import { startController } from "../harness/controller.ts";
import { type HomeCopy, USUAL } from "../harness/homes.ts";
import { requestHead, requestOnce, type Target, targetOf } from "../harness/https-connection.ts";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";
import { layOut, type StaticDocument, startNginx } from "../harness/nginx.ts";
import { processorSeconds } from "../harness/process-figures.ts";
import { FULL_LOAD, switchingPaths } from "./documents.ts";

const LATENCY_GOAL = { of: "figure", bound: "at most", value: 60 } as const;
const RATIO_GOAL = { of: "ratio", bound: "at least", value: 0.6 } as const;
const LOADS_PER_SECOND = 10;
const CHANGES_PER_SECOND = 20;
const CLIENTS = 6;
const BARE = fileURLToPath(new URL("../servers/bare-https.js", import.meta.url));

type Server = { readonly pid: number; readonly target: Target };
type Saturation = {
  readonly mbPerSecond: number;
  /** Rate that the server would reach with one core fully used, even when the generator was the limit. */
  readonly mbPerProcessorSecond: number;
  readonly serverCores: number;
  readonly answer: Answer<LoadOutput>;
};

export const fullLoad: Measure = {
  id: "P3",
  title: "full client load over TLS",
  async run(bench): Promise<Result> {
    const home = await bench.homes.copy(USUAL);
    const controller = await startController(bench.children, { home });
    const generator = bench.children.fork("generators/full-load.ts");
    const own: Server = { pid: controller.pid, target: controller.portal };
    const latencies = await measureLatencies(bench, generator, own, home);

    const root = bench.directory("nginx");
    const documents = await fetchDocuments(own.target, home);
    const nginx = await startNginx(bench.children, root, certificateOf(home), documents);
    const bare = await startBare(bench, certificateOf(home), layOut(root, documents));
    const pinned = [own.pid, bare.pid, ...(nginx ? [nginx.pid] : [])].every((pid) => pinToCore(pid, 0));
    if (pinned) pinToCore(generator.pid, 1);
    const rows: Row[] = [...latencies];
    for (const gzip of [false, true]) {
      bench.say(`at saturation${gzip ? ", gzip" : ""}`);
      const ours = await saturate(bench, generator, own, headsOf(home, gzip));
      const theirs = nginx && (await saturate(bench, generator, nginx, headsOf(home, gzip)));
      const limit = await saturate(bench, generator, bare, headsOf(home, gzip));
      rows.push(...throughputRows(gzip, ours, theirs, limit));
    }
    await Promise.all([controller.end(), generator.end(), bare.end(), nginx?.end()]);
    return { rows, notes: notes(documents, nginx !== null, pinned) };
  },
};

async function startBare({ children }: Bench, { cert, key }: CertificateFiles, files: readonly string[]) {
  const env = { BENCH_CERT: cert, BENCH_KEY: key, BENCH_DOCUMENTS: files.join(" ") };
  const child = await children.start({ command: process.execPath, args: [BARE], env, ready: "ready " });
  return { ...child, target: targetOf(child.readyLine.split(" ")[1] ?? "") };
}

async function measureLatencies(bench: Bench, generator: ForkedChild, { pid, target }: Server, home: HomeCopy) {
  const rows: Row[] = [];
  const seconds = bench.quick ? 4 : 12;
  for (const isMoving of [false, true]) {
    bench.say(`${LOADS_PER_SECOND} full loads a second${isMoving ? " of a home in motion" : ""}`);
    const authorization = `Bearer ${home.accessToken}`;
    const heads = isMoving ? switchingPaths(home.switches).map((path) => requestHead({ path, authorization })) : [];
    const changes = { heads, perSecond: CHANGES_PER_SECOND };
    const load = { target, heads: headsOf(home, false), clients: 8, seconds };
    const input: OpenLoopInput = { ...load, perSecond: LOADS_PER_SECOND, changes };
    const before = processorSeconds(pid);
    const { value, health } = await generator.call<LoadOutput>("openLoop", input);
    rows.push({
      what: `p99 of a load, ${LOADS_PER_SECOND}/s${isMoving ? `, ${CHANGES_PER_SECOND} commands/s` : ", still home"}`,
      figure: value.spread.p99,
      unit: "ms",
      goal: LATENCY_GOAL,
      spread: value.spread,
      health,
      serverCores: (processorSeconds(pid) - before) / value.seconds,
    });
  }
  return rows;
}

function headsOf({ accessToken }: HomeCopy, gzip: boolean): readonly string[] {
  return FULL_LOAD.map((path) => requestHead({ path, authorization: `Bearer ${accessToken}`, gzip }));
}

async function saturate(
  { quick }: Bench,
  generator: ForkedChild,
  { pid, target }: Server,
  heads: readonly string[],
): Promise<Saturation> {
  const input: LoadInput = { target, heads, clients: CLIENTS, seconds: quick ? 2 : 6 };
  await generator.call<LoadOutput>("saturate", { ...input, seconds: 1 });
  const before = processorSeconds(pid);
  const answer = await generator.call<LoadOutput>("saturate", input);
  const { bytes, seconds } = answer.value;
  const serverSeconds = processorSeconds(pid) - before;
  return {
    mbPerSecond: bytes / 1e6 / seconds,
    mbPerProcessorSecond: bytes / 1e6 / serverSeconds,
    serverCores: serverSeconds / seconds,
    answer,
  };
}

/** The generator may not be able to keep a server busy; what a full core would do is then the fairer comparison. */
function throughputRows(gzip: boolean, ours: Saturation, theirs: Saturation | null, limit: Saturation): readonly Row[] {
  const suffix = gzip ? ", gzip" : "";
  return [
    {
      what: `bytes at saturation${suffix}`,
      figure: ours.mbPerSecond,
      unit: "MB/s",
      peer: theirs && { name: `nginx, ${theirs.serverCores.toFixed(2)} of its core`, figure: theirs.mbPerSecond },
      spread: ours.answer.value.spread,
      health: ours.answer.health,
      serverCores: ours.serverCores,
    },
    {
      what: `bytes per second of a full core${suffix}`,
      figure: ours.mbPerProcessorSecond,
      unit: "MB/s",
      goal: RATIO_GOAL,
      peer: theirs && { name: "nginx", figure: theirs.mbPerProcessorSecond },
    },
    {
      what: `the same beside Node alone${suffix}`,
      figure: ours.mbPerProcessorSecond,
      unit: "MB/s",
      peer: { name: "bare Node with https (limit)", figure: limit.mbPerProcessorSecond },
    },
  ];
}

async function fetchDocuments(target: Target, { accessToken }: HomeCopy): Promise<readonly StaticDocument[]> {
  const authorization = `Bearer ${accessToken}`;
  return Promise.all(
    FULL_LOAD.map(async (path) => {
      const plain = await requestOnce(target, { path, authorization });
      const packed = await requestOnce(target, { path, authorization, gzip: true });
      const isPacked = /\r\ncontent-encoding: *gzip/i.test(packed.head);
      const contentType = /\r\ncontent-type: *([^\r\n]+)/i.exec(plain.head)?.[1] ?? "";
      const [file = path] = path.split("?");
      return { path: file, contentType, body: plain.body, gzip: isPacked ? packed.body : null };
    }),
  );
}

function notes(documents: readonly StaticDocument[], hasNginx: boolean, pinned: boolean): readonly string[] {
  const bytes = documents.reduce((sum, { body }) => sum + body.length, 0);
  const packed = documents.reduce((sum, { body, gzip }) => sum + (gzip ?? body).length, 0);
  const mean = (sum: number) => `${(sum / FULL_LOAD.length / 1000).toFixed(1)} kB`;
  return [
    `A load is ${FULL_LOAD.length} documents in parallel, ${(bytes / 1e6).toFixed(2)} MB without compression: ${mean(bytes)} a document, ${mean(packed)} with gzip.`,
    "All three send bytes that were packed before: nginx files of the page cache with gzip_static, Node alone buffers, Domovoi the form kept for the document's version. With gzip so few bytes are left that requests are compared, not bytes: parsing, credentials, headers, TLS records; only Domovoi looks at credentials.",
    pinned
      ? "At saturation each server is kept on one core, the generator on the other; the journal's thread included."
      : "There is no taskset, so servers and generator share all cores.",
    "A server whose core is not nearly full (0.95 and more) was kept waiting, by the generator or by the machine; the goal is held against bytes per second of processor time, which does not depend on that.",
    ...(hasNginx ? [] : ["nginx is not installed (Debian: apt-get install nginx-light); the comparison is left out."]),
  ];
}
