import { once } from "node:events";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Change } from "../../src/home/change.ts";
import { describeProperty } from "../../src/profile/format.ts";
import { statusByte } from "../../src/wire/program-status.ts";
import { program } from "../support/programs.ts";
import {
  level,
  nodeRecord,
  openStreamServices,
  type Reader,
  readEvent,
  START_MS,
  type StreamEvent,
  type StreamServices,
} from "./services.ts";

const RUNS = 25;
const STEPS = 400;
const NODES = ["AA 1 1 1", "AA 1 1 2", "BB 1 1 1", "n001_x"];
const PROPERTIES = ["ST", "OL", "RR", "GV1"];

/** A client of one stream that stores its events: names, switches, values, variables, programs. */
class Mirror {
  readonly nodes = new Map<string, { name: string; enabled: string; lost: boolean }>();
  readonly values = new Map<string, string>();
  readonly variables = new Map<string, string>();
  status = "";
  /** Pressed buttons: each is published once, and never in a replay. */
  presses = 0;
  #read = 0;
  #expected = 0;

  /** Another stream begins: values come again, the tree is kept. */
  reconnected(): void {
    this.#read = this.#expected = 0;
    this.values.clear();
    for (const node of this.nodes.values()) node.lost = false;
  }

  follow(reader: Reader): void {
    const documents = reader.documents();
    for (; this.#read < documents.length; this.#read += 1) {
      const event = readEvent(documents[this.#read] ?? "");
      expect(event.seqnum).toBe(this.#expected++);
      this.#take(event);
    }
  }

  #take(event: StreamEvent): void {
    const { control, action, info } = event;
    if (control === "_3") this.#takeLifecycle(event);
    else if (control === "_1" && action === "6") this.variables.set("value", /<val>(.*)<\/val>/.exec(info)?.[1] ?? "");
    else if (control === "_1" && action === "7") this.variables.set("init", /<init>(.*)<\/init>/.exec(info)?.[1] ?? "");
    else if (control === "_1" && action === "0") this.status = /<s>(.*)<\/s>/.exec(info)?.[1] ?? "";
    else if (control === "DON") this.presses += 1;
    else if (!control.startsWith("_")) this.#takeValue(event);
  }

  #takeValue({ control, action, uom, prec, node, fmtAct }: StreamEvent): void {
    if (!this.nodes.has(node)) throw new Error("A value of a node that was never announced.");
    const key = `${node}/${control}`;
    if (action === "") this.values.delete(key);
    else this.values.set(key, `${action} ${uom} ${prec} ${fmtAct}`);
  }

  #takeLifecycle({ action, node, info }: StreamEvent): void {
    const known = this.nodes.get(node);
    const name = /<(?:name|newName)>(.*)<\/(?:name|newName)>/.exec(info)?.[1] ?? "";
    if (action === "ND") this.nodes.set(node, { name, enabled: "true", lost: false });
    if (action === "NR") {
      this.nodes.delete(node);
      for (const key of [...this.values.keys()]) if (key.startsWith(`${node}/`)) this.values.delete(key);
    }
    if (action === "NN" && known) known.name = name;
    if (action === "EN" && known) known.enabled = /<enabled>(.*)<\/enabled>/.exec(info)?.[1] ?? "";
    if ((action === "NE" || action === "CE") && known) known.lost = action === "NE";
  }
}

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("report" as const),
      node: fc.nat(3),
      property: fc.nat(3),
      value: fc.option(fc.integer({ min: -5, max: 300 })),
      uom: fc.constantFrom(0, 17, 51, 100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("press" as const), node: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("rename" as const),
      node: fc.nat(3),
      name: fc.stringMatching(/^[a-z ]{1,12}$/),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("enable" as const), node: fc.nat(3), enabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("link" as const), node: fc.nat(3), lost: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replace" as const), node: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("variable" as const), value: fc.integer() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("init" as const), value: fc.integer() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("run" as const),
      status: fc.boolean(),
      running: fc.constantFrom("idle" as const, "then" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pause" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reconnect" as const), api: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const addressOf = (index: number) => NODES[index] ?? "";

async function furnished(): Promise<StreamServices> {
  const services = await openStreamServices();
  for (const address of NODES) services.commit({ type: "node-added", node: nodeRecord(address) });
  services.commit({
    type: "variable-added",
    variable: { type: 1, id: 1, name: "v", value: 0, init: 0, prec: 0, writtenAtMs: START_MS },
  });
  services.commit({ type: "program-added", program: program(2) });
  return services;
}

type Doing = Exclude<Step, { do: "pause" | "reconnect" }>;

function change(services: StreamServices, now: Doing): void {
  for (const each of changesOf(services, now)) services.commit(each);
}

function changesOf({ home }: StreamServices, now: Doing): readonly Change[] {
  switch (now.do) {
    case "report": {
      const id = PROPERTIES[now.property] ?? "";
      return [
        {
          type: "property-changed",
          address: addressOf(now.node),
          property: level(now.value, { id, uom: now.uom }),
        },
      ];
    }
    case "press":
      return [{ type: "control-sent", address: addressOf(now.node), control: "DON", value: 1 }];
    case "rename":
      return [{ type: "node-renamed", address: addressOf(now.node), name: now.name }];
    case "enable":
      return [{ type: "node-enabled", address: addressOf(now.node), enabled: now.enabled }];
    case "link": {
      const before = home.nodes.get(addressOf(now.node))?.link ?? "unknown";
      return [
        {
          type: "node-link-changed",
          address: addressOf(now.node),
          link: now.lost ? "unreachable" : "online",
          before,
        },
      ];
    }
    case "replace":
      return [
        { type: "node-removed", address: addressOf(now.node) },
        { type: "node-added", node: nodeRecord(addressOf(now.node)) },
      ];
    case "variable":
      return [
        {
          type: "variable-written",
          variableType: 1,
          id: 1,
          value: now.value,
          before: 0,
          writtenAtMs: START_MS,
        },
      ];
    case "init":
      return [{ type: "variable-init-written", variableType: 1, id: 1, init: now.value }];
    case "run":
      return [{ type: "program-ran", id: 2, run: { status: now.status, running: now.running } }];
  }
}

/** The state of a client that received everything. */
function truth({ home, profile }: StreamServices) {
  const nodes = [...home.nodes.values()].map(({ address, name, enabled, link }) => [
    address,
    { name, enabled: String(enabled), lost: link === "unreachable" },
  ]);
  const values = [...home.nodes.values()].flatMap((node) =>
    [...node.properties.values()]
      .filter(({ value }) => value !== null)
      .map((property) => {
        const { formatted } = describeProperty(profile, node, property);
        return [
          `${node.address}/${property.id}`,
          `${property.value} ${property.uom || 56} ${property.prec} ${formatted}`,
        ];
      }),
  );
  const variable = home.variables[1].get(1);
  const program = home.programs.get(2);
  return {
    nodes: Object.fromEntries(nodes),
    values: Object.fromEntries(values),
    value: String(variable?.value),
    init: String(variable?.init),
    status: program ? statusByte(program) : "",
  };
}

const held = (mirror: Mirror) => ({
  nodes: Object.fromEntries(mirror.nodes),
  values: Object.fromEntries(mirror.values),
  value: mirror.variables.get("value"),
  init: mirror.variables.get("init"),
  status: mirror.status,
});

let services: StreamServices | undefined;
afterAll(() => services?.close());

test(`a client that follows only the stream holds the home's state after ${RUNS * STEPS} steps with reconnects`, async () => {
  services = await furnished();
  const living = services;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const mirror = new Mirror();
      for (const node of living.home.nodes.values()) {
        mirror.nodes.set(node.address, { name: node.name, enabled: String(node.enabled), lost: false });
      }
      let reader = await living.follow().untilReplayed();
      for (const now of steps) {
        if (now.do === "pause") await turn();
        else if (now.do !== "reconnect") change(living, now);
        else {
          // The whole tree is published before the client disconnects; values may change while it is away.
          await settle(living, reader, mirror);
          reader.ws.terminate();
          reader = living.follow(now.api ? "/api/events/subscribe" : "/rest/subscribe");
          mirror.reconnected();
          for (let value = 0; value < 50; value += 1) {
            change(living, { do: "report", node: value % 4, property: value % 3, value, uom: 51 });
            if (value % 3 === 0) await turn();
          }
          await once(reader.ws, "message");
        }
      }
      await settle(living, reader, mirror);
      expect(held(mirror)).toEqual(truth(living));
      expect(mirror.presses).toBe(steps.filter((now) => now.do === "press").length);
      reader.ws.terminate();
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 60_000);

/** A mark that nothing else makes, and its arrival at the client. */
async function settle(living: StreamServices, reader: Reader, mirror: Mirror): Promise<void> {
  change(living, { do: "variable", value: living.feed.lastSeq * 10_000_000 });
  const mark = `<val>${living.home.variables[1].get(1)?.value}</val>`;
  await reader.until(() => reader.messages.at(-1)?.includes(mark) === true);
  mirror.follow(reader);
}
