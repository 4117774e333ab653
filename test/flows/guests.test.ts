/** Guest links: made once, listed without their token, refused and cut off at their end, and named in the journal. */

import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Config } from "../../src/config.ts";
import type { Entry } from "../../src/home/change.ts";
import { openRecording } from "../../src/store/recording/open-recording.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

const LAMP = "1A 2B 3C 1";
const LIMITS = { nodes: [LAMP] };
const ON = `/rest/nodes/${encodeURIComponent(LAMP)}/cmd/DON`;
const HOUR_MS = 3_600_000;

type Guest = { readonly id: string; readonly name: string; readonly expiresAt: string | null; readonly token?: string };

let one: Promise<TestController> | null = null;

/** One for all tests that neither restart it nor move its clock. */
function shared(): Promise<TestController> {
  one ??= startTestController({ virtualLatencyMs: 0 }).then(async (controller) => {
    await controller.login();
    return controller;
  });
  return one;
}

afterAll(async () => (await one)?.[Symbol.asyncDispose]());

async function start(settings: Partial<Config> = {}): Promise<TestController> {
  const controller = await startTestController({ virtualLatencyMs: 0, ...settings });
  onTestFinished(() => controller[Symbol.asyncDispose]());
  await controller.login();
  return controller;
}

let named = 0;

async function add({ portal }: TestController, body: object) {
  named += 1;
  const { id, token = "" } = dataOf<Guest>(
    await portal.post("/api/guests", { name: `Walker ${named}`, limits: LIMITS, ...body }),
  );
  return { id, token, headers: { Authorization: `Bearer ${token}` } };
}

const dataOf = <T>(answer: { json<U>(): U }): T => answer.json<{ data: T }>().data;
const codeOf = (answer: Answer) => answer.json<{ code?: string }>().code;
const list = async ({ portal }: TestController) => dataOf<readonly Guest[]>(await portal.get("/api/guests"));

test("works as a bearer token for paths and both streams, over a restart too, and is listed without its token", async () => {
  const controller = await start();
  const { token, headers } = await add(controller, { seconds: 7200 });
  await controller.restart();
  await controller.login();
  expect((await controller.portal.request("GET", ON, { headers })).status).toBe(200);
  for (const surface of ["rest", "api"] as const) {
    const stream = await controller.subscribe(surface, { listener: "portal", headers });
    await stream.next(({ node }) => node === LAMP);
    await stream.close();
  }
  const page = await controller.subscribe("api", { listener: "portal", headers: {} });
  page.send(JSON.stringify({ auth: { token } }));
  await page.next(({ node }) => node === LAMP);
  await page.close();
  const [listed] = await list(controller);
  expect(listed).toMatchObject({ role: "guest", expiresAt: "2026-05-02T14:00:00.000Z" });
  expect(JSON.stringify(listed)).not.toContain(token.split(".")[2]);
  expect((await controller.local.request("GET", "/rest/nodes", { headers })).status).toBe(401);
});

test.each([
  ["altered", (token: string) => `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`],
  ["of another link", (token: string) => token.replace(/^guest\.[0-9a-f]+/, "guest.0123456789abcdef")],
  ["without its secret", (token: string) => token.split(".").slice(0, 2).join(".")],
])("is refused when it is %s", async (_name, alter) => {
  const controller = await shared();
  const { token } = await add(controller, {});
  const headers = { Authorization: `Bearer ${alter(token)}` };
  const answer = await controller.portal.request("GET", "/rest/nodes", { headers });
  expect(answer.status).toBe(401);
});

test("ends with its time: the token is refused, its streams are closed, and it is listed no more", async () => {
  const controller = await start();
  const { headers } = await add(controller, { seconds: 7200 });
  await add(controller, { name: "Sitter" });
  const stream = await controller.subscribe("rest", { listener: "portal", headers });
  await controller.clock.advance(2 * HOUR_MS - 1000);
  expect((await controller.portal.request("GET", ON, { headers })).status).toBe(200);
  await controller.clock.advance(1000);
  expect((await stream.closed).code).toBe(1008);
  expect(codeOf(await controller.portal.request("GET", "/api/nodes", { headers }))).toBe("TOKEN_REFUSED");
  await controller.login();
  expect((await list(controller)).map(({ name }) => name)).toEqual(["Sitter"]);
});

test("ends in time also when the clock of the machine is set forward, and when the controller was off", async () => {
  const controller = await start();
  const { headers } = await add(controller, { seconds: 7200 });
  controller.clock.moveTo(controller.clock.now() + 3 * HOUR_MS);
  expect(codeOf(await controller.portal.request("GET", "/api/nodes", { headers }))).toBe("TOKEN_REFUSED");
  await controller.restart();
  await controller.login();
  expect(await list(controller)).toEqual([]);
});

