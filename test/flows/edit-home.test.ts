/** Editing the home through the JSON surface: folders, scenes, nodes, with the frames that clients react to, and the way back. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Frame, FrameStream } from "../support/frame-stream.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";

const LAMP = "1A 2B 3C 1";

let controller: TestController;
let fence = 0;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});

afterAll(() => controller[Symbol.asyncDispose]());

type Answer = { readonly status: number; readonly data: Record<string, unknown>; readonly code: string | undefined };

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await controller.portal.request(method, path, {
    headers: { ...controller.bearer(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data, code } = answer.json<{ data: Record<string, unknown>; code?: string }>();
  return { status: answer.status, data: data ?? {}, code };
}

const nodes = (address: string) => `/api/nodes/${encodeURIComponent(address)}/`;
const address = ({ data }: Answer) => String(data.address);

async function open(): Promise<FrameStream> {
  const stream = await controller.subscribe("rest", { listener: "portal" });
  await stream.next(({ control }) => control === "_0");
  return stream;
}

async function useOf(node: string): Promise<unknown> {
  const answer = await controller.portal.request("GET", "/api/nodes", { headers: controller.bearer() });
  const { data } = answer.json<{ data: { nodes: { node: { address: string; use?: string }[] } } }>();
  return data.nodes.node.find((each) => each.address === node)?.use;
}

/** The `_3` frames that come while it acts, as verb and node. */
async function lifecycle(act: () => Promise<unknown>): Promise<readonly string[]> {
  const stream = await open();
  const start = stream.frames.length;
  await act();
  fence += 1;
  const { home, feed, clock } = controller.services;
  const { id } = [...home.variables[1].values()][0] ?? { id: 1 };
  feed.commit(
    { type: "variable-written", variableType: 1, id, value: fence, before: 0, writtenAtMs: clock.now() },
    { kind: "system", id: "fence", by: null },
  );
  const isFence = ({ eventInfo }: Frame) =>
    eventInfo.includes(`id="${id}"`) && eventInfo.includes(`<val>${fence}</val>`);
  await stream.next(isFence);
  const frames = stream.frames.slice(start).filter(({ control }) => control === "_3");
  await stream.close();
  return frames.map(({ action, node }) => `${action} ${node}`);
}

describe("folders", () => {
  test("are created, renamed, moved and removed, each with its frame", async () => {
    let folder = "";
    expect(
      await lifecycle(async () => {
        folder = address(await send("POST", "/api/nodes", { name: "Den", nodeType: "folder" }));
      }),
    ).toEqual([`FD ${folder}`]);
    expect(folder).toMatch(/^\d{3,5}$/);
    expect(await lifecycle(() => send("PATCH", nodes(folder), { name: "Study", nodeType: "folder" }))).toEqual([
      `FN ${folder}`,
    ]);
    expect(
      await lifecycle(() =>
        send("PATCH", nodes(LAMP), { nodeType: "node", parentAddress: folder, parentNodeType: "folder" }),
      ),
    ).toEqual([`PC ${LAMP}`]);
    expect(await send("DELETE", nodes(folder), { nodeType: "folder" })).toMatchObject({
      status: 409,
      code: "FOLDER_NOT_EMPTY",
    });
    expect(await lifecycle(() => send("DELETE", nodes(folder), { nodeType: "folder", contents: "keep" }))).toEqual([
      `PC ${LAMP}`,
      `FR ${folder}`,
    ]);
    expect(controller.services.home.nodes.get(LAMP)?.parent).toBeNull();
  });

  test("lie neither in themselves nor in what there is not", async () => {
    const outer = address(await send("POST", "/api/nodes", { name: "Outer", nodeType: "folder" }));
    const inner = await send("POST", "/api/nodes", { name: "Inner", nodeType: "folder", parentAddress: outer });
    expect(inner.status).toBe(200);
    const into = { nodeType: "folder", parentAddress: address(inner), parentNodeType: "folder" };
    expect(await send("PATCH", nodes(outer), into)).toMatchObject({ status: 400, code: "BAD_REQUEST" });
    const nowhere = { nodeType: "folder", parentAddress: "64999", parentNodeType: "folder" };
    expect(await send("PATCH", nodes(outer), nowhere)).toMatchObject({ status: 404, code: "NODE_NOT_FOUND" });
  });

  test.each([
    [{ nodeType: "folder" }, "BAD_BODY"],
    [{ nodeType: "folder", name: " x" }, "BAD_NAME"],
    [{ nodeType: "room", name: "x" }, "BAD_BODY"],
    [{ nodeType: "node", address: "1 2 3 4" }, "NODE_NOT_FOUND"],
  ])("%j is refused with %s and changes nothing", async (body, code) => {
    const before = homeSnapshot(controller.services.home);
    expect(await send("POST", "/api/nodes", body)).toMatchObject({ code });
    expect(homeSnapshot(controller.services.home)).toEqual(before);
  });
});

