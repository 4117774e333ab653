/**
 * The way in from a Home Assistant: a plan that changes nothing, one edit that can be undone, and a report that says of every line what
 * became of it. The expected report and programs are in test/fixtures/way-in.
 */

import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { WayIn, WayInLine } from "../../client/src/index.ts";
import type { SimulatedHomeAssistant } from "../../simulators/homeassistant/simulated-home-assistant.ts";
import { findProgram, hexId, type Program } from "../../src/home/programs.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { pass } from "../support/passing-time.ts";
import { automation, startWayInHome } from "../support/way-in-home.ts";

const CHOICE = {
  alias: "Choice",
  triggers: [{ trigger: "state", entity_id: "binary_sensor.motion", to: "on" }],
  actions: [
    {
      if: [{ condition: "state", entity_id: "input_boolean.away", state: "on" }],
      then: [{ action: "light.turn_on", target: { entity_id: "light.sofa" }, data: { brightness_pct: 10 } }],
      else: [{ action: "switch.turn_on", target: { entity_id: "switch.pump" } }],
    },
  ],
};
const PATH = "/api/move-in/from/homeassistant";
type Answer = {
  readonly data: WayIn;
  readonly findings: readonly { readonly code: string; readonly severity: string }[];
};
type Made = { readonly data: { readonly edit: number | null; readonly plan: WayIn } };

let controller: TestController;
let simulated: SimulatedHomeAssistant;

async function open(): Promise<void> {
  simulated = await startWayInHome();
  controller = await startTestController();
  await controller.login();
}

async function close(): Promise<void> {
  await controller[Symbol.asyncDispose]();
  await simulated.stop();
}

const nodes = () => [...controller.services.home.nodes.values()].filter(({ driver }) => driver === "homeassistant");
const plan = async () => (await controller.portal.get(PATH)).json<Answer>();
const carryOut = async (digest?: string) => controller.portal.post(PATH, digest === undefined ? {} : { digest });

async function connect(): Promise<void> {
  const settings = { url: simulated.url, token: "token 1" };
  await controller.portal.post("/api/integrations", { type: "homeassistant", name: "Home Assistant", settings });
  await vi.waitUntil(() => nodes().length === 12, { timeout: 20_000 });
  await vi.waitUntil(() => controller.services.integrations.find("homeassistant").state === "ready");
}

async function addChannel(): Promise<void> {
  const settings = { url: "https://ntfy.example.org/home" };
  const answer = await controller.portal.post("/api/integrations", {
    type: "ntfy",
    name: "phone",
    settings,
    enabled: true,
  });
  expect(answer.status).toBe(200);
}

const expected = (name: string) => readFileSync(new URL(`../fixtures/way-in/${name}`, import.meta.url), "utf8");

function lineText({ at, text, fate, becomes, notes }: WayInLine): string {
  const said = [...becomes.map((line) => `    → ${line}`), ...notes.map(({ sentence }) => `    ${fate}: ${sentence}`)];
  return [`  ${at} ${text}`.trimEnd(), ...said].join("\n");
}

