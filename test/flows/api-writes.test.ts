/** Writing through the JSON surface: variables and renames, with their frames. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

type Variable = {
  readonly id: string;
  readonly val: number;
  readonly init: number;
  readonly prec: number;
  readonly name: string;
  readonly ts: string;
};

let controller: TestController;
const done = { successful: true, data: null };

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});

afterAll(() => controller[Symbol.asyncDispose]());

async function list(type: number): Promise<readonly Variable[]> {
  return (await controller.portal.get(`/api/variables/${type}`)).json<{ data: Variable[] }>().data;
}

async function make(prec: number): Promise<Variable> {
  const answer = await controller.portal.put("/api/variables/1", { name: `made at ${prec}`, prec });
  expect(answer.status).toBe(200);
  return answer.json<{ data: Variable }>().data;
}

async function write(id: string, body: string): Promise<number> {
  const answer = await controller.portal.request("POST", `/api/variables/1/${id}`, {
    headers: { ...controller.bearer(), "Content-Type": "application/json" },
    body,
  });
  return answer.status;
}

const read = async (id: string) => (await list(1)).find((variable) => variable.id === id);

describe("variables", () => {
  test("both types are arrays of raw numbers with string ids", async () => {
    for (const type of [1, 2]) {
      const variables = await list(type);
      expect(variables.length).toBeGreaterThanOrEqual(10);
      for (const { id, val, init, prec, ts } of variables) {
        expect([typeof id, typeof val, typeof init, typeof prec]).toEqual(["string", "number", "number", "number"]);
        expect(ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }
    }
  });
  test("writing a value changes val and ts and answers an object", async () => {
    const { id, ts } = await make(0);
    await controller.clock.advance(2000);
    const answer = await controller.portal.post(`/api/variables/1/${id}`, { value: 5 });
    expect([answer.status, answer.json()]).toEqual([200, done]);
    const after = await read(id);
    expect([after?.val, after?.ts !== ts]).toEqual([5, true]);
  });
  test("a number with a decimal point is a displayed value, also 5.0", async () => {
    const { id } = await make(2);
    for (const [text, raw] of [
      ["5.25", 525],
      ["5.0", 500],
      ["5", 5],
      ["-1.5", -150],
      ["1e2", 10_000],
      ["0.005", 1],
    ] as const) {
      expect([await write(id, `{"value":${text}}`), (await read(id))?.val]).toEqual([200, raw]);
    }
  });
  test("writing init changes only init, and not ts", async () => {
    const before = await make(0);
    await controller.clock.advance(2000);
    await write(before.id, '{"init":7}');
    expect(await read(before.id)).toEqual({ ...before, init: 7 });
  });
  test("name and precision can be written alone", async () => {
    const before = await make(1);
    await write(before.id, '{"name":"renamed"}');
    await write(before.id, '{"prec":3}');
    expect(await read(before.id)).toEqual({ ...before, name: "renamed", prec: 3 });
  });
  test("several keys are refused and change nothing", async () => {
    const before = await make(0);
    expect(await write(before.id, '{"value":1,"init":2}')).toBe(400);
    expect(await write(before.id, "{}")).toBe(400);
    expect(await read(before.id)).toEqual(before);
  });
  test("a new variable has an id, its precision, and zeros; init and value are echoed but not stored", async () => {
    const answer = await controller.portal.put("/api/variables/2", { name: "New", init: 4, value: 9, prec: 2 });
    const made = answer.json<{ data: Variable & { value: number } }>().data;
    expect(made).toMatchObject({ id: expect.stringMatching(/^\d+$/), name: "New", prec: 2, init: 4, value: 9 });
    expect((await list(2)).find(({ id }) => id === made.id)).toMatchObject({ val: 0, init: 0, prec: 2 });
    expect((await controller.portal.put("/api/variables/2", { name: "Plain" })).json()).toMatchObject({
      data: { prec: 0, val: 0, init: 0 },
    });
  });
  test("DELETE with no body and Content-Length 0 removes it", async () => {
    const { id } = await make(0);
    const answer = await controller.portal.request("DELETE", `/api/variables/1/${id}`, {
      headers: { ...controller.bearer(), "Content-Length": "0" },
    });
    expect([answer.status, answer.json(), await read(id)]).toEqual([200, done, undefined]);
  });
  test("unknown ids and types are refused with a status, never with 200", async () => {
    const { portal } = controller;
    const answers = [
      await portal.post("/api/variables/1/9999", { value: 1 }),
      await portal.delete("/api/variables/1/9999"),
      await portal.get("/api/variables/3"),
      await portal.post("/api/variables/x/1", { value: 1 }),
      await portal.post("/api/variables/1/one", { value: 1 }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(answers.every((answer) => answer.json<{ successful: boolean }>().successful === false)).toBe(true);
  });
  test("numbers that a variable cannot hold are refused exactly, and change nothing", async () => {
    const before = await make(0);
    for (const text of [
      "2147483648",
      "-2147483649",
      "9007199254740993",
      "1e400",
      "1e20",
      '"5"',
      "null",
      "true",
      "[]",
      "NaN",
    ]) {
      expect([text, await write(before.id, `{"value":${text}}`)]).toEqual([text, 400]);
    }
    expect(await write(before.id, '{"value":2147483647}')).toBe(200);
    expect((await read(before.id))?.val).toBe(2_147_483_647);
  });
});

describe("frames of variables", () => {
  test("value is _1/6, init _1/7, and everything about the table _1/9, after the list has changed", async () => {
    const stream = await controller.subscribe("rest");
    await stream.next((frame) => frame.control === "_0");
    const { id } = await make(1);
    const seen = async (action: string) =>
      (await stream.next((frame) => frame.control === "_1" && frame.action === action)).text;
    expect(await seen("9")).toContain('<var type="1" id="0" />');
    await write(id, '{"value":12}');
    expect(await seen("6")).toMatch(
      new RegExp(`<var type="1" id="${id}"><prec>1</prec><val>12</val><ts>\\d{8} \\d\\d:\\d\\d:\\d\\d </ts></var>`),
    );
    await write(id, '{"value":12}');
    expect(await seen("6")).toContain("<val>12</val>");
    await write(id, '{"init":3}');
    expect(await seen("7")).toContain(`<var type="1" id="${id}"><init>3</init><prec>1</prec></var>`);
    for (const change of ['{"name":"other"}', '{"prec":2}']) {
      await write(id, change);
      expect(await seen("9")).toContain('type="1"');
    }
    await controller.portal.delete(`/api/variables/1/${id}`);
    expect(await seen("9")).toContain('type="1"');
    await stream.close();
  });
});

describe("renames", () => {
  type Named = { readonly address: string; readonly name: string };
  const tree = async () =>
    (await controller.portal.get("/api/nodes")).json<{
      data: { nodes: Record<"node" | "group" | "folder", Named[]> };
    }>().data.nodes;

  for (const [kind, verb] of [
    ["node", "NN"],
    ["group", "GN"],
    ["folder", "FN"],
  ] as const) {
    test(`a ${kind} is renamed; both documents have the new name before ${verb} is sent`, async () => {
      const stream = await controller.subscribe("rest");
      await stream.next((frame) => frame.control === "_0");
      const { address } = (await tree())[kind].at(-1) ?? { address: "" };
      const name = `Renamed <${kind}> & "more" 😀`;
      const answer = await controller.portal.post(`/api/nodes/${encodeURIComponent(address)}`, {
        name,
        nodeType: kind,
      });
      expect([answer.status, answer.json()]).toEqual([200, done]);
      const frame = await stream.next(({ control, action }) => control === "_3" && action === verb);
      expect([
        frame.node,
        frame.text.includes(`<newName>Renamed &lt;${kind}&gt; &amp; &quot;more&quot; 😀</newName>`),
      ]).toEqual([address, true]);
      expect((await tree())[kind].find((entry) => entry.address === address)?.name).toBe(name);
      expect((await controller.portal.get("/rest/nodes")).text).toContain(`<name>Renamed &lt;${kind}&gt;`);
      await stream.close();
    });
  }

  test("without nodeType, or with a wrong one, a rename is refused and changes nothing", async () => {
    const before = await tree();
    const address = encodeURIComponent(before.node[0]?.address ?? "");
    expect((await controller.portal.post(`/api/nodes/${address}`, { name: "x" })).status).toBe(400);
    expect((await controller.portal.post(`/api/nodes/${address}`, { name: "x", nodeType: "scene" })).status).toBe(400);
    expect((await controller.portal.post(`/api/nodes/${address}`, { name: "x", nodeType: "folder" })).status).toBe(404);
    expect((await controller.portal.post("/api/nodes/nowhere", { name: "x", nodeType: "node" })).status).toBe(404);
    expect(await tree()).toEqual(before);
  });

  test("%20 is decoded, a colon may stand raw, %2F is data", async () => {
    const { uuid } = (await controller.portal.get("/api/config")).json<{ data: { uuid: string } }>().data;
    expect((await controller.portal.post(`/api/nodes/${uuid}`, { name: "My home", nodeType: "group" })).status).toBe(
      200,
    );
    expect((await tree()).group.find(({ address }) => address === uuid)?.name).toBe("My home");
    expect((await controller.portal.post("/api/nodes/a%2Fb", { name: "x", nodeType: "node" })).status).toBe(404);
  });

  test("S11: names are kept as they are when they are text, and refused when they are not", async () => {
    const { address } = (await tree()).node[0] ?? { address: "" };
    const rename = async (name: string) =>
      (await controller.portal.post(`/api/nodes/${encodeURIComponent(address)}`, { name, nodeType: "node" })).status;
    for (const name of [
      "<script>alert(1)</script>",
      "=cmd|' /C calc'!A0",
      "from right to left: שלום",
      "x".repeat(200),
      "12345",
      "👩‍👩‍👧",
      "]]>",
    ]) {
      expect([name, await rename(name)]).toEqual([name, 200]);
      expect((await tree()).node[0]?.name).toBe(name);
      expect((await controller.portal.get("/rest/nodes")).text).not.toContain("<script>");
    }
    for (const name of ["", "x".repeat(201), "a\u0000b", "\u001b[31mred", "line\nbreak"])
      expect([name, await rename(name)]).toEqual([name, 400]);
  });
});