describe("scenes", () => {
  test("are built from nothing, and every step reaches the clients", async () => {
    let scene = "";
    expect(
      await lifecycle(async () => {
        scene = address(await send("POST", "/api/nodes", { name: "Reading", nodeType: "group" }));
      }),
    ).toEqual([`GD ${scene}`]);
    expect(
      await lifecycle(() => send("POST", `/api/groups/members/${scene}`, { nodeAddress: LAMP, isController: false })),
    ).toEqual([`MV ${scene}`, `LU ${scene}`]);
    const set = { controllerAddress: scene, link: { node: LAMP, level: 60, ramp: 2 } };
    expect(await lifecycle(() => send("PATCH", `/api/groups/links/${scene}`, set))).toEqual([`LU ${scene}`]);
    const { data } = await send("GET", `/api/groups/links/${scene}`);
    expect(data).toMatchObject({
      groups: [{ id: scene, ctl: [{ id: scene, links: [{ node: LAMP, type: "native" }] }] }],
    });
    expect(JSON.stringify(data)).toContain('"id":"OL","val":{"uom":51,"prec":0,"value":60}');
    expect(await lifecycle(() => send("DELETE", `/api/groups/members/${scene}`, { nodeAddress: LAMP }))).toEqual([
      `RG ${scene}`,
      `LU ${scene}`,
    ]);
    expect(await lifecycle(() => send("DELETE", nodes(scene), { nodeType: "group" }))).toEqual([`GR ${scene}`]);
  });
});

describe("the place", () => {
  test("is changed while the controller runs, and schedules follow at once", async () => {
    const before = await send("GET", "/api/place");
    expect(before.data).toMatchObject({ timeZone: "Europe/Berlin", latitude: 52.52, units: "metric", elevation: null });
    const text = "Program 'Dawn'\n\nIf\n    Time is sunrise\n\nThen\n    Run program 'Query All' (If)\n";
    const made = await send("POST", "/api/programs/text", { text });
    expect(made.status).toBe(200);
    const next = async () => (await send("GET", `/api/programs/${made.data.id}`)).data.nextScheduledRunTime;
    const inBerlin = await next();
    const moved = await send("PATCH", "/api/place", {
      name: "Cabin",
      timeZone: "America/Denver",
      latitude: 39.7,
      longitude: -105,
      elevation: 1600,
      units: "us",
    });
    expect(moved).toMatchObject({ status: 200, data: { name: "Cabin", elevation: 1600, units: "us" } });
    expect(await next()).not.toBe(inBerlin);
    expect(controller.services.home.controller.name).toBe("Cabin");
    await send("POST", `/api/edits/${moved.data.edit}/undo`);
    expect([(await send("GET", "/api/place")).data, await next()]).toEqual([before.data, inBerlin]);
  });

  test("has the price of energy: at times of the day, or as a node says it; a node that is gone is not named", async () => {
    const prices = [
      { from: 0, price: 0.21 },
      { from: 360, price: 0.34 },
    ];
    const [node = ""] = controller.services.home.nodes.keys();
    const set = await send("PATCH", "/api/place", { tariff: { currency: "EUR", prices, node } });
    expect(set).toMatchObject({ status: 200, data: { tariff: { currency: "EUR", prices, node } } });
    const { data: removed } = await send("DELETE", `/api/nodes/${encodeURIComponent(node)}`, { nodeType: "node" });
    expect((await send("GET", "/api/place")).data.tariff).toEqual({ currency: "EUR", prices, node: null });
    await send("POST", `/api/edits/${removed.edit}/undo`);
    await send("POST", `/api/edits/${set.data.edit}/undo`);
    expect((await send("GET", "/api/place")).data.tariff).toBeNull();
  });

  test.each([
    [{ tariff: { currency: "euro", prices: [{ from: 0, price: 1 }], node: null } }, "BAD_BODY"],
    [{ tariff: { currency: "EUR", prices: [], node: null } }, "BAD_BODY"],
    [{ tariff: { currency: "EUR", prices: [{ from: 60, price: 1 }], node: null } }, "BAD_VALUE"],
    [{ timeZone: "Europe/Berlim" }, "BAD_VALUE"],
    [{ latitude: 91 }, "BAD_VALUE"],
    [{ longitude: "east" }, "BAD_BODY"],
    [{ elevation: 1e9 }, "BAD_VALUE"],
    [{ units: "imperial" }, "BAD_BODY"],
    [{}, "BAD_BODY"],
  ])("%j is refused with %s", async (body, code) => {
    const before = controller.services.home.controller;
    expect(await send("PATCH", "/api/place", body)).toMatchObject({ status: 400, code });
    expect(controller.services.home.controller).toEqual(before);
  });
});

