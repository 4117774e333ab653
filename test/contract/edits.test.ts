/** Edits of the home as unmodified clients make them and hear of them: after each of them they hold what the documents say. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { loadAsVendorClient, type VendorClient } from "./vendor-client/load.ts";

const LAMP = "1A 2B 3C 1";
const OTHER = "1A 2F 91 1";

let controller: TestController;
let editor: VendorClient;
/** Another one, which only listens. */
let listener: VendorClient;

beforeAll(async () => {
  controller = await startTestController();
  editor = await loadAsVendorClient(controller.portal.url);
  listener = await loadAsVendorClient(controller.portal.url);
}, 60_000);

afterAll(async () => {
  await editor[Symbol.asyncDispose]();
  await listener[Symbol.asyncDispose]();
  await controller[Symbol.asyncDispose]();
});

const at = (address: string) => `/api/nodes/${encodeURIComponent(address)}/`;

/** One write of the client. Both load again when the stream announces it. */
async function edit(method: "POST" | "PATCH" | "DELETE", path: string, body: object): Promise<void> {
  for (const client of [editor, listener]) client.structureChanged = false;
  const { status, text } = await editor.send(method, path, body);
  expect([path, status, text]).toEqual([path, 200, expect.stringContaining('"successful":true')]);
  for (const client of [editor, listener]) {
    await client.hears("_3");
    await client.refresh();
    expect(client.home.problems).toEqual([]);
  }
  holdsTheHome();
}

function holdsTheHome(): void {
  const { home } = controller.services;
  for (const { home: held } of [editor, listener]) {
    expect([...held.nodes.keys()].toSorted()).toEqual([...home.nodes.keys()].toSorted());
    expect([...held.folders.keys()].toSorted()).toEqual([...home.folders.keys()].toSorted());
    for (const [address, node] of home.nodes) expect(held.nodes.get(address)?.name).toBe(node.name);
    for (const [address, group] of home.groups) {
      const known = held.groups.get(address);
      expect([known?.name, [...(known?.controllers.keys() ?? [])].toSorted()]).toEqual([
        group.name,
        group.blocks.map((block) => block.controller).toSorted(),
      ]);
    }
  }
}

const named = <T extends { readonly name: string }>(things: ReadonlyMap<string, T>, name: string): string =>
  [...things].find(([, thing]) => thing.name === name)?.[0] ?? "";

describe("the vendor's newest client", () => {
  test("builds a folder and a scene, and finds them by their names", async () => {
    await edit("POST", "/api/nodes", { name: "Den", nodeType: "folder" });
    await edit("POST", "/api/nodes", { name: "Reading", nodeType: "group" });
    const [den, reading] = [named(listener.home.folders, "Den"), named(listener.home.groups, "Reading")];
    expect([den, reading]).toEqual([expect.stringMatching(/^\d{3,5}$/), expect.stringMatching(/^\d{3,5}$/)]);
    const into = { nodeType: "group", parentAddress: den, parentNodeType: "folder" };
    await edit("PATCH", at(reading), into);
    await edit("PATCH", at(LAMP), { ...into, nodeType: "node" });
    await edit("PATCH", at(den), { name: "Study", nodeType: "folder" });
    expect(named(listener.home.folders, "Study")).toBe(den);
  });

  test("gives a scene its members and their levels", async () => {
    const reading = named(editor.home.groups, "Reading");
    const roles = JSON.parse((await editor.send("GET", `/api/groups/nodeRoles/${encodeURIComponent(LAMP)}`)).text);
    expect(roles.data).toEqual({ availableAsController: expect.any(Boolean), availableAsResponder: true });
    const types = await editor.send(
      "GET",
      `/api/groups/linkTypes?controller=${reading}&responder=${encodeURIComponent(LAMP)}`,
    );
    const { linkTypes } = JSON.parse(types.text).data as { linkTypes: { type: string; linkdef?: string }[] };
    const linkdef = linkTypes.find(({ type }) => type === "native")?.linkdef;
    await edit("POST", `/api/groups/members/${reading}`, { nodeAddress: LAMP, isController: false });
    await edit("POST", `/api/groups/members/${reading}`, { nodeAddress: OTHER, isController: false, name: "Reading" });
    const params = [{ type: "val", id: "OL", val: { value: 45, uom: 51, prec: 0 } }];
    const link = { node: LAMP, type: "native", linkdef, params };
    await edit("PATCH", `/api/groups/links/${reading}`, { controllerAddress: reading, link });
    const own = listener.home.groups.get(reading)?.controllers.get(reading);
    expect(own?.get(LAMP)).toMatchObject({ type: "native", parameters: { OL: { value: 45 } } });
    const command = {
      node: OTHER,
      type: "cmd",
      cmd: "DON",
      params: [{ type: "val", id: "", val: { value: 90, uom: 51 } }],
    };
    await edit("PATCH", `/api/groups/links/${reading}`, { controllerAddress: reading, link: command });
    await edit("DELETE", `/api/groups/members/${reading}`, { nodeAddress: OTHER });
    expect(listener.home.groups.get(reading)?.controllers.get(reading)?.has(OTHER)).toBe(false);
  });

  test("removes what it made, and a node", async () => {
    const { home } = controller.services;
    await edit("DELETE", at(named(editor.home.groups, "Reading")), { nodeType: "group" });
    await edit("PATCH", at(LAMP), { nodeType: "node", parentAddress: "0", parentNodeType: "0" });
    await edit("DELETE", at(named(editor.home.folders, "Study")), { nodeType: "folder" });
    await edit("DELETE", at(LAMP), { nodeType: "node", family: 1 });
    expect(home.nodes.has(LAMP)).toBe(false);
  });

  test("enables and disables without the nodeType; the frame carries it, and the document too", async () => {
    const { status } = await editor.send("PATCH", at(OTHER), { enabled: false });
    await editor.refresh();
    expect([status, controller.services.home.nodes.get(OTHER)?.enabled]).toEqual([200, false]);
    await editor.send("PATCH", at(OTHER), { enabled: true });
  });

  test("gets the reason why a write is refused", async () => {
    const { status, text } = await editor.send("PATCH", at("11001"), { name: " x", nodeType: "folder" });
    const { errorCode, errorMessage } = JSON.parse(text);
    expect([status, errorCode, errorMessage]).toEqual([400, "BAD_NAME", "A name must not start or end with a space."]);
  });
});
