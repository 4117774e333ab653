/** Editing the home through the JSON surface: folders, scenes, nodes, with the frames that clients react to, and the way back. */

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
