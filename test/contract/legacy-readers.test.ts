/**
 * The strictest readers of the field, emulated: Python libraries that raise on what they do not find. They load the demo
 * home, an empty one and one with placeholders, and follow a busy day.
 */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Frame, FrameStream } from "../support/frame-stream.ts";
import { tenMinutes } from "./clients/ten-minutes.ts";
import { loadPyIsy } from "./legacy-readers/pyisy.ts";
import type { Get } from "./legacy-readers/python.ts";
import { loadPyx1, readUnknownNode } from "./legacy-readers/pyx1.ts";
import { type Known, nodejsTakes, pyIsyTakes, softconsoleTakes, v5Takes } from "./legacy-readers/stream-rules.ts";
import { loadV5 } from "./legacy-readers/v5.ts";

/** Null for what was not found, as all of them have it; what else is not 200 ends the test. */
const getter = (services: TestController): Get & { readonly asked: string[] } => {
  const asked: string[] = [];
  const get = async (path: string) => {
    asked.push(path);
    const answer = await services.local.get(path);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}.`);
    return answer.text;
  };
  return Object.assign(get, { asked });
};

const subscribe = (services: TestController) =>
  services.subscribe("rest", {
    listener: "local",
    protocols: ["ISYSUB"],
    headers: { ...services.basic(), Origin: "com.universal-devices.websockets.isy" },
  });

const isHeartbeat = ({ control }: Frame) => control === "_0";
const timeOf = ({ event }: Frame) => Date.parse(event.attributes.timestamp ?? "");

/** Documents at which pyisyox 1 raises: it cannot read an empty list, which is the reason for legacyPadding. */
const RAISES = "TypeError: <nodes> of None";

describe.each<[string, Partial<Config>, string | null]>([
  ["the demo home", {}, null],
  ["an empty home", { demo: false }, RAISES],
  ["an empty home with placeholders", { demo: false, legacyPadding: true }, null],
  ["a home of 400 nodes", { demoNodes: 400 }, null],
])("%s", (_name, settings, raised) => {
  let services: TestController;
  beforeAll(async () => {
    services = await startTestController(settings);
  });
  afterAll(() => services[Symbol.asyncDispose]());

  const count = () => {
    const { nodes, groups, folders, programs, variables, networkResources } = services.services.home;
    return {
      nodes: nodes.size,
      groups: groups.size,
      folders: folders.size,
      programs: programs.size,
      variables: variables[1].size + variables[2].size,
      resources: networkResources.size,
    };
  };
  const padded = settings.legacyPadding ? { nodes: 2, groups: 1 } : {};

  test("PyISY loads it in its order, and finds everything", async () => {
    const get = getter(services);
    const loaded = await loadPyIsy(get);
    expect(get.asked[0]).toBe("/rest/config");
    const { nodes, groups, folders, programs, variables, resources } = loaded;
    expect({
      nodes: nodes.size,
      groups: groups.size,
      folders: folders.size,
      programs: programs.size,
      variables: variables.size,
      resources: resources.length,
    }).toEqual({ ...count(), ...padded });
    expect(loaded.uuid).toBe(services.services.home.controller.uuid);
  });

  test("ISY994v5 has every request of its sequence answered", async () => {
    const { nodes, groups, programs, variables } = { ...count(), ...padded };
    expect(await loadV5(getter(services))).toEqual({ devices: nodes, scenes: groups, programs, variables });
  });

  test(`pyisyox 1 loads ${raised ? "nothing, by its own fault" : "all of it"}`, async () => {
    const outcome = await loadPyx1(getter(services)).then(
      (lists) => Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, list.length])),
      (error: Error) => error.message,
    );
    expect(outcome).toEqual(raised ?? { ...count(), ...padded });
  });
});

describe("a busy day", () => {
  let services: TestController;
  let stream: FrameStream;
  let known: Known;

  beforeAll(async () => {
    services = await startTestController();
    const { home } = services.services;
    known = { groups: new Set([...home.groups.keys(), home.controller.uuid]), folders: new Set(home.folders.keys()) };
    stream = await subscribe(services);
    await stream.next(isHeartbeat);
  });

  afterAll(async () => {
    await stream.close();
    await services[Symbol.asyncDispose]();
  });

  test("PyISY takes an ST event into the node that it loaded", async () => {
    const { nodes } = await loadPyIsy(getter(services));
    expect(nodes.get("1A 2B 3C 1")?.states.get("ST")).toBe(0);
    services.services.drivers.of("virtual").simulation?.act("1A 2B 3C 1", "DFON", null);
    const frame = await stream.next(({ control, node }) => control === "ST" && node === "1A 2B 3C 1");
    expect(pyIsyTakes(frame, known)).toEqual({ node: "1A 2B 3C 1", value: 255 });
  });

  test("everything that these clients send is answered 200", async () => {
    const answers: string[] = [];
    for (const path of DAY) {
      const { status } = await services.local.get(path);
      if (status !== 200) answers.push(`${path} was answered ${status}`);
      await services.clock.advance(500);
    }
    expect(answers).toEqual([]);
    const beat = stream.next(isHeartbeat);
    await services.clock.advance(20_000);
    await beat;
  });

  test.each(["_1", "_3", "_5", "ST", "OL", "CLISPH", "DFON", "_0"])("the day had %s events", (control) => {
    expect(stream.frames.some((frame) => frame.control === control)).toBe(true);
  });

  test("PyISY (emulated) raises on none of its frames", () => {
    for (const frame of stream.frames) pyIsyTakes(frame, known);
  });

  test("ISY994v5 (emulated) drops none of them", () => {
    for (const frame of stream.frames) v5Takes(frame);
  });

  test("isy-nodejs's rule holds for all of them: properties have a unit, system events have none", () => {
    const { nodes } = services.services.home;
    for (const frame of stream.frames)
      nodejsTakes(frame, nodes.get(frame.node)?.properties.has(frame.control) ?? false);
  });

  test("softconsole (emulated) sees one subscription, without a gap", () => {
    softconsoleTakes(stream.frames);
  });

  test("pyisyox 1 (emulated) can ask for every node of an event", async () => {
    const get = getter(services);
    const nodes = new Set(stream.frames.filter(({ control }) => /^[A-Z]/.test(control)).map(({ node }) => node));
    expect(nodes.size).toBeGreaterThan(50);
    for (const node of nodes) await readUnknownNode(get, node);
  });

  test("ten minutes without a reason to come again", async () => {
    const since = stream.frames.length;
    await tenMinutes(services, () => stream.next(isHeartbeat));
    expect(stream.socket.readyState).toBe(stream.socket.OPEN);
    const beats = stream.frames.slice(since).filter(isHeartbeat);
    expect(beats).toHaveLength(30);
    const gaps = beats.slice(1).map((beat, index) => timeOf(beat) - timeOf(beats[index] ?? beat));
    const promised = Number(beats[0]?.action) * 1000;
    // PyISY allows the interval of the last heartbeat; ISY994v5 allows 30 s between any two text frames.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(Math.min(promised, 25_000));
  });
});

/** Spelled as PyISY, ISY994v5, isylib and their like spell it. */
const DAY = [
  "/rest/nodes/1A%202F%2090%201/cmd/DON/128",
  "/rest/nodes/1A%202F%2090%201/cmd/DON/50/51",
  "/rest/nodes/1A%202F%2090%201/cmd/BRT",
  "/rest/nodes/1A%202F%2090%201/cmd/DIM/",
  "/rest/nodes/1A%202F%2090%201/cmd/DFON",
  "/rest/nodes/1A%202F%2090%201/cmd/DOF/()",
  "/rest/nodes/1A%202F%2090%201/cmd/DON/(128,)",
  "/rest/nodes/1A%202F%2090%201/cmd/OL/200",
  "/rest/nodes/1A%202F%2090%201/set/RR/25",
  "/rest/nodes/1A%202F%2090%201/cmd/BEEP",
  "/rest/nodes/1A%202F%2090%201/cmd/BL/50/51",
  "/rest/nodes/1E%204%20A0%201/cmd/BL/50/25",
  "/rest/nodes/21%200%206D%202/cmd/DON/191",
  "/rest/nodes/15%20E%2020%201/cmd/CLISPH/140/101",
  "/rest/nodes/15%20E%2020%201/cmd/CLIMD/1/98",
  "/rest/nodes/15%20E%2020%201/cmd/CLIFS/7/99",
  "/rest/nodes/ZW010_1/cmd/SECMD/0",
  "/rest/nodes/ZW010_1/cmd/SECMD/1",
  "/rest/nodes/ZW002_1/cmd/DON/40/51",
  "/rest/nodes/ZY003_1/cmd/DON",
  "/rest/nodes/n021_zone1/cmd/DON",
  "/rest/nodes/31001/cmd/DON",
  "/rest/nodes/31004/cmd/DOF",
  "/rest/nodes/1A%2060%20A%201/disable",
  "/rest/nodes/1A%2060%20A%201/enable",
  "/rest/nodes/1A%2060%20A%201/change?name=Porch%20%26%20Gate",
  "/rest/nodes/1A%2060%20A%201/get/ST",
  "/rest/status/1A%2060%20A%201",
  "/rest/query/1A%2060%20A%201",
  "/rest/query",
  "/rest/programs/000F/runThen",
  "/rest/programs/000f/disable",
  "/rest/programs/000F/enable",
  "/rest/programs/000F/enableRunAtStartup",
  "/rest/vars/set/2/4/21",
  "/rest//rest/vars/set/2/4/22/",
  "/rest/vars/set/2/4/23.0",
  "/rest/vars/init/2/4/7",
  "/rest/vars/get/2/4",
  "/rest/batch/on",
  "/rest/batch/off",
  "/rest/batteryPoweredWrites/on",
  "/rest/zwave/node/ZW002_1/config/query/1",
  "/rest/zwave/node/ZY003_1/config/query/1",
  "/rest/ping",
  "/rest/time",
  "/rest/sys",
  "/rest/network",
  "/rest/subscriptions",
];
