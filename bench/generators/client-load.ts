/**
 * A client in a process of its own. It loads a home from documents in memory, without a network and without waiting.
 * Parsing the same bytes without using them is measured beside it.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type Transport } from "@domovoi/client";
import sax from "sax";
import { serveCalls } from "../harness/worker.ts";

/** The bodies are in files; `paths` says which is which. */
export type ClientLoadInput = {
  readonly directory: string;
  readonly paths: Readonly<Record<string, string>>;
  readonly again: number;
};
export type ClientLoadAnswer = {
  readonly nodes: number;
  readonly firstMs: number;
  readonly againMs: readonly number[];
  readonly parseMs: readonly number[];
  readonly bytes: number;
};

serveCalls({ load });

async function load({ directory, paths, again }: ClientLoadInput): Promise<ClientLoadAnswer> {
  const bodies = new Map(
    Object.entries(paths).map(([path, file]) => [path, readFileSync(join(directory, file), "utf8")] as const),
  );
  const transport = bodiesTransport(bodies);
  const first = await timed(() => loadOnce(transport));
  const againMs: number[] = [];
  const parseMs: number[] = [];
  for (let run = 0; run < again; run += 1) {
    againMs.push((await timed(() => loadOnce(transport))).ms);
    parseMs.push((await timed(async () => parseOnly(bodies))).ms);
  }
  const bytes = [...bodies.values()].reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  return { nodes: first.value, firstMs: first.ms, againMs, parseMs, bytes };
}

async function loadOnce(transport: Transport): Promise<number> {
  const account = { user: "owner@bench.example", password: "bench" };
  const home = await connect({ url: "https://bench.example", ...account, transport, stream: "off" });
  // Looks at every key, path and name, so that the indexes are made.
  home.nodes.find("a name that no node has");
  return home.nodes.size;
}

/** JSON alone, and a parser for all of XML. */
function parseOnly(bodies: ReadonlyMap<string, string>): void {
  for (const body of bodies.values()) {
    if (body.startsWith("<")) sax.parser(true).write(body).close();
    else if (body.startsWith("{")) JSON.parse(body);
  }
}

function bodiesTransport(bodies: ReadonlyMap<string, string>): Transport {
  const tokens = JSON.stringify({ successful: true, data: { accessToken: "access", refreshToken: "refresh" } });
  return {
    socketsHaveHeaders: true,
    async request({ url }) {
      const path = url.replace("https://bench.example", "");
      const text = path === "/api/login" ? tokens : (bodies.get(path) ?? "");
      return { status: text === "" ? 404 : 200, header: () => null, text };
    },
    download: () => Promise.reject(new Error("No file is loaded here.")),
    openSocket: () => ({ send() {}, close() {} }),
    close() {},
  };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const startMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startMs };
}