function reportText({ scenes, automations }: WayIn): string {
  const all = [
    ...scenes.map(({ name, state, lines }) => [`Scene ${name}: ${state}`, ...lines.map(lineText)]),
    ...automations.map(({ name, verdict, programs, lines }) => [
      `${name}: ${verdict} ${programs.map((each) => `${each.part} "${each.name}"`).join(", ")}`.trimEnd(),
      ...lines.map(lineText),
    ]),
  ];
  return `${all.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function imported(): readonly Program[] {
  return [...controller.services.home.programs.values()].filter(
    (each): each is Program => each.kind === "program" && each.comment.startsWith("Home Assistant, "),
  );
}

async function textOf(id: string): Promise<string> {
  return (await controller.portal.get(`/api/programs/${id}/text`)).json<{ data: { text: string } }>().data.text;
}

/** What an owner has made, without values and runs. */
function homeText(): string {
  const { folders, groups, programs } = controller.services.home;
  const placed = nodes().map(({ address, name, parent }) => ({ address, name, parent }));
  const listed = [...programs.values()].map(({ id, name, parentId }) => ({ id, name, parentId }));
  return JSON.stringify([[...folders.values()], [...groups.values()], placed, listed], null, 1);
}

describe("the plan", () => {
  beforeEach(open);
  afterEach(close);

  test("says of every line of the fifteen kinds what becomes of it, and changes nothing", async () => {
    await connect();
    await addChannel();
    const before = homeText();
    const { data, findings } = await plan();
    expect(reportText(data)).toBe(expected("report.txt"));
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(data.problems).toEqual([]);
    expect(homeText()).toBe(before);
  });

  test("names what to switch off there: what runs there and comes over", async () => {
    await connect();
    simulated.set("automation.k02_dusk", "off");
    await expect.poll(async () => (await plan()).data.switchOff).not.toContain("automation.k02_dusk");
    const { switchOff } = (await plan()).data;
    expect(switchOff).toContain("automation.k01_motion");
    expect(switchOff).not.toContain("automation.k14_wait");
    expect(switchOff).not.toContain("script.bedtime");
  });

  test("without a token of an administrator there are rooms, and the reason why there is nothing else", async () => {
    simulated.isAdmin = false;
    await connect();
    const { data } = await plan();
    expect(data.problems.map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining("The token is not one of an administrator"),
    ]);
    expect([data.scenes, data.automations]).toEqual([[], []]);
    expect(data.folders.map(({ path }) => path.join(" / "))).toContain("Ground Floor / Entrance");
  });

  test("an integration that is not connected, or has nothing to move in from, is named as that", async () => {
    expect((await controller.portal.get("/api/move-in/from/demo")).status).toBe(404);
    await connect();
    await controller.portal.post("/api/integrations/homeassistant/stop", {});
    const answer = await controller.portal.get(PATH);
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining("Home Assistant is not connected.")]);
    expect((await controller.portal.get("/api/move-in/from")).json()).toMatchObject({
      data: [{ id: "homeassistant", system: "Home Assistant" }],
    });
  });
});

describe("carried out", () => {
  beforeEach(open);
  afterEach(close);

  test("programs come disabled, in a folder of their own, with the mark of their automation, and exactly so", async () => {
    await connect();
    await addChannel();
    const { digest } = (await plan()).data;
    expect((await carryOut(digest)).status).toBe(200);
    const programs = imported();
    expect(programs.filter(({ enabled }) => enabled)).toEqual([]);
    expect(programs.filter(({ invalid }) => invalid !== null)).toEqual([]);
    const folder = findProgram(controller.services.home, programs[0]?.parentId ?? 0);
    expect(folder?.name).toBe("From Home Assistant");
    const texts = await Promise.all(programs.map(({ id }) => textOf(hexId(id))));
    expect(texts.join("\n").replaceAll(/ \[[^\]]*\]/g, "")).toBe(expected("programs.txt"));
  });

  test("floors hold areas, scenes hold levels, and what its owner has moved stays where it is", async () => {
    await connect();
    const { home } = controller.services;
    const lamp = nodes().find(({ name }) => name === "Sofa Lamp")?.address ?? "";
    const { address = "" } = [...home.folders.values()].find(({ name }) => name === "Kitchen") ?? {};
    await controller.portal.request("PATCH", `/api/nodes/${lamp}`, {
      headers: { ...controller.bearer(), "Content-Type": "application/json" },
      body: Buffer.from(JSON.stringify({ parentAddress: address })),
    });
    await carryOut();
    const folder = (name: string) => [...home.folders.values()].find((each) => each.name === name);
    expect(folder("Entrance")?.parent?.address).toBe(folder("Ground Floor")?.address);
    expect(home.nodes.get(lamp)?.parent?.address).toBe(address);
    const dinner = [...home.groups.values()].find(({ name }) => name === "Dinner");
    expect(dinner?.parent?.address).toBe(folder("Lounge")?.address);
    expect(
      dinner?.blocks[0]?.links.map((link) => [
        home.nodes.get(link.node)?.name,
        "parameters" in link && link.parameters[0]?.value,
      ]),
    ).toEqual([
      ["Hall Lamp", 40],
      ["Sofa Lamp", 50],
      ["Lounge Blind", undefined],
    ]);
  });

  test("all of it is one edit, which is undone as a whole", async () => {
    await connect();
    const before = homeText();
    const { edit } = (await carryOut()).json<Made>().data;
    expect(homeText()).not.toBe(before);
    expect((await controller.portal.post(`/api/edits/${edit}/undo`, {})).status).toBe(200);
    expect(homeText()).toBe(before);
  });

  test("a second time adds nothing, and says what is here; a renamed program is known again", async () => {
    await connect();
    await carryOut();
    const [first] = imported();
    await controller.portal.post(`/api/programs/${hexId(first?.id ?? 0)}`, { name: "Corridor" });
    const before = homeText();
    const { edit, plan: again } = (await carryOut()).json<Made>().data;
    expect(edit).toBeNull();
    expect(homeText()).toBe(before);
    expect([...again.scenes, ...again.folders, ...again.nodes].map(({ state }) => state)).not.toContain("new");
    const made = again.automations.filter(({ programs }) => programs.length > 0);
    expect(made.length).toBeGreaterThan(10);
    expect(made.filter(({ state }) => state !== "there")).toEqual([]);
  });

  test("only the plan that was seen is carried out", async () => {
    await connect();
    const { digest } = (await plan()).data;
    automation(simulated, "k99_later", {
      triggers: [{ trigger: "time", at: "07:00" }],
      actions: [{ action: "light.turn_on", target: { entity_id: "light.hall" } }],
    });
    await expect.poll(async () => (await plan()).data.digest).not.toBe(digest);
    const answer = await carryOut(digest);
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("Look at the new plan.")]);
    expect(imported()).toEqual([]);
  });
});

describe("the programs do what the automations did", () => {
  const calls = (entity: string) =>
    simulated.calls.filter((call) => call.entity === entity).map(({ service, data }) => ({ service, ...data }));
  const enable = async (...names: readonly string[]) => {
    for (const { id, name } of imported())
      if (names.includes(name)) await controller.portal.post(`/api/programs/${hexId(id)}`, { enabled: true });
  };
  const disable = async (...names: readonly string[]) => {
    for (const { id, name } of imported())
      if (names.includes(name)) await controller.portal.post(`/api/programs/${hexId(id)}`, { enabled: false });
  };
  const motion = async (state: string) => {
    simulated.set("binary_sensor.motion", state);
    await pass(controller.clock, 1000);
  };

  beforeAll(async () => {
    await open();
    automation(simulated, "k97_choice", CHOICE);
    await connect();
    await carryOut();
  });
  afterAll(close);

  test("a light by motion goes off two minutes after the last motion, counted anew", async () => {
    await enable("Hall light by motion");
    await motion("on");
    await expect.poll(() => calls("light.hall")).toEqual([{ service: "turn_on" }]);
    await motion("off");
    await pass(controller.clock, 100_000);
    await motion("on");
    await motion("off");
    await pass(controller.clock, 100_000);
    expect(calls("light.hall").some(({ service }) => service === "turn_off")).toBe(false);
    await pass(controller.clock, 25_000);
    await expect.poll(() => calls("light.hall").at(-1)).toEqual({ service: "turn_off" });
  });

  test("of a choice the first that fits is done, when the trigger comes and not when its condition changes", async () => {
    await enable("Choice");
    await motion("on");
    await expect.poll(() => calls("switch.pump").length).toBe(1);
    await motion("off");
    simulated.set("input_boolean.away", "on");
    await pass(controller.clock, 1000);
    expect(calls("light.sofa")).toEqual([]);
    await motion("on");
    await expect.poll(() => calls("light.sofa")).toEqual([{ service: "turn_on", brightness: 25 }]);
    expect(calls("switch.pump").length).toBe(1);
    simulated.set("input_boolean.away", "off");
    await motion("off");
    await disable("Choice", "Hall light by motion");
  });
});

describe("hostile configurations", () => {
  beforeEach(open);
  afterEach(close);

  test("names with line breaks, a template of a megabyte and deep nesting are cut, told and undone", async () => {
    const deep = Array.from({ length: 55 }).reduce<unknown>((inside) => ({ condition: "and", conditions: [inside] }), {
      condition: "state",
    });
    const act = [{ action: "light.turn_on", target: { entity_id: "light.hall" } }];
    const at = { trigger: "time", at: "07:00" };
    automation(simulated, "h1", { alias: "Line one\nEnabled yes\n\u202eend", triggers: [at], actions: act });
    automation(simulated, "h2", {
      alias: "big",
      triggers: [at],
      conditions: `{{ ${"x".repeat(1_000_000)} }}`,
      actions: act,
    });
    automation(simulated, "h3", { alias: "deep", triggers: [at], conditions: [deep], actions: act });
    automation(simulated, "h4", { alias: "odd", triggers: 7, conditions: null, actions: { choose: [[], 3] } });
    automation(simulated, "h5", { alias: "many", triggers: [at], actions: Array.from({ length: 5000 }, () => act[0]) });
    simulated.areas.push({ area_id: "odd", name: "Odd\nroom", floor_id: "none", labels: [] });
    await connect();
    const { data } = await plan();
    const find = (id: string) => data.automations.find((each) => each.id === `automation.${id}`);
    expect(find("h1")?.verdict).toBe("exact");
    expect(find("h1")?.programs[0]?.name).not.toMatch(/[\n\u202e]/);
    expect(["h2", "h4"].map((id) => find(id)?.verdict)).toEqual(["none", "none"]);
    expect(data.problems.map(({ sentence }) => sentence)).toEqual([
      "automation.h3 could not be read: Its answer nests too deep, or is no JSON.",
    ]);
    expect(JSON.stringify(data).length).toBeLessThan(400_000);
    const { edit } = (await carryOut()).json<Made>().data;
    expect(imported().some(({ enabled }) => enabled)).toBe(false);
    expect((await controller.portal.post(`/api/edits/${edit}/undo`, {})).status).toBe(200);
  });
});
