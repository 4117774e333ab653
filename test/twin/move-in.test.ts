/** A home moves from a controller with a radio to its copy, which gets a radio with the same devices; every step is taken back once. */

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as kinds from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { beginMoveIn } from "../../src/twin/begin-move-in.ts";
import { fetchOriginal } from "../../src/twin/fetch-original.ts";
import { moveInCheckList } from "../../src/twin/move-in-check-list.ts";
import type { TestController } from "../support/controller.ts";
import { type RadioServer, serveRadio } from "../support/radio-server.ts";
import { RadioServices } from "../support/radio-services.ts";
import { type RunningTwin, startTwin } from "../support/twin.ts";

const DEVICES = [kinds.switchPlan(), kinds.dimmerPlan(), kinds.meterPlugPlan()];
/** The types of all nodes together: the plug has a meter beside its switch. */
const NODES = 4;
const LAMP = "ZW003_1";
const MS = 60_000;
const CHARS_MAX = 10_000_000;
const PROGRAM = "Program 'Dawn'\n\nIf\n    Time is sunrise\n\nThen\n    Set 'Porch' DOF\n";

type Status = {
  readonly programsWait: boolean;
  readonly integrations: readonly { readonly id: string; readonly state: string; readonly offers: number }[];
  readonly played: readonly { readonly address: string; readonly offeredBy: readonly string[] }[];
  readonly steps: readonly { readonly edit: number }[];
};

let original: RadioServices;
let network: SimulatedNetwork;
let radio: RadioServer;
let copy: RunningTwin;
let here: TestController;

const nodes = ({ services }: TestController) => [...services.home.nodes.values()];
/** The things that an owner would miss: every node with its name and place, every scene, every program. */
const belongings = (controller: TestController) => ({
  nodes: nodes(controller).map(({ address, name, parent }) => ({ address, name, parent })),
  scenes: [...controller.services.home.groups.values()].map(({ address, name, members }) => ({
    address,
    name,
    members,
  })),
  programs: [...controller.services.home.programs.values()].map(({ id, name }) => `${id} ${name}`).toSorted(),
});
const drivers = () => nodes(here).map(({ driver }) => driver);
const status = async () => (await here.portal.get("/api/move-in")).json<{ data: Status }>().data;
const post = (path: string, body?: object) => here.portal.post(path, body);
const ready = ({ services }: TestController, driver: string) =>
  vi.waitFor(() => expect(services.drivers.declared(driver).size).toBe(NODES), {
    timeout: MS,
    interval: 50,
  });
const enabledPrograms = () =>
  [...here.services.home.programs.values()].filter((entry) => entry.kind === "program" && entry.enabled).length;

beforeAll(async () => {
  original = await RadioServices.open(DEVICES);
  const { portal, services } = original.controller;
  const online = () => [...services.home.nodes.values()].filter(({ link }) => link === "online").length;
  await vi.waitFor(() => expect(online()).toBe(NODES), { timeout: MS });
  await portal.post(`/api/nodes/${LAMP}`, { name: "Porch", nodeType: "node" });
  await portal.post("/api/nodes", { name: "Evening", nodeType: "group" });
  const [scene] = [...services.home.groups.values()].filter(({ name }) => name === "Evening");
  const member = { nodeAddress: LAMP, isController: false };
  expect((await portal.post(`/api/groups/members/${scene?.address}`, member)).status).toBe(200);
  expect((await portal.post("/api/programs/text", { text: PROGRAM })).json()).toMatchObject({ successful: true });
  const fetch = async (path: string) => {
    const answer = await portal.get(path);
    return answer.status === 200 ? answer.text : null;
  };
  copy = await startTwin(await fetchOriginal(fetch, CHARS_MAX, () => {}));
  here = copy.twin;
  await beginMoveIn(here.services);
  network = await createSimulatedNetwork({ devices: DEVICES });
  radio = await serveRadio(network);
}, 2 * MS);

afterAll(async () => {
  await copy?.[Symbol.asyncDispose]();
  await radio?.close();
  await network?.stop();
  await original?.[Symbol.asyncDispose]();
}, MS);

test("the check list names what comes over, what waits and what cannot", () => {
  const items = moveInCheckList(copy.plan);
  const of = (what: string) => items.find((each) => each.what === what);
  expect(of("nodes of Z-Wave")).toMatchObject({ count: nodes(original.controller).length, comes: "later" });
  expect(of("scenes")).toMatchObject({ count: 1, comes: "yes" });
  expect(of("programs")).toMatchObject({ comes: "later", note: expect.stringContaining("finish") });
  expect(of("accounts, passwords")).toMatchObject({ comes: "no" });
  const changes = copy.plan.changes.filter(({ type }) => type !== "program-added");
  const without = moveInCheckList({ ...copy.plan, changes }).find(({ what }) => what === "programs");
  expect(without).toMatchObject({ count: 0, comes: "no", note: expect.stringContaining("/api/triggers") });
});

