/** Documents that are parts of other received documents. */

import { expect, test } from "vitest";
import { readXml } from "../support/read-xml.ts";
import { savedFiles, startTwinOf } from "../support/twin.ts";

test("devices and scenes of the tree, kinds of definitions, and full definitions are served as in the whole", async () => {
  await using running = await startTwinOf("wired");
  const { portal } = running.twin;
  const told = readXml(savedFiles("wired").get("rest-nodes.xml") ?? "");
  const named = (name: string) => told.children.filter((child) => child.name === name);
  const served = async (path: string) => readXml((await portal.get(path)).text).children;
  expect(await served("/rest/nodes/devices")).toEqual(named("node"));
  expect(await served("/rest/nodes/scenes")).toEqual(named("group"));
  type Families = { families: { instances: Record<string, unknown>[] }[] };
  const whole = JSON.parse(savedFiles("wired").get("profiles.json") ?? "") as Families;
  const editors = (await portal.get("/rest/profiles?include=editors")).json<Families>();
  expect(editors.families[1]?.instances[0]).toEqual({
    id: "1",
    name: "",
    note: "extra",
    editors: whole.families[1]?.instances[0]?.editors,
  });
});

test("a client that requests full nodedefs gets the received ones under the name that it reads", async () => {
  await using running = await startTwinOf("radio");
  const { portal } = running.twin;
  const told = readXml(savedFiles("radio").get("radio-nodedefs.xml") ?? "").children;
  const full = readXml((await portal.get("/rest/zmatter/zwave/node/0/def/get?full=true")).text).children;
  expect(full.map(({ name }) => name)).toEqual(told.map(() => "nodeDef"));
  expect(full.map(({ attributes, children }) => ({ attributes, children }))).toEqual(
    told.map(({ attributes, children }) => ({ attributes, children })),
  );
});
