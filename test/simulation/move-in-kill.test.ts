import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import * as kinds from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { OWNER } from "../support/controller.ts";
import { serveRadio } from "../support/radio-server.ts";
import { RadioServices } from "../support/radio-services.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { MOVE_KILLS, SEED } from "./effort.ts";
import { killMoves, type MoveReport, tableOf, withoutDrivers } from "./move-in-kills.ts";

const SECONDS_A_KILL = 60;
const MS = MOVE_KILLS * 5 * SECONDS_A_KILL * 1000;
const DEVICES = [kinds.switchPlan(), kinds.dimmerPlan(), kinds.meterPlugPlan()];
const NODES = 4;
const PROGRAM = "Program 'Dawn'\n\nIf\n    Time is sunrise\n\nThen\n    Set 'Porch' DOF\n";
const HOMES = join(import.meta.dirname, "../fixtures/homes");

function say({ kills, done, repeated, tables, wrong }: MoveReport): void {
  const sizes = Object.entries(tables).map(([when, { nodes, scenes, programs }]) => {
    return `${when}: ${nodes.length} nodes, ${scenes.length} scenes, ${programs.length} programs`;
  });
  console.info(`${kills} kills (seed ${SEED}), ${done} steps done, ${repeated} taken again; ${wrong.length} wrong`);
  console.info(sizes.join("; "));
}

test(`a home moves from a controller with an adapter; each step is ended ${MOVE_KILLS} times by kill -9`, {
  timeout: MS,
}, async () => {
  await using original = await RadioServices.open(DEVICES, {}, { clock: new VirtualClock(Date.now()) });
  const { portal, services } = original.controller;
  const online = () => [...services.home.nodes.values()].filter(({ link }) => link === "online").length;
  await vi.waitFor(() => expect(online()).toBe(NODES), { timeout: MS });
  await portal.post("/api/nodes/ZW003_1", { name: "Porch", nodeType: "node" });
  await portal.post("/api/nodes", { name: "Evening", nodeType: "group" });
  const [scene] = [...services.home.groups.values()].filter(({ name }) => name === "Evening");
  const member = { nodeAddress: "ZW003_1", isController: false };
  expect((await portal.post(`/api/groups/members/${scene?.address}`, member)).status).toBe(200);
  expect((await portal.post("/api/programs/text", { text: PROGRAM })).json()).toMatchObject({ successful: true });
  const network = await createSimulatedNetwork({ devices: DEVICES });
  const radio = await serveRadio(network);

  const report = await killMoves({
    data: join(temporaryDirectory(), "home"),
    copy: ["move-in", portal.url, "--user", OWNER.username, "--insecure"],
    env: { DOMOVOI_PASSWORD: OWNER.password, DOMOVOI_CONTROLLERS: join(temporaryDirectory(), "none.json") },
    // Also the one that every new home has.
    enabled: 2,
    adapter: { port: radio.url, nodes: NODES },
    kills: MOVE_KILLS,
    seed: SEED,
  });
  say(report);
  const { copied, taken } = report.tables;
  const before = tableOf(services.home);
  expect(report.wrong).toEqual([]);
  expect([copied.nodes.length, copied.scenes.length]).toEqual([before.nodes.length, before.scenes.length]);
  expect(withoutDrivers({ ...before, programs: [] })).toBe(withoutDrivers({ ...copied, programs: [] }));
  expect(withoutDrivers(taken)).toBe(withoutDrivers(copied));
  await radio.close();
  await network.stop();
});

test(`a home moves from saved answers; each step is ended ${MOVE_KILLS} times by kill -9`, {
  timeout: MS,
}, async () => {
  const files = join(HOMES, "wired");
  const { data } = JSON.parse(readFileSync(join(files, "api-programs.json"), "utf8")) as {
    readonly data: readonly { readonly enabled?: boolean }[];
  };
  const report = await killMoves({
    data: join(temporaryDirectory(), "home"),
    copy: ["move-in", "--from-files", files],
    enabled: data.filter(({ enabled }) => enabled).length,
    adapter: null,
    kills: MOVE_KILLS,
    seed: SEED,
  });
  say(report);
  expect(report.wrong).toEqual([]);
  expect(report.tables.copied.nodes.length).toBeGreaterThan(0);
  expect(report.tables.finished.nodes).toEqual(report.tables.copied.nodes);
});
