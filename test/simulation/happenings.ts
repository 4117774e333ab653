/** Random events in a home: devices report, people press, write, rename and switch, time passes, clients reconnect. */

import fc from "fast-check";
import type { LinkState } from "../../src/home/nodes.ts";
import type { TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";
import { addBench, type Bench } from "./bench-driver.ts";

const BENCH_NODES = 12;
const LINKS: readonly LinkState[] = ["online", "unreachable", "asleep", "unknown"];
const PRESSES = ["DON", "DOF", "DFON", "DFOF", "FDUP", "FDSTOP", "OPEN", "CLOSE", "MOTION", "UNPLUG", "PLUG"];
const VERBS = ["run", "runThen", "runElse", "stop", "enable", "disable", "enableRunAtStartup", "disableRunAtStartup"];

/** Chooses among things whose number is not known yet. */
const pick = fc.nat(9999);
const title = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }).filter((text) => isName(text));
const occurrence = <T extends string, R>(what: T, record: { [K in keyof R]: fc.Arbitrary<R[K]> }) =>
  fc.record({ what: fc.constant(what), ...record }) as fc.Arbitrary<{ what: T } & R>;

const report = occurrence("report", {
  node: fc.nat(BENCH_NODES - 1),
  id: fc.constantFrom("ST", "OL", "RR", "CLITEMP", "GV1", "ERR"),
  value: fc.option(fc.integer({ min: -300, max: 300 }), { freq: 8 }),
  uom: fc.constantFrom(0, 2, 17, 25, 51, 56, 78, 100, 101),
  prec: fc.constantFrom(0, 0, 0, 1, 2),
  text: fc.option(fc.string({ maxLength: 8, unit: "binary" }), { nil: undefined, freq: 1 }),
});

export const happening = fc.oneof(
  { weight: 24, arbitrary: report },
  { weight: 2, arbitrary: occurrence("control", { node: fc.nat(BENCH_NODES - 1), value: fc.nat(3) }) },
  { weight: 2, arbitrary: occurrence("link", { node: fc.nat(BENCH_NODES - 1), link: fc.constantFrom(...LINKS) }) },
  { weight: 1, arbitrary: occurrence("replacement", { node: fc.nat(BENCH_NODES - 1) }) },
  { weight: 6, arbitrary: occurrence("press", { pick, press: fc.constantFrom(...PRESSES) }) },
  { weight: 4, arbitrary: occurrence("command", { pick, level: fc.nat(100) }) },
  { weight: 3, arbitrary: occurrence("rename", { pick, kind: fc.constantFrom("nodes", "groups", "folders"), title }) },
  { weight: 2, arbitrary: occurrence("switch", { pick, isOn: fc.boolean() }) },
  { weight: 4, arbitrary: occurrence("variable", { pick, path: fc.constantFrom("set", "init"), value: fc.integer() }) },
  { weight: 1, arbitrary: occurrence("definition", { pick, body: definition() }) },
  { weight: 4, arbitrary: occurrence("program", { pick, verb: fc.constantFrom(...VERBS) }) },
  { weight: 3, arbitrary: occurrence("time", { spanMs: fc.nat(1500) }) },
  { weight: 4, arbitrary: occurrence("turn", {}) },
  { weight: 1, arbitrary: occurrence("reconnection", { pick }) },
);
export type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never;

function definition() {
  return fc.oneof(fc.record({ name: title }), fc.record({ prec: fc.nat(9) }));
}

/** A home in which things happen. Requests are under way together; `settled` waits for them. */
export class Happenings {
  readonly #controller: TestController;
  readonly #bench: Bench;
  readonly #reconnect: (pick: number) => void;
  readonly #answers: Promise<Answer>[] = [];

  private constructor(controller: TestController, bench: Bench, reconnect: (pick: number) => void) {
    this.#controller = controller;
    this.#bench = bench;
    this.#reconnect = reconnect;
  }

  static async begin(controller: TestController, reconnect: (pick: number) => void): Promise<Happenings> {
    return new Happenings(controller, await addBench(controller.services, BENCH_NODES), reconnect);
  }

  async happen(now: Happening): Promise<void> {
    const { host, specs } = this.#bench;
    const { services, clock } = this.#controller;
    switch (now.what) {
      case "report": {
        const { what: _what, node, text, ...reported } = now;
        const address = specs[node]?.address ?? "";
        return host.report([{ address, ...reported, ...(text === undefined ? {} : { text }), cause: "report" }]);
      }
      case "control":
        return host.control(specs[now.node]?.address ?? "", "DON", now.value);
      case "link":
        return host.link(specs[now.node]?.address ?? "", now.link);
      case "replacement": {
        const spec = specs[now.node];
        if (!spec) return;
        host.gone(spec.address);
        host.node(spec);
        return;
      }
      case "press": {
        const virtual = services.drivers.of("virtual");
        virtual.simulation?.act(chosen(services.home.nodes, now.pick), now.press, 1);
        return;
      }
      case "time":
        return clock.advance(now.spanMs);
      case "turn":
        return new Promise((resolve) => setImmediate(resolve));
      case "reconnection":
        return this.#reconnect(now.pick);
      default:
        this.#answers.push(this.#ask(now));
    }
  }

  /** Settles when nothing happens any more. @returns the answers since the last time. */
  async settled(): Promise<readonly Answer[]> {
    const answers = await Promise.all(this.#answers.splice(0));
    const { feed } = this.#controller.services;
    for (let before = -1; before !== feed.lastSeq; ) {
      before = feed.lastSeq;
      for (let turn = 0; turn < 20; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return answers;
  }

  #ask(now: Extract<Happening, { what: "command" | "rename" | "switch" | "variable" | "definition" | "program" }>) {
    const { local, portal } = this.#controller;
    const { home } = this.#controller.services;
    switch (now.what) {
      case "command":
        return local.get(`/rest/nodes/${path(chosen(home.nodes, now.pick))}/cmd/DON/${now.level}`);
      case "rename":
        return local.get(`/rest/nodes/${path(chosen(home[now.kind], now.pick))}/change?name=${path(now.title)}`);
      case "switch":
        return local.get(`/rest/nodes/${path(chosen(home.nodes, now.pick))}/${now.isOn ? "enable" : "disable"}`);
      case "variable":
        return local.get(`/rest/vars/${now.path}/${variable(now.pick)}/${now.value}`);
      case "definition":
        return portal.post(`/api/variables/${variable(now.pick)}`, now.body);
      case "program":
        return local.get(`/rest/programs/${chosen(home.programs, now.pick).toString(16)}/${now.verb}`);
    }
  }
}

function chosen<K>(things: ReadonlyMap<K, unknown>, pick: number): K {
  const keys = [...things.keys()];
  const key = keys[pick % keys.length];
  if (key === undefined) throw new Error("There is something to choose from.");
  return key;
}

/** One of the demo's ten variables of either type. */
function variable(pick: number): string {
  return `${1 + (pick % 2)}/${1 + (Math.floor(pick / 2) % 10)}`;
}

const path = encodeURIComponent;

function isName(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text) && text.trim() === text && text !== "";
}
