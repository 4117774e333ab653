/** Changes in a twin show in its documents, and nothing else changes; the stream agrees. */

import { describe, expect, test } from "vitest";
import { findVariable } from "../../src/home/variables.ts";
import { compareJson, compareXml } from "../support/compare-documents.ts";
import type { TestController } from "../support/controller.ts";
import { children, readXml } from "../support/read-xml.ts";
import { startTwinOf } from "../support/twin.ts";

const PATHS = [
  "/api/config",
  "/api/nodes",
  "/api/groups",
  "/api/programs",
  "/api/triggers",
  "/api/variables/1",
  "/api/variables/2",
  "/rest/profiles?include=nodedefs,editors,linkdefs",
  "/rest/status",
  "/rest/nodes",
  "/rest/networking/resources",
] as const;

async function documents({ portal }: TestController): Promise<ReadonlyMap<string, string>> {
  const answers = PATHS.map(async (path) => [path, (await portal.get(path)).text] as const);
  return new Map(await Promise.all(answers));
}

/** Every field of every document that is another one after `act`. */
async function changedBy(twin: TestController, act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await documents(twin);
  await act();
  const after = await documents(twin);
  return [...before].flatMap(([path, text]) => {
    const compare = text.startsWith("<") ? compareXml : compareJson;
    return compare(text, after.get(path) ?? "").map((line) => `${path} ${line}`);
  });
}

describe("only what has changed is written by the twin", { timeout: 30_000 }, () => {
  test("a lamp that is switched: its value and its words, in every document", async () => {
    await using running = await startTwinOf("wired");
    const { twin } = running;
    await twin.portal.get("/rest/programs/00A3/disable");
    expect(await changedBy(twin, () => twin.portal.get("/rest/nodes/3F%201%20A0%201/cmd/DON/100/51"))).toEqual([
      '/api/nodes .data.nodes.node[0].property[0].value: "127", now "255"',
      '/api/nodes .data.nodes.node[0].property[0].formatted: "50%", now "100%"',
      '/rest/status /nodes[1]/node[2]/property@.value: "127", now "255"',
      '/rest/status /nodes[1]/node[2]/property@.formatted: "50%", now "100%"',
      '/rest/nodes /nodes[4]/node[12]/property@.value: "127", now "255"',
      '/rest/nodes /nodes[4]/node[12]/property@.formatted: "50%", now "100%"',
    ]);
  });

  test("a new name: the name", async () => {
    await using running = await startTwinOf("plugins");
    const { twin } = running;
    const rename = () => twin.portal.post("/api/nodes/n012_pool", { name: "Basin", nodeType: "node" });
    expect(await changedBy(twin, rename)).toEqual([
      '/api/nodes .data.nodes.node[2].name: "Pool", now "Basin"',
      '/rest/nodes /nodes[5]/node[1]/name: the text "Pool", now "Basin"',
    ]);
  });

  test("a variable that was received with numbers as texts keeps them as texts", async () => {
    await using running = await startTwinOf("plugins");
    const { twin } = running;
    const lines = await changedBy(twin, () => twin.portal.post("/api/variables/2/2", { value: 16 }));
    expect(lines).toEqual([
      '/api/variables/2 .data[0].val: "15", now "16"',
      '/api/variables/2 .data[0].ts: "2031-02-03T04:05:06.000Z", now "2026-05-02T12:00:00.000Z"',
    ]);
  });

  test("a new variable follows the received ones; a received one that no home can hold stays", async () => {
    await using running = await startTwinOf("wired");
    const { twin } = running;
    await twin.portal.put("/api/variables/2", { name: "Fresh" });
    const { data } = (await twin.portal.get("/api/variables/2")).json<{ data: readonly object[] }>();
    expect(data).toMatchObject([{ id: "3" }, { name: "nameless id" }, { id: "4", name: "Fresh" }]);
    await twin.portal.delete("/api/variables/2/3");
    expect((await twin.portal.get("/api/variables/2")).json()).toMatchObject({
      data: [{ name: "nameless id" }, { id: "4" }],
    });
  });

  test("a program that is moved among programs with numbers as order gets a number", async () => {
    await using running = await startTwinOf("plugins");
    const { twin } = running;
    const made = await twin.portal.post("/api/programs", { name: "Box", folder: true });
    const { data } = made.json<{ data: { id: string } }>();
    const move = () => twin.portal.post("/api/programs/1234", { parentId: data.id });
    expect(await changedBy(twin, move)).toEqual([
      `/api/programs .data[2].parentId.number: "26", now "${Number.parseInt(data.id, 16)}"`,
      '/api/programs .data[2].version: undefined, now {"number":"2"}',
    ]);
    const listed = (await twin.portal.get("/api/programs")).json<{ data: readonly object[] }>().data;
    expect(listed.at(-1)).toMatchObject({ id: Number.parseInt(data.id, 16), parentId: 1, name: "Box" });
  });

  test("changes are there again after a restart, and everything else as received", async () => {
    await using running = await startTwinOf("radio");
    const { twin } = running;
    const change = async () => {
      await twin.portal.get("/rest/nodes/ZY010_1/cmd/SECMD/0/84");
      await twin.restart();
      await twin.login();
    };
    expect(await changedBy(twin, change)).toEqual([
      '/api/nodes .data.nodes.node[3].property[0].value: "100", now "0"',
      '/api/nodes .data.nodes.node[3].property[0].formatted: "Locked", now "Unlocked"',
      '/rest/status /nodes[3]/node[2]/property@.value: "100", now "0"',
      '/rest/status /nodes[3]/node[2]/property@.formatted: "Locked", now "Unlocked"',
      '/rest/nodes /nodes[5]/node[15]/property@.value: "100", now "0"',
      '/rest/nodes /nodes[5]/node[15]/property@.formatted: "Locked", now "Unlocked"',
    ]);
  });
});

