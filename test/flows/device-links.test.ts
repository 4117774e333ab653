/** Scenes that devices carry out by themselves: what is written into them, what becomes of it, and who commands whom. */

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { switchByHand } from "../../simulators/zwave/device-acts.ts";
import { dimmerPlan, lockPlan, motionPlan, remotePlan, switchPlan } from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { type RadioServer, serveRadio } from "../support/radio-server.ts";

const [WALL, LAMP, MOTION, REMOTE, LOCK, STUBBORN] = [
  "ZW002_1",
  "ZW003_1",
  "ZW004_307",
  "ZW005_401",
  "ZW006_1",
  "ZW007_1",
] as const;
const LAMP_ID = 3;

let network: SimulatedNetwork;
let server: RadioServer;
let controller: TestController;

beforeAll(async () => {
  network = await createSimulatedNetwork({
    devices: [
      switchPlan({ name: "Wall switch", controls: true }),
      dimmerPlan({ name: "Lamp" }),
      motionPlan({ name: "Motion", controls: true }),
      remotePlan({ name: "Remote", controls: true }),
      lockPlan({ name: "Lock", security: [] }),
      switchPlan({ name: "Stubborn", controls: true, supervision: false }),
    ],
  });
  server = await serveRadio(network);
  controller = await startTestController({ demo: false, zwavePort: server.url });
  await controller.login();
  await knows(controller, LAMP);
  await knows(controller, LOCK);
  await knows(controller, STUBBORN);
  await until(controller, ({ services: { home } }) => ["ZW004_1", "ZW005_1"].every((each) => home.nodes.has(each)));
  for (const name of ["Motion", "Remote"]) await network.device(name).wakeUp();
  await until(controller, ({ services: { home } }) =>
    [MOTION, REMOTE].every((address) => home.nodes.get(address)?.link === "asleep"),
  );
}, 60_000);

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await server.close();
  await network.stop();
});

describe("a scene with a switch that controls it", () => {
  let scene: string;

  test("is written into the switch, which then turns the lamp on without the controller", async () => {
    scene = await createScene(controller, "Hall");
    await add(scene, LAMP);
    await add(scene, WALL, { isController: true });
    expect(await settled(controller, scene, WALL, LAMP)).toEqual({ state: "done", detail: "" });
    expect(network.device("Wall switch").linked()).toEqual([LAMP_ID]);
  });

  test("sends the lamp one command when the switch is pressed, and knows how the lamp is", async () => {
    const lamp = network.device("Lamp");
    lamp.received.length = 0;
    await switchByHand(network.device("Wall switch"), true);
    await until(controller, ({ services: { home } }) => home.nodes.get(LAMP)?.properties.get("ST")?.value === 100);
    const sets = lamp.received.filter(({ command, className }) => command === 1 && SWITCHES.includes(className));
    expect(sets.map(({ className, payload }) => `${className} ${payload}`)).toEqual(["Basic ff"]);
    expect(recentCommands(controller, LAMP)).toEqual([]);
  });

  test("is commanded by the controller again when the link gets a level, and by the switch when it loses it", async () => {
    await patchLink(scene, { node: LAMP, level: 40 });
    await until(controller, () => network.device("Wall switch").linked().length === 0);
    expect(await settled(controller, scene, WALL, LAMP)).toMatchObject({ state: "software" });
    const { edit } = await patchLink(scene, { node: LAMP, type: "default" });
    expect(await settled(controller, scene, WALL, LAMP)).toMatchObject({ state: "done" });
    await send("POST", `/api/edits/${edit}/undo`);
    await until(controller, () => network.device("Wall switch").linked().length === 0);
    await send("POST", "/api/edits/last/undo");
    expect(await settled(controller, scene, WALL, LAMP)).toMatchObject({ state: "done" });
  });

  test("is taken out of the switch when the lamp is disabled or leaves, and when the scene goes", async () => {
    const isEmpty = () => network.device("Wall switch").linked().length === 0;
    await send("PATCH", `/api/nodes/${LAMP}`, { enabled: false });
    await until(controller, isEmpty);
    await send("PATCH", `/api/nodes/${LAMP}`, { enabled: true });
    await until(controller, () => !isEmpty());
    await send("DELETE", `/api/groups/members/${scene}`, { nodeAddress: LAMP });
    await until(controller, isEmpty);
    await send("POST", "/api/edits/last/undo");
    await until(controller, () => !isEmpty());
    await send("DELETE", `/api/nodes/${scene}`, { nodeType: "group" });
    await until(controller, isEmpty);
  });
});

test("an association that the controller did not write is left alone", async () => {
  const wall = network.device("Wall switch");
  wall.values.set(0, 0x85, "members 2", [9]);
  const scene = await createScene(controller, "Foreign");
  await add(scene, LAMP);
  await add(scene, WALL, { isController: true });
  await settled(controller, scene, WALL, LAMP);
  await send("DELETE", `/api/nodes/${scene}`, { nodeType: "group" });
  await until(controller, () => !wall.linked().includes(LAMP_ID));
  expect(wall.linked()).toEqual([9]);
  wall.values.set(0, 0x85, "members 2", []);
});