test("each ends at its own time, whichever was made first", async () => {
  const controller = await start();
  const longer = await add(controller, { seconds: 1200 });
  const shorter = await add(controller, { seconds: 600 });
  const [late, early] = await Promise.all(
    [longer, shorter].map(({ headers }) => controller.subscribe("rest", { listener: "portal", headers })),
  );
  await controller.clock.advance(600_000);
  expect((await early?.closed)?.code).toBe(1008);
  expect((await list(controller)).map(({ id }) => id)).toEqual([longer.id]);
  await controller.clock.advance(600_000);
  expect((await late?.closed)?.code).toBe(1008);
});

test("is revoked at once, with its streams", async () => {
  const controller = await shared();
  const { id, headers } = await add(controller, {});
  const stream = await controller.subscribe("api", { listener: "portal", headers });
  expect((await controller.portal.delete(`/api/guests/${id}`)).status).toBe(200);
  expect((await stream.closed).code).toBe(1008);
  expect((await controller.portal.request("GET", ON, { headers })).status).toBe(401);
  expect(codeOf(await controller.portal.delete(`/api/guests/${id}`))).toBe("GUEST_NOT_FOUND");
});

test("is named in the journal as the cause of what came by it", async () => {
  const controller = await shared();
  const { headers } = await add(controller, { name: "Walker" });
  const entries: Entry[] = [];
  const { feed } = controller.services;
  onTestFinished(feed.listen((entry) => void entries.push(entry)));
  await controller.portal.request("GET", ON, { headers });
  const moved = entries.filter(({ change }) => change.type === "command-moved");
  expect(moved.length).toBeGreaterThan(0);
  expect(moved.map(({ cause }) => cause.by)).toEqual(moved.map(() => "guest:Walker"));
});

test("reading is recorded once a visit, not once a request, and shown to owners", async () => {
  const controller = await start();
  const { id, headers } = await add(controller, { name: "Reader" });
  const visitedAt = async () =>
    dataOf<readonly { id: string; visitedAt: string | null }[]>(await controller.portal.get("/api/guests")).find(
      (guest) => guest.id === id,
    )?.visitedAt;
  const visits: Entry[] = [];
  onTestFinished(
    controller.services.feed.listen((entry) => {
      if (entry.change.type === "guest-visited") visits.push(entry);
    }),
  );
  const read = () => controller.portal.request("GET", "/api/nodes", { headers });
  expect(await visitedAt()).toBeNull();
  for (let count = 0; count < 20; count += 1) expect((await read()).status).toBe(200);
  expect(visits.map(({ cause }) => cause.by)).toEqual(["guest:Reader"]);
  expect(await visitedAt()).toBe(new Date(controller.clock.now()).toISOString());
  await controller.clock.advance(14 * 60_000);
  await read();
  expect(visits.length).toBe(1);
  await controller.clock.advance(60_000);
  await read();
  expect(visits.length).toBe(2);
  await controller.services.durability.committed(controller.services.feed.lastSeq);
  const recording = openRecording(controller.data, START_MS, controller.clock.now() + 1);
  const stored = [...recording.entries()].filter((entry) => "change" in entry && entry.change.type === "guest-visited");
  recording[Symbol.dispose]();
  expect(stored.map(({ seq }) => seq)).toEqual(visits.map(({ seq }) => seq));
});

test("with the role user opens the lock that it names, and only sends the commands that it names", async () => {
  const controller = await shared();
  const lock = { limits: { nodes: ["ZW010_1"], commands: ["SECMD"] } };
  const { headers } = await add(controller, { ...lock, role: "user" });
  const guest = await add(controller, { ...lock, name: "Visitor" });
  const status = async (path: string, as: typeof headers) =>
    (await controller.portal.request("GET", `/rest/nodes/ZW010_1/cmd/${path}`, { headers: as })).status;
  expect(await status("SECMD/0", headers)).toBe(200);
  expect(await status("secmd/0", headers)).not.toBe(403);
  expect(await status("LOCK", headers)).toBe(403);
  expect(await status("SECMD/0", guest.headers)).toBe(403);
});