test("the copy has every node, scene and program of the original; its programs wait, and no integration has a node", async () => {
  expect(belongings(here)).toEqual(belongings(original.controller));
  expect(enabledPrograms()).toBe(0);
  const { programsWait, played, integrations } = await status();
  expect({ programsWait, played: played.length, integrations }).toEqual({
    programsWait: true,
    played: nodes(here).length,
    integrations: [],
  });
  expect((await post("/api/move-in/take/zwave")).json()).toMatchObject({ code: "INTEGRATION_NOT_FOUND" });
});

test(
  "a radio with the same devices is offered the nodes and takes none by itself",
  async () => {
    await here.restart({ zwavePort: radio.url });
    await ready(here, "zwave");
    await vi.waitFor(
      async () => expect((await status()).integrations).toMatchObject([{ id: "zwave", offers: nodes(here).length }]),
      { timeout: MS },
    );
    expect(new Set(drivers())).toEqual(new Set(["virtual"]));
    expect(here.lines.filter(({ message }) => message.includes("told something that cannot be"))).toEqual([]);
  },
  MS,
);

test(
  "taking the nodes over is one edit: everything keeps its name and place, and commands reach the devices",
  async () => {
    const before = belongings(here);
    const taken = (await post("/api/move-in/take/zwave")).json<{ data: { edit: number; addresses: string[] } }>().data;
    expect(taken.addresses.toSorted()).toEqual(
      nodes(here)
        .map(({ address }) => address)
        .toSorted(),
    );
    expect(belongings(here)).toEqual(before);
    expect(new Set(drivers())).toEqual(new Set(["zwave"]));
    expect((await status()).played).toEqual([]);
    expect((await here.portal.get(`/rest/nodes/${LAMP}/cmd/DON`)).status).toBe(200);
    await vi.waitFor(() => expect(here.services.home.nodes.get(LAMP)?.properties.get("ST")?.value).toBeGreaterThan(0), {
      timeout: MS,
    });
    expect((await post("/api/move-in/take/zwave")).json()).toMatchObject({ code: "CONFLICT" });
  },
  MS,
);

test(
  "after a restart the radio still has the nodes, and the step is taken back and done again",
  async () => {
    await here.restart({ zwavePort: radio.url });
    await here.login();
    await ready(here, "zwave");
    expect(new Set(drivers())).toEqual(new Set(["zwave"]));
    const last = (await status()).steps.at(-1)?.edit;
    const before = belongings(here);
    expect((await post(`/api/edits/${last}/undo`)).json()).toMatchObject({ successful: true });
    expect(new Set(drivers())).toEqual(new Set(["virtual"]));
    expect((await here.portal.get(`/rest/nodes/${LAMP}/cmd/DOF`)).status).toBe(200);
    expect(here.services.home.nodes.get(LAMP)?.properties.get("ST")?.value).toBe(0);
    expect((await status()).integrations).toMatchObject([{ id: "zwave", offers: nodes(here).length }]);
    expect((await post("/api/move-in/take/zwave")).json()).toMatchObject({ successful: true });
    expect(belongings(here)).toEqual(before);
  },
  MS,
);

test(
  "the end of the move runs the programs here, and is taken back too",
  async () => {
    const programs = [...original.controller.services.home.programs.values()];
    const wanted = programs.filter((entry) => entry.kind === "program" && entry.enabled).length;
    expect(wanted).toBeGreaterThan(0);
    const finished = (await post("/api/move-in/finish")).json<{ data: { edit: number } }>().data;
    expect(enabledPrograms()).toBe(wanted);
    const { programsWait, steps } = await status();
    expect([programsWait, steps.at(-1)?.edit]).toEqual([false, finished.edit]);
    expect((await post("/api/move-in/finish")).json()).toMatchObject({ code: "CONFLICT" });
    const before = new Set(drivers());
    for (const step of ["last", ...steps.slice(0, -1).map(({ edit }) => edit)])
      expect([step, (await post(`/api/edits/${step}/undo`)).json()]).toMatchObject([step, { code: "UNDO_REFUSED" }]);
    expect(new Set(drivers())).toEqual(before);
    expect((await post(`/api/edits/${finished.edit}/undo`)).json()).toMatchObject({ successful: true });
    expect(enabledPrograms()).toBe(0);
  },
  MS,
);