test("a device that refuses is shown with the reason, and takes the link when it is told again", async () => {
  const stubborn = network.device("Stubborn");
  stubborn.refuses.add("Association");
  const scene = await createScene(controller, "Cellar");
  await add(scene, LAMP);
  await add(scene, STUBBORN, { isController: true });
  const failed = await settled(controller, scene, STUBBORN, LAMP);
  expect(failed).toEqual({ state: "failed", detail: "The device did not take the change." });
  stubborn.refuses.delete("Association");
  await send("POST", `/api/groups/links/${scene}/write`);
  expect(await settled(controller, scene, STUBBORN, LAMP)).toEqual({ state: "done", detail: "" });
  await send("DELETE", `/api/nodes/${scene}`, { nodeType: "group" });
}, 20_000);

test.each([
  ["a button, whose presses go to the controller", REMOTE, LAMP, "The button reports to the controller only."],
  ["a lock", WALL, LOCK, "The responder is not a switch or a dimmer."],
])("the controller carries out the link of %s", async (_what, from, to, detail) => {
  const scene = await createScene(controller, `Software ${from}`);
  await send("POST", `/api/groups/members/${scene}`, { nodeAddress: to });
  await add(scene, from, { isController: true });
  expect(await settled(controller, scene, from, to)).toEqual({ state: "software", detail });
  await send("DELETE", `/api/nodes/${scene}`, { nodeType: "group" });
});

test("a device that sleeps gets its link when it wakes, also from the service after the one that was killed", async () => {
  const left = mkdtempSync(join(tmpdir(), "domovoi-links-"));
  const motion = network.device("Motion");
  await until(controller, () => motion.condition === "asleep");
  const scene = await createScene(controller, "Stairs");
  await add(scene, LAMP);
  await add(scene, MOTION, { isController: true });
  expect(await stateOf(controller, scene, MOTION, LAMP)).toEqual({
    state: "pending",
    detail: "The device sleeps; it is written when it wakes.",
  });
  cpSync(controller.data, left, { recursive: true });
  await controller.stop();
  await using next = await startTestController({ demo: false, zwavePort: server.url }, { data: left });
  await next.login();
  await until(next, ({ services: { home } }) => home.nodes.get(MOTION)?.link === "asleep");
  expect(await stateOf(next, scene, MOTION, LAMP)).toMatchObject({ state: "pending" });
  await motion.wakeUp();
  expect(await settled(next, scene, MOTION, LAMP)).toEqual({ state: "done", detail: "" });
  expect(motion.linked()).toEqual([LAMP_ID]);
  await until(next, () => motion.condition === "asleep");
  await send("DELETE", `/api/groups/members/${scene}`, { nodeAddress: LAMP }, next);
  expect(motion.linked()).toEqual([LAMP_ID]);
  await motion.wakeUp();
  await until(next, () => motion.linked().length === 0);
  rmSync(left, { recursive: true, force: true });
}, 60_000);

const SWITCHES: readonly string[] = ["Basic", "Binary Switch", "Multilevel Switch"];

type State = { readonly state: string; readonly detail: string };
type Links = { readonly data: { readonly groups: readonly { readonly ctl: readonly Block[] }[] } };
type Block = { readonly id: string; readonly links: readonly { readonly node: string; readonly device?: State }[] };

async function stateOf(at: TestController, scene: string, from: string, to: string): Promise<State | null> {
  const [group] = (await at.portal.get(`/api/groups/links/${scene}`)).json<Links>().data.groups;
  const block = group?.ctl.find(({ id }) => id === from);
  return block?.links.find(({ node }) => node === to)?.device ?? null;
}

async function settled(at: TestController, scene: string, from: string, to: string): Promise<State | null> {
  let state = await stateOf(at, scene, from, to);
  while (state?.state === "pending") {
    await moved(at);
    state = await stateOf(at, scene, from, to);
  }
  return state;
}

async function send(
  method: string,
  path: string,
  body: object = {},
  at: TestController = controller,
): Promise<{ data: { address?: string; edit?: number } }> {
  const headers = { ...at.bearer(), "Content-Type": "application/json" };
  const answer = await at.portal.request(method, path, { headers, body: JSON.stringify(body) });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json();
}

async function createScene({ services }: TestController, name: string): Promise<string> {
  await send("POST", "/api/nodes", { name, nodeType: "group" });
  return [...services.home.groups.values()].find((group) => group.name === name)?.address ?? "";
}

function add(scene: string, nodeAddress: string, more: object = {}) {
  return send("POST", `/api/groups/members/${scene}`, { nodeAddress, ...more });
}

async function patchLink(scene: string, link: object): Promise<{ edit: number }> {
  const { data } = await send("PATCH", `/api/groups/links/${scene}`, { controllerAddress: WALL, link });
  return { edit: data.edit ?? 0 };
}

function recentCommands({ services: { queue } }: TestController, node: string) {
  return queue.lives.recent().filter(({ address }) => address === node);
}

const PATIENCE_MS = 15_000;

function knows(at: TestController, address: string): Promise<void> {
  return until(at, ({ services: { home } }) => home.nodes.get(address)?.link === "online");
}

/** Resolves with the next change of the home. */
function moved({ services: { feed } }: TestController): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("Nothing moved.")), PATIENCE_MS);
    const stop = feed.listen(() => {
      clearTimeout(late);
      queueMicrotask(stop);
      resolve();
    });
  });
}

async function until(at: TestController, isSo: (at: TestController) => boolean): Promise<void> {
  while (!isSo(at)) await moved(at);
}
