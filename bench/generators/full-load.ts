/** Clients that load everything at once, each over its own keep-alive connections, one per document. */

import { arrive } from "../harness/arrivals.ts";
import { ConnectionPool } from "../harness/connection-pool.ts";
import { HttpsConnection, type Target } from "../harness/https-connection.ts";
import { Samples, type Spread } from "../harness/statistics.ts";
import { serveCalls } from "../harness/worker.ts";

export type LoadInput = {
  readonly target: Target;
  /** Request heads, one per document. */
  readonly heads: readonly string[];
  readonly clients: number;
  readonly seconds: number;
};
export type OpenLoopInput = LoadInput & {
  readonly perSecond: number;
  /** Requests that change what the documents show, in turn; empty: the home is still. */
  readonly changes: { readonly heads: readonly string[]; readonly perSecond: number };
};
export type LoadOutput = {
  readonly spread: Spread;
  readonly loads: number;
  readonly bytes: number;
  readonly seconds: number;
};

serveCalls({ openLoop, saturate });

async function openLoop({ perSecond, changes, ...input }: OpenLoopInput): Promise<LoadOutput> {
  const crowd = await Crowd.open(input);
  const moving = move(input, changes);
  const startMs = performance.now();
  await arrive({ perSecond, seconds: input.seconds }, (_index, dueMs) => crowd.load(dueMs));
  const output = crowd.told(startMs);
  await moving;
  crowd.close();
  return output;
}

/** Every client begins its next load as soon as it has the one before. */
async function saturate(input: LoadInput): Promise<LoadOutput> {
  const crowd = await Crowd.open(input);
  const startMs = performance.now();
  const endMs = startMs + input.seconds * 1000;
  const again = async () => {
    while (performance.now() < endMs) await crowd.load(performance.now());
  };
  await Promise.all(Array.from({ length: input.clients }, again));
  const output = crowd.told(startMs);
  crowd.close();
  return output;
}

async function move({ target, seconds }: LoadInput, { heads, perSecond }: OpenLoopInput["changes"]): Promise<void> {
  if (heads.length === 0) return;
  const pool = await ConnectionPool.open(target, 2);
  await arrive({ perSecond, seconds }, async (index) => {
    await pool.request(heads[index % heads.length] ?? "");
  });
  pool.close();
}

class Crowd {
  readonly #clients: readonly LoadClient[];
  readonly #free: LoadClient[];
  readonly #waiting: ((client: LoadClient) => void)[] = [];
  readonly #samples = new Samples();
  #bytes = 0;

  constructor(clients: readonly LoadClient[]) {
    this.#clients = clients;
    this.#free = [...clients];
  }

  static async open({ target, heads, clients }: LoadInput): Promise<Crowd> {
    const all = Array.from({ length: clients }, () => new LoadClient(target, heads));
    await Promise.all(all.map((client) => client.opened()));
    return new Crowd(all);
  }

  /** One full load by the next free client. */
  async load(dueMs: number): Promise<void> {
    const client = this.#free.pop() ?? (await new Promise<LoadClient>((resolve) => this.#waiting.push(resolve)));
    const bytes = await client.load();
    this.#bytes += bytes;
    this.#samples.add(performance.now() - dueMs);
    const next = this.#waiting.shift();
    if (next) next(client);
    else this.#free.push(client);
  }

  told(startMs: number): LoadOutput {
    const seconds = (performance.now() - startMs) / 1000;
    return { spread: this.#samples.spread(), loads: this.#samples.count, bytes: this.#bytes, seconds };
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}

class LoadClient {
  readonly #heads: readonly string[];
  readonly #connections: readonly HttpsConnection[];

  constructor(target: Target, heads: readonly string[]) {
    this.#heads = heads;
    this.#connections = heads.map(() => new HttpsConnection(target));
  }

  async opened(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.opened()));
  }

  /** All documents in parallel. @returns bytes of their bodies. */
  async load(): Promise<number> {
    const answers = await Promise.all(
      this.#connections.map((connection, index) => connection.request(this.#heads[index] ?? "")),
    );
    return answers.reduce((sum, answer) => sum + expectOk(answer), 0);
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}

function expectOk({
  status,
  bytes,
  head,
}: {
  readonly status: number;
  readonly bytes: number;
  readonly head: string;
}): number {
  if (status !== 200) throw new Error(`A document was answered with ${status}: ${head}`);
  return bytes;
}