test.each([
  ["BAD_VALUE", { limits: null }],
  ["BAD_VALUE", { limits: { nodes: [] } }],
  ["BAD_VALUE", { name: "" }],
  ["NODE_NOT_FOUND", { limits: { nodes: ["nobody"] } }],
  ["NODE_NOT_FOUND", { limits: { scenes: [LAMP] } }],
  ["PROGRAM_NOT_FOUND", { limits: { programs: ["0FFF"] } }],
  ["PROGRAM_NOT_FOUND", { limits: { programs: ["no id"] } }],
  ["VARIABLE_NOT_FOUND", { limits: { variables: ["3/1"] } }],
  ["VARIABLE_NOT_FOUND", { limits: { variables: ["1/999"] } }],
  ["RESOURCE_NOT_FOUND", { limits: { resources: [65_000] } }],
  ["BAD_BODY", { limits: { resources: [65_536] } }],
  ["BAD_BODY", { seconds: 0 }],
  ["BAD_BODY", { role: "owner" }],
  ["BAD_BODY", { limits: { houses: ["x"] } }],
])("is refused with %s for %o", async (code, body) => {
  const controller = await shared();
  const answer = await controller.portal.post("/api/guests", { name: `Walker ${named}`, limits: LIMITS, ...body });
  expect(codeOf(answer)).toBe(code);
});

test("name at most as many things of a kind as the setting says, and each of them counts once", async () => {
  const controller = await start({ accountThingsMax: 2 });
  const [first = "", second = "", third = ""] = [...controller.services.home.nodes.keys()];
  const { id } = await add(controller, { limits: { nodes: [first, second] } });
  const made = (await list(controller)).find((guest) => guest.id === id);
  expect(made).toMatchObject({ limits: { nodes: [first, second] } });
  const answer = await controller.portal.post("/api/guests", {
    name: "Third",
    limits: { nodes: [first, second, third] },
  });
  expect(codeOf(answer)).toBe("BAD_BODY");
  expect(answer.text).toContain("accountThingsMax");
});

test("are at most as many as the setting says, each with a name of its own, apart from the accounts", async () => {
  const controller = await start({ guestLinksMax: 2, accountsMax: 2 });
  await add(controller, { name: "Walker" });
  expect(codeOf(await controller.portal.post("/api/guests", { name: "WALKER", limits: LIMITS }))).toBe(
    "ACCOUNT_EXISTS",
  );
  await add(controller, { name: "Second" });
  expect(codeOf(await controller.portal.post("/api/guests", { name: "Third", limits: LIMITS }))).toBe("LIMIT_REACHED");
  const accounts = dataOf<readonly { id: string; login: string }[]>(await controller.portal.get("/api/accounts"));
  expect(accounts).toHaveLength(2);
  const [{ id } = { id: "" }] = await list(controller);
  expect(codeOf(await controller.portal.post(`/api/accounts/${id}`, { role: "user" }))).toBe("ACCOUNT_NOT_FOUND");
  expect(codeOf(await controller.portal.delete(`/api/accounts/${id}`))).toBe("ACCOUNT_NOT_FOUND");
});

test("limits of an account are changed while its stream is open: the stream ends, and the next one shows what it reaches now", async () => {
  const controller = await shared();
  const password = "a key under the mat";
  const limits = { nodes: [LAMP] };
  const made = await controller.portal.post("/api/accounts", {
    kind: "local",
    login: "sitter",
    role: "user",
    password,
    limits,
  });
  const { id } = dataOf<Guest>(made);
  const headers = { Authorization: `Basic ${Buffer.from(`sitter:${password}`).toString("base64")}` };
  const first = await controller.subscribe("rest", { listener: "local", headers });
  expect((await controller.portal.post(`/api/accounts/${id}`, { limits: { nodes: ["ZW002_1"] } })).status).toBe(200);
  expect((await first.closed).code).toBe(1008);
  const second = await controller.subscribe("rest", { listener: "local", headers });
  await second.next(({ control }) => control === "_0");
  const seen = new Set(second.frames.map(({ node }) => node));
  expect([seen.has(LAMP), seen.has("ZW002_1")]).toEqual([false, true]);
  await second.close();
  expect(codeOf(await controller.portal.post(`/api/accounts/${id}`, { role: "owner" }))).toBe("BAD_VALUE");
  expect(
    dataOf<{ limits: null; role: string }>(
      await controller.portal.post(`/api/accounts/${id}`, { role: "owner", limits: null }),
    ),
  ).toMatchObject({ limits: null, role: "owner" });
});

