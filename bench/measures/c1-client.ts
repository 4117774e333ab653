/** C1: what the client library costs: a large home loaded and indexed once its bytes are there, and its bytes in a browser. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildBundle } from "../../test/client/support/build-bundle.ts";
import type { ClientLoadAnswer, ClientLoadInput } from "../generators/client-load.ts";
import { startController } from "../harness/controller.ts";
import { requestOnce } from "../harness/https-connection.ts";
import type { Bench, Measure, Result } from "../harness/measure.ts";
import { spreadOf } from "../harness/statistics.ts";
import { FULL_LOAD } from "./documents.ts";

const NODES = 10_000;
const LOAD_GOAL = { of: "figure", bound: "at most", value: 300 } as const;
const BUNDLE_GOAL = { of: "figure", bound: "at most", value: 40 } as const;
/** Additional documents of a portal load, besides those of every client. */
const FURTHER = ["/api/config", "/rest/zwave/node/0/def/get", "/rest/zmatter/zwave/node/0/def/get"];
const LABELS = ["-1", "4", "12"].map((family) => `/rest/profiles/family/${family}/profile/1/download/nls/en_US.txt`);

export const client: Measure = {
  id: "C1",
  title: "the client library",
  async run(bench): Promise<Result> {
    const input = await documentsOf(bench);
    const answers: ClientLoadAnswer[] = [];
    for (let run = 0; run < (bench.quick ? 3 : 7); run += 1) answers.push(await loadInAProcess(bench, input));
    const first = spreadOf(answers.map(({ firstMs }) => firstMs));
    const again = spreadOf(answers.flatMap(({ againMs }) => againMs));
    const parse = spreadOf(answers.flatMap(({ parseMs }) => parseMs));
    const peer = { name: "JSON.parse and sax, same bytes", figure: parse.p50 };
    const kilobytes = await bundleKilobytes();
    const megabytes = ((answers[0]?.bytes ?? 0) / 1e6).toFixed(1);
    const what = `${NODES} nodes, ${megabytes} MB of documents, loaded and indexed`;
    return {
      rows: [
        { what: `${what}: first in its process`, figure: first.p50, unit: "ms", goal: LOAD_GOAL, spread: first, peer },
        { what: `${what}: again`, figure: again.p50, unit: "ms", goal: LOAD_GOAL, spread: again, peer },
        { what: "bundle for browsers, gzip", figure: kilobytes, unit: "KB", goal: BUNDLE_GOAL },
      ],
      notes: ["The documents are in memory; the peer makes nothing of what it parses, in the same processes."],
    };
  },
};

async function documentsOf({ children, homes, directory }: Bench): Promise<Omit<ClientLoadInput, "again">> {
  const home = await homes.copy({ nodes: NODES, journalEntries: 0, killed: false });
  const controller = await startController(children, { home });
  const folder = directory("documents");
  const paths: Record<string, string> = {};
  for (const [index, path] of [...FURTHER, ...FULL_LOAD, ...LABELS].entries()) {
    const authorization = `Bearer ${home.accessToken}`;
    const { status, body } = await requestOnce(controller.portal, { method: "GET", path, authorization });
    if (status !== 200) continue;
    paths[path] = `${index}.txt`;
    writeFileSync(join(folder, `${index}.txt`), body);
  }
  await controller.end();
  return { directory: folder, paths };
}

async function loadInAProcess(
  { children, quick }: Bench,
  input: Omit<ClientLoadInput, "again">,
): Promise<ClientLoadAnswer> {
  const child = children.fork("generators/client-load.ts");
  const { value } = await child.call<ClientLoadAnswer>("load", { ...input, again: quick ? 2 : 5 });
  await child.end();
  if (value.nodes < NODES) throw new Error(`Only ${value.nodes} nodes were loaded.`);
  return value;
}

async function bundleKilobytes(): Promise<number> {
  const entry = fileURLToPath(new URL("../../test/client/support/page.ts", import.meta.url));
  const { code } = await buildBundle(entry);
  return gzipSync(code, { level: 9 }).length / 1024;
}