describe("the use of a node", () => {
  const contactOf = () => {
    for (const { address: each, role } of controller.services.home.nodes.values()) if (role === "contact") return each;
    throw new Error("The demo home has a contact.");
  };

  test("is set, published, in the documents, and taken back by undo", async () => {
    const contact = contactOf();
    expect(await lifecycle(() => send("PATCH", nodes(contact), { use: "window" }))).toEqual([`RV ${contact}`]);
    expect(await useOf(contact)).toBe("window");
    await send("POST", "/api/edits/last/undo");
    expect(await useOf(contact)).toBeUndefined();
  });

  test("is one that the role has, and changes nothing otherwise", async () => {
    const contact = contactOf();
    const refused = { status: 400, code: "BAD_VALUE" };
    expect(await send("PATCH", nodes(contact), { use: "lamp" })).toMatchObject(refused);
    expect(await send("PATCH", nodes(LAMP), { use: "other" })).toMatchObject(refused);
    expect(await send("PATCH", nodes(contact), { use: "hatch" })).toMatchObject({ status: 400, code: "BAD_BODY" });
    expect(await useOf(contact)).toBeUndefined();
  });
});

describe("network resources", () => {
  test("say when their target is not allowed, and how to allow it without a restart", async () => {
    const made = await send("POST", "/api/resources", { name: "Bridge", url: "udp://169.254.7.1:9" });
    expect(made.data.allowed).toBe(false);
    const [known, gone] = ["Hall Ceiling.ST", "Hall Cieling.ST"].map((name) => `$\{${name}}`);
    const body = `${known} ${gone}`;
    const changed = await send("PATCH", `/api/resources/${made.data.id}`, { body });
    expect(changed.data.unknownValues).toEqual(["Hall Cieling.ST"]);
    const refused = await controller.portal.post(`/api/resources/${made.data.id}/test`);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("domovoi resource allow 169.254.7.1:9"),
    ]);
    await send("PUT", "/api/resource-targets", { targets: ["169.254.7.1:9"] });
    expect((await send("GET", `/api/resources/${made.data.id}`)).data.allowed).toBe(true);
    await controller.restart();
    await controller.login();
    expect((await send("GET", "/api/resource-targets")).data).toEqual({ targets: ["169.254.7.1:9"] });
    await send("PUT", "/api/resource-targets", { targets: [] });
    await send("DELETE", `/api/resources/${made.data.id}`);
  });

  test("are created, tested, changed and removed, and never show what is secret", async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.setHeader("Content-Type", "text/plain");
      response.end("ding");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await controller.restart({ networkTargets: ["127.0.0.1"] });
    await controller.login();
    const created = await send("POST", "/api/resources", {
      name: "Chime",
      url: `http://127.0.0.1:${port}/play?key=s3cret`,
      headers: [{ name: "Authorization", value: "Bearer s3cret" }],
    });
    const { id } = created.data;
    expect(created).toMatchObject({ status: 200, data: { url: `http://127.0.0.1:${port}/play?key=…`, method: "GET" } });
    const tested = await send("POST", `/api/resources/${id}/test`);
    expect(tested.data).toMatchObject({ outcome: "done", answer: { status: 200, text: "ding" } });
    const headers = [{ name: "Authorization", value: "(hidden)" }];
    await send("PATCH", `/api/resources/${id}`, { method: "POST", body: "s3cret", headers });
    await send("POST", `/api/resources/${id}/test`);
    expect(seen).toEqual(["GET /play?key=s3cret Bearer s3cret", "POST /play?key=s3cret Bearer s3cret"]);
    expect((await send("DELETE", `/api/resources/${id}`)).status).toBe(200);
    const edits = (await send("GET", "/api/edits?limit=3")).data as unknown as { edit: number }[];
    const shown = await Promise.all([
      send("GET", "/api/resources"),
      ...edits.map(({ edit }) => send("GET", `/api/edits/${edit}`)),
    ]);
    expect(JSON.stringify([created, tested, shown])).not.toContain("s3cret");
    await send("POST", "/api/edits/last/undo");
    expect(await send("GET", `/api/resources/${id}`)).toMatchObject({ data: { bodyBytes: 6, method: "POST" } });
    server.close();
  });

  test.each([
    [{ name: "x", url: "ftp://a/" }, "BAD_VALUE"],
    [{ name: "x", url: "http://user:word@a/" }, "BAD_VALUE"],
    [{ name: "x", url: "tcp://a" }, "BAD_VALUE"],
    [{ name: "x", url: "http://a/", method: "BREW" }, "BAD_VALUE"],
    [{ name: "x", url: "http://a/", headers: [{ name: "Content-Length", value: "1" }] }, "BAD_VALUE"],
    [{ name: "x", url: "http://a/", headers: Array(51).fill({ name: "X-Many", value: "1" }) }, "BAD_VALUE"],
    [{ name: "x" }, "BAD_BODY"],
  ])("%j is refused with %s", async (body, code) => {
    const before = controller.services.home.networkResources.size;
    expect(await send("POST", "/api/resources", body)).toMatchObject({ status: 400, code });
    expect(controller.services.home.networkResources.size).toBe(before);
  });
});