describe("a twin in use", { timeout: 30_000 }, () => {
  test("a device that did not answer at its original is reached by the first command", async () => {
    await using running = await startTwinOf("wired");
    const { twin } = running;
    const flag = async () => {
      const { data } = (await twin.portal.get("/api/nodes")).json<{ data: { nodes: { node: { flag: string }[] } } }>();
      return data.nodes.node[6]?.flag;
    };
    expect(await flag()).toBe("144");
    expect((await twin.portal.get("/rest/nodes/22%20B1%204C%201/cmd/DON")).status).toBe(200);
    expect(await flag()).toBe("128");
  });

  test("a scene does what its links say", async () => {
    await using running = await startTwinOf("wired");
    const { twin } = running;
    await twin.portal.get("/rest/programs/00A3/disable");
    await twin.portal.get("/rest/nodes/31777/cmd/DON");
    const { nodes } = twin.services.home;
    expect(nodes.get("3F 1 A0 1")?.properties.get("ST")?.value).toBe(102);
    expect(nodes.get("1e 2f c 1")?.properties.get("ST")?.value).toBe(255);
  });

  test("its programs run, and its network resources send nothing", async () => {
    await using running = await startTwinOf("wired");
    const { twin } = running;
    const fired: string[] = [];
    twin.services.feed.listen(
      ({ change }) => void (change.type === "network-resource-fired" && fired.push(change.detail)),
    );
    expect((await twin.portal.get("/rest/programs/00A3/runElse")).status).toBe(200);
    await twin.clock.advance(0);
    expect(fired).toEqual(["Nothing was sent."]);
    // Left enabled, it would look at its condition again when the lamp moves.
    await twin.portal.get("/rest/programs/00A3/disable");
    await twin.portal.get("/rest/programs/00A3/runThen");
    await twin.clock.advance(120_000);
    expect(twin.services.home.nodes.get("3F 1 A0 1")?.properties.get("ST")?.value).toBe(153);
  });

  test("its first start is a warm one: variables keep their values, and programs for startup do not run", async () => {
    await using running = await startTwinOf("plugins");
    const { home } = running.twin.services;
    expect(findVariable(home, 2, 2)?.value).toBe(15);
    expect(home.programs.get(26)?.lastRunAtMs).toBe(Date.parse("2026-01-05T10:11:12.000Z"));
  });

  test.each(["plugins", "radio", "wired"] as const)(
    "%s: the replay of the stream has the values of the status table",
    async (name) => {
      await using running = await startTwinOf(name);
      const { twin } = running;
      const status = readXml((await twin.portal.get("/rest/status")).text);
      const nodes = children(status, "node").filter(({ attributes }) =>
        twin.services.home.nodes.has(attributes.id ?? ""),
      );
      const table = nodes.flatMap((node) =>
        children(node, "property")
          // Errors are bare numbers on the stream; a value that is no raw integer has no frame of the same spelling.
          .filter(({ attributes: { id, value = "" } }) => id !== "ERR" && /^-?\d+$/.test(value))
          .map(({ attributes: { id, value, formatted } }) => `${node.attributes.id} ${id} ${value} ${formatted}`),
      );
      const stream = await twin.subscribe("rest");
      await stream.next(({ control }) => control === "_0");
      await stream.close();
      const told = stream.frames.map(({ node, control, action, event }) => {
        return `${node} ${control} ${action} ${children(event, "fmtAct")[0]?.text}`;
      });
      expect(table.length).toBeGreaterThan(10);
      expect(table.filter((line) => !told.includes(line))).toEqual([]);
    },
  );
});
