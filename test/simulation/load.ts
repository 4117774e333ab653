/**
 * People and programs that write to a home all at once over kept connections, and note what was acknowledged: writes of
 * everything writable, variables that are made and removed, programs that are run, commands that make devices report.
 */

import type { Randomness } from "../../src/util/randomness.ts";
import type { Answer, HttpsClient } from "../support/https-client.ts";
import type { Documents } from "./documents.ts";
import { Register, type Sequence } from "./register.ts";
import type { Writable, Write } from "./writables.ts";

const WRITERS = 16;
const MAKERS = 2;
const COMMANDERS = 4;
/** Made variables that each maker keeps. */
const MADE_KEPT = 5;
const VERBS = ["run", "runThen", "runElse", "stop"];

export type LoadTargets = {
  readonly writables: readonly Writable[];
  /** Addresses of dimmers that stay enabled. */
  readonly lamps: readonly string[];
  readonly groups: readonly string[];
  /** Ids of programs that may be run and stopped at any time. */
  readonly programs: readonly string[];
};

/** The writes to a home over all its lives. */
export class Ledger {
  readonly sequence: Sequence;
  readonly registers: ReadonlyMap<Writable, Register>;
  /** Variables that were made, by their name: "there" or "absent". */
  readonly made = new Map<string, Register>();
  acknowledged = 0;
  commands = 0;
  #number = 0;

  constructor(sequence: Sequence, writables: readonly Writable[], documents: Documents) {
    this.sequence = sequence;
    this.registers = new Map(
      writables.map((writable) => [writable, new Register(sequence, writable.seen(documents) ?? "")]),
    );
  }

  number(): number {
    this.#number += 1;
    return this.#number;
  }
}

export class Load {
  readonly #portal: HttpsClient;
  readonly #targets: LoadTargets;
  readonly #ledger: Ledger;
  readonly #randomness: Randomness;
  #isOver = false;
  #done: Promise<unknown> = Promise.resolve();
  /** Faults while the service was running. */
  readonly troubles: string[] = [];

  constructor(portal: HttpsClient, targets: LoadTargets, ledger: Ledger, randomness: Randomness) {
    this.#portal = portal;
    this.#targets = targets;
    this.#ledger = ledger;
    this.#randomness = randomness;
  }

  start(): void {
    this.#done = Promise.all([
      ...Array.from({ length: WRITERS }, () => this.#repeat(() => this.#writeOne())),
      ...Array.from({ length: MAKERS }, () => this.#makeAndRemove()),
      ...Array.from({ length: COMMANDERS }, () => this.#repeat(() => this.#command())),
    ]);
  }

  /** From now on the service is being ended: requests may fail. */
  over(): void {
    this.#isOver = true;
  }

  /** Settles when no write is under way. */
  async settled(): Promise<void> {
    await this.#done;
  }

  async #repeat(act: () => Promise<unknown>): Promise<void> {
    while (!this.#isOver) await act();
  }

  async #writeOne(): Promise<void> {
    const writable = this.#one(this.#targets.writables);
    const write = writable.write(this.#ledger.number(), this.#randomness.next());
    const register = this.#ledger.registers.get(writable);
    if (register) await this.#attempt(register, write.value, () => this.#send(write));
  }

  async #makeAndRemove(): Promise<void> {
    const mine: { readonly register: Register; readonly path: string }[] = [];
    await this.#repeat(async () => {
      const oldest = mine.length > MADE_KEPT ? mine.shift() : undefined;
      if (oldest) await this.#attempt(oldest.register, "absent", () => this.#portal.delete(oldest.path));
      const name = `made ${this.#ledger.number()}`;
      const type = this.#randomness.next() < 0.5 ? 1 : 2;
      const register = new Register(this.#ledger.sequence, "absent");
      this.#ledger.made.set(name, register);
      const made = await this.#attempt(register, "there", () => this.#portal.put(`/api/variables/${type}`, { name }));
      if (made)
        mine.push({ register, path: `/api/variables/${type}/${made.json<{ data: { id: string } }>().data.id}` });
    });
  }

  /** Acknowledged when the device has taken it, or the program has begun; what follows need not be on disk yet. */
  async #command(): Promise<void> {
    const answer = await this.#ask(() => this.#portal.get(this.#randomCommand()));
    if (answer) this.#ledger.commands += 1;
  }

  #randomCommand(): string {
    const { lamps, groups, programs } = this.#targets;
    const dice = this.#randomness.next();
    if (dice < 0.1) return `/rest/programs/${this.#one(programs)}/${this.#one(VERBS)}`;
    const address = dice < 0.2 ? this.#one(groups) : this.#one(lamps);
    return `/rest/nodes/${encodeURIComponent(address)}/cmd/${dice < 0.6 ? "DON" : "DOF"}`;
  }

  async #attempt(register: Register, value: string, ask: () => Promise<Answer>): Promise<Answer | null> {
    const attempt = register.send(value);
    const answer = await this.#ask(ask);
    if (!answer) return null;
    register.acknowledge(attempt);
    this.#ledger.acknowledged += 1;
    return answer;
  }

  /** The answer when it says that the thing is done. */
  async #ask(ask: () => Promise<Answer>): Promise<Answer | null> {
    try {
      const answer = await ask();
      if (answer.status === 200) return answer;
      if (!this.#isOver) this.troubles.push(`${answer.status} ${answer.text}`);
    } catch (error) {
      if (!this.#isOver) this.troubles.push(String(error));
    }
    return null;
  }

  #send({ method, path, body }: Write): Promise<Answer> {
    return method === "GET" ? this.#portal.get(path) : this.#portal.post(path, body);
  }

  #one<T>(things: readonly T[]): T {
    const thing = things[Math.floor(this.#randomness.next() * things.length)];
    if (thing === undefined) throw new Error("There is something to choose from.");
    return thing;
  }
}