test("a device that is added again begins with its first node", async () => {
  const { home } = controller.services;
  const other = [...home.nodes.values()].find(({ address: own, primary }) => primary !== own);
  const first = other?.primary ?? "";
  expect((await send("DELETE", nodes(first), { nodeType: "node" })).status).toBe(200);
  const frames = await lifecycle(() => send("POST", "/api/nodes", { nodeType: "node", address: first }));
  const added = frames.filter((frame) => frame.startsWith("ND "));
  expect([added[0], added.length > 1]).toEqual([`ND ${first}`, true]);
});

describe("the uses of a thing", () => {
  const uses = async (path: string) => (await send("GET", `/api/uses/${path}`)).data as unknown as readonly object[];

  test("its scenes, the programs that name it and what lies in it are listed, and nothing else", async () => {
    const scene = address(await send("POST", "/api/nodes", { name: "Used", nodeType: "group" }));
    await send("POST", `/api/groups/members/${scene}`, { nodeAddress: LAMP, isController: true });
    const folder = (await send("POST", "/api/programs", { name: "Outer", folder: true })).data.id;
    const text = `Program 'Inner'\nFolder 'Outer'\nThen\n  Set [${LAMP}] [DON]\n  Set [${scene}] [DON]`;
    const program = (await send("POST", "/api/programs/text", { text })).data.id;
    const reference = { as: "reference", kind: "program", key: program, name: "Inner" };
    const ofLamp = await uses(`node/${encodeURIComponent(LAMP)}`);
    expect(ofLamp).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ as: "member", kind: "group", key: scene, text: 'controls the scene "Used"' }),
        expect.objectContaining(reference),
      ]),
    );
    expect(await uses(`group/${scene}`)).toMatchObject([reference]);
    expect(await uses(`program/${folder}`)).toMatchObject([{ as: "child", kind: "program", key: program }]);
    expect(await uses(`program/${program}`)).toEqual([]);
    expect((await send("GET", "/api/uses/program/FFFF")).code).toBe("PROGRAM_NOT_FOUND");
  });
});