test("a folder reaches what is in it at any depth, what is put there later, and nothing that leaves it", async () => {
  const controller = await shared();
  const { portal } = controller;
  const make = async (name: string, parent: object = {}) =>
    dataOf<{ address: string }>(await portal.post("/api/nodes", { name, nodeType: "folder", ...parent })).address;
  const outer = await make("Outer");
  const inner = await make("Inner", { parentAddress: outer, parentNodeType: "folder" });
  const { headers } = await add(controller, { limits: { folders: [outer] } });
  const stream = await controller.subscribe("rest", { listener: "portal", headers });
  await stream.next(({ control }) => control === "_0");
  const move = (parentAddress: string) =>
    portal.request("PATCH", `/api/nodes/${encodeURIComponent(LAMP)}`, {
      headers: { ...controller.bearer(), "Content-Type": "application/json" },
      body: JSON.stringify({ nodeType: "node", parentAddress, parentNodeType: "folder" }),
    });
  expect((await move(inner)).status).toBe(200);
  const added = await stream.next(({ node, action }) => node === LAMP && action === "ND");
  expect(added.eventInfo).toContain("Hall Ceiling");
  expect((await portal.request("GET", ON, { headers })).status).toBe(200);
  const other = await make("Other");
  expect((await move(other)).status).toBe(200);
  await stream.next(({ node, action }) => node === LAMP && action === "NR");
  expect((await portal.request("GET", ON, { headers })).status).toBe(404);
  await stream.close();
});

test("with scenesWithin, a folder reaches its scenes only while they command nothing outside", async () => {
  const controller = await start();
  const { portal } = controller;
  const living = "11003";
  const scenesOf = async (limits: object) => {
    const { headers } = await add(controller, { limits });
    const xml = (await portal.request("GET", "/rest/nodes", { headers })).text;
    return ["Evening", "Movie"].filter((name) => xml.includes(`<name>${name}</name>`));
  };
  const whole = (await portal.get("/rest/nodes")).text;
  const evening = /<address>(\d+)<\/address>\s*<name>Evening<\/name>/.exec(whole)?.[1] ?? "";
  expect(await scenesOf({ folders: [living] })).toEqual(["Evening", "Movie"]);
  expect(await scenesOf({ folders: [living], scenesWithin: true })).toEqual(["Movie"]);
  expect(await scenesOf({ folders: [living], nodes: [LAMP], scenesWithin: true })).toEqual(["Evening", "Movie"]);
  expect(await scenesOf({ folders: [living], scenes: [evening], scenesWithin: true })).toEqual(["Evening", "Movie"]);
});

test("gets the definitions of a plugin only when it has a node of it, in each document", async () => {
  const controller = await start();
  const { profile } = controller.services;
  const nodedef = (id: string, name: string) => {
    const property = { id: "ST", editor: `_25_0_R_0_9_N_${id}L`, name: `Status of ${name}`, hide: false };
    return {
      id,
      nls: id,
      name,
      icon: null,
      properties: [property],
      sends: [],
      accepts: [],
      controlLinks: [],
      respondLinks: [],
    };
  };
  const names = new Map([
    ["SAFEL-1", "Safe behind the mirror"],
    ["NDN-SAFE-NAME", "Safe behind the mirror"],
    ["PONDL-1", "Pump of the pond"],
    ["NDN-POND-NAME", "Pump of the pond"],
  ]);
  const nodedefs = [nodedef("SAFE", "Safe behind the mirror"), nodedef("POND", "Pump of the pond")];
  profile.declare(10, 7, { nodedefs: nodedefs as never, names }, false, "test");
  const texts = async (headers: Record<string, string>) => {
    const paths = [
      "/rest/profiles",
      "/rest/profiles?include=nodedefs",
      "/rest/profiles/family/10/profile/7/download/nls/en_US.txt",
    ];
    const answers = await Promise.all(paths.map((path) => controller.portal.request("GET", path, { headers })));
    return answers.map(({ text }) => text);
  };
  const { headers } = await add(controller, {});
  for (const text of await texts(headers)) expect(/mirror|of the pond/.test(text)).toBe(false);
  for (const text of await texts(controller.bearer())) expect(text.includes("mirror")).toBe(true);

  const lamp = controller.services.home.nodes.get(LAMP);
  const node = {
    ...lamp,
    address: "n007_pond",
    name: "Pond",
    family: 10,
    instance: 7,
    nodeDefId: "POND",
    primary: "n007_pond",
  };
  controller.services.feed.commit(
    { type: "node-added", node: node as never },
    { kind: "system", id: "test", by: null },
  );
  const walker = await add(controller, { limits: { nodes: ["n007_pond"] } });
  for (const text of await texts(walker.headers)) {
    expect([text.includes("mirror"), text.includes("of the pond")]).toEqual([false, true]);
  }
});
