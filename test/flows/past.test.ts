/** The home at a past time, over both surfaces. */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Node } from "../../src/home/nodes.ts";
import { startTestController, type TestController } from "../support/controller.ts";

const LAMP = "1A 2B 3C 1";
const MINUTE_MS = 60_000;

let controller: TestController;
let startMs: number;
const iso = (minutes: number) => new Date(startMs + minutes * MINUTE_MS).toISOString();

/** One minute after the change before. */
async function level(value: number): Promise<void> {
  const { services, clock } = controller;
  clock.moveTo(clock.now() + MINUTE_MS);
  const property = { id: "ST", value, uom: 51, prec: 0, text: null, changedAtMs: clock.now() };
  const before = services.home.nodes.get(LAMP)?.properties.get("ST") ?? null;
  const cause = { kind: "report", id: "x", by: "x" } as const;
  services.feed.commit({ type: "property-changed", address: LAMP, property, before }, cause);
  await services.durability.committed(services.feed.lastSeq);
}

/** Minutes 1 to 3 after the start: 10 %, 30 % and another name, 20 %. */
beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
  startMs = controller.clock.now();
  await level(10);
  await level(30);
  await controller.portal.post(`/api/nodes/${encodeURIComponent(LAMP)}`, { name: "Reading Lamp", nodeType: "node" });
  await level(20);
  await controller.portal.post("/api/variables/2/1", { value: 7 });
}, 60_000);

afterAll(() => controller[Symbol.asyncDispose]());

type Tree = { data: { nodes: { node: readonly { address: string; name: string; property?: unknown }[] } } };

async function lampAt(query: string) {
  const answer = await controller.portal.get(`/api/nodes${query}`);
  const { nodes } = answer.json<Tree>().data;
  const status = await controller.portal.get(`/rest/status${query}`);
  const [, value] = /id="1A 2B 3C 1">.*?id="ST" value="(\d+)"/s.exec(status.text) ?? [];
  return { name: nodes.node.find(({ address }) => address === LAMP)?.name, value };
}

test("documents are as they were at the time, with its own changes, and without a time as they are", async () => {
  expect(await lampAt(`?at=${iso(1)}`)).toEqual({ name: "Hall Ceiling", value: "10" });
  expect(await lampAt(`?at=${iso(1.9)}`)).toEqual({ name: "Hall Ceiling", value: "10" });
  expect(await lampAt(`?at=${iso(2.5)}`)).toEqual({ name: "Reading Lamp", value: "30" });
  expect(await lampAt(`?at=${iso(3)}`)).toEqual({ name: "Reading Lamp", value: "20" });
  expect(await lampAt("")).toEqual({ name: "Reading Lamp", value: "20" });
});

test("programs, their text, variables, scenes and network resources are answered as of a time", async () => {
  for (const path of [
    "/api/programs",
    "/api/programs/0008/text",
    "/api/triggers",
    "/api/variables/2",
    "/api/groups",
    "/rest/networking/resources",
  ]) {
    const { status } = await controller.portal.get(`${path}?at=${iso(2)}`);
    expect({ path, status }).toEqual({ path, status: 200 });
  }
});

test("/api/past returns the changes next to a time, the number in each part, and unknown values", async () => {
  const path = `/api/past?at=${iso(1.5)}&from=${iso(0.5)}&to=${iso(4.5)}&parts=4`;
  const { data } = (await controller.portal.get(path)).json<{ data: Record<string, unknown> }>();
  expect(data).toMatchObject({
    before: iso(1),
    after: iso(2),
    unknown: { properties: 0, others: 0 },
    parts: [
      { time: iso(0.5), count: 1 },
      { time: iso(1.5), count: expect.any(Number) },
      { time: iso(2.5), count: expect.any(Number) },
    ],
  });
});

test("impossible times are refused: before the journal, in the future, and texts that are no time", async () => {
  for (const path of ["/api/past?at=", "/api/nodes?at="]) {
    for (const at of ["1999-01-01T00:00:00Z", iso(60), "yesterday"]) {
      const answer = await controller.portal.get(path + at);
      expect({ path, at, status: answer.status, code: answer.json<{ code: string }>().code }).toEqual({
        path,
        at,
        status: 400,
        code: "BAD_VALUE",
      });
    }
  }
  expect((await controller.portal.get("/api/past")).status).toBe(400);
});

test("an account with limits does not read the past", async () => {
  const answer = await controller.portal.post("/api/guests", { name: "Walker", limits: { nodes: [LAMP] } });
  const { token } = answer.json<{ data: { token: string } }>().data;
  const headers = { Authorization: `Bearer ${token}` };
  const asGuest = (path: string) => controller.portal.request("GET", path, { headers });
  expect((await asGuest("/api/nodes")).status).toBe(200);
  expect((await asGuest(`/api/nodes?at=${iso(2)}`)).status).toBe(403);
  expect((await asGuest(`/api/past?at=${iso(2)}`)).status).toBe(403);
});

test("a node that never reported anything is there too", async () => {
  const { services, clock } = controller;
  const node = { ...services.home.nodes.get(LAMP), address: "1A 2B 3C 9", primary: "1A 2B 3C 9", name: "New Lamp" };
  const { properties: _properties, link: _link, version: _version, ...record } = node as Node;
  services.feed.commit({ type: "node-added", node: record }, { kind: "report", id: "x", by: "x" });
  clock.moveTo(clock.now() + MINUTE_MS);
  const at = new Date(clock.now() - 1).toISOString();
  const answer = await controller.portal.get(`/api/nodes?at=${at}`);
  const { nodes } = answer.json<Tree>().data;
  expect(nodes.node.map(({ name }) => name)).toContain("New Lamp");
});