describe("a replaced device", () => {
  test("hands its name, place, scenes and programs to the new one", async () => {
    const { home } = controller.services;
    const group = [...home.groups.values()].find(({ members }) => members.some(({ address: node }) => node === LAMP));
    const old = home.nodes.get(LAMP);
    const twin = [...home.nodes.values()].find(
      (node) => node.nodeDefId === old?.nodeDefId && node.address !== LAMP && node.primary === node.address,
    );
    const by = twin?.address ?? "";
    expect([group?.address, by]).toEqual([expect.any(String), expect.any(String)]);
    const dry = await send("POST", `/api/nodes/${encodeURIComponent(LAMP)}/replace?dryRun=true`, { by });
    expect([dry.status, home.nodes.has(LAMP)]).toEqual([200, true]);
    const done = await send("POST", `/api/nodes/${encodeURIComponent(LAMP)}/replace`, { by, force: true });
    expect(done).toMatchObject({ status: 200, data: { addresses: { [LAMP]: by } } });
    expect([home.nodes.has(LAMP), home.nodes.get(by)?.name, home.nodes.get(by)?.parent]).toEqual([
      false,
      old?.name,
      old?.parent,
    ]);
    expect(home.groups.get(group?.address ?? "")?.members.map(({ address: node }) => node)).toContain(by);
    expect(JSON.stringify([...home.programs.values()])).not.toContain(`"${LAMP}"`);
    await send("POST", `/api/edits/${done.data.edit}/undo`);
    expect(home.nodes.get(by)?.name).toBe(twin?.name);
    expect(home.nodes.get(LAMP)?.name).toBe(old?.name);
  });

  test("is replaced in programs only, as one edit, also when it is missing", async () => {
    const { home } = controller.services;
    const old = home.nodes.get(LAMP);
    const twin = [...home.nodes.values()].find(
      ({ nodeDefId, address }) => nodeDefId === old?.nodeDefId && address !== LAMP,
    );
    const by = twin?.address ?? "";
    const groups = JSON.stringify([...home.groups.values()]);
    const path = `/api/nodes/${encodeURIComponent(LAMP)}/replace`;
    const edits = home.edits.size;
    expect(await send("POST", `${path}?dryRun=true`, { by, programsOnly: true })).toMatchObject({ status: 200 });
    expect([home.edits.size, JSON.stringify([...home.programs.values()]).includes(`"${LAMP}"`)]).toEqual([edits, true]);
    const done = await send("POST", path, { by, programsOnly: true, force: true });
    expect(done).toMatchObject({ status: 200, data: { addresses: { [LAMP]: by }, edit: expect.any(Number) } });
    expect(JSON.stringify([...home.programs.values()])).not.toContain(`"${LAMP}"`);
    expect([home.nodes.get(LAMP)?.name, JSON.stringify([...home.groups.values()])]).toEqual([old?.name, groups]);
    await send("POST", `/api/edits/${done.data.edit}/undo`);
    expect(JSON.stringify([...home.programs.values()])).toContain(`"${LAMP}"`);
    expect(await send("POST", "/api/nodes/99%2099%2099%201/replace", { by, programsOnly: true })).toMatchObject({
      status: 200,
      data: { edit: null },
    });
    expect(await send("POST", path, { by: LAMP, programsOnly: true })).toMatchObject({ status: 400 });
    expect(await send("POST", path, { by: "99 99 99 1", programsOnly: true })).toMatchObject({ status: 404 });
  });

  test("is refused with what does not fit", async () => {
    const { home } = controller.services;
    const sensor = [...home.nodes.values()].find(
      ({ nodeDefId }) => nodeDefId === "BinaryAlarm_ADV" || nodeDefId === "BinaryAlarm",
    );
    const answer = await send("POST", `/api/nodes/${encodeURIComponent(LAMP)}/replace`, { by: sensor?.primary });
    expect(answer).toMatchObject({ status: 409, code: "CONFLICT" });
    expect(home.nodes.has(LAMP)).toBe(true);
  });
});
