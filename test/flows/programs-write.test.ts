/** Programs and their folders written through the JSON surface: stored, published, refused. */

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

type Trigger = {
  readonly id: number;
  readonly name: string;
  readonly parent: number;
  readonly version: number;
  readonly invalid?: true;
  readonly error?: string;
  readonly comment?: string;
};
type Listed = {
  readonly id: string;
  readonly parentId?: string;
  readonly name: string;
  readonly enabled?: boolean;
  readonly version: number;
};

const NOTHING = { if: [], then: [], else: [] };
const TREE = {
  if: [
    { type: "control", andOr: "and", id: "DON", node: "2D 7F E1 1", op: "IS" },
    { type: "paren", andOr: "or", conditions: [{ type: "triggerref", andOr: "and", refid: 2, is: false }] },
  ],
  then: [
    {
      type: "cmd",
      id: "DON",
      node: "1A 2B 3C 1",
      p: [{ type: "val", id: "n/a", val: { value: 60, prec: 0, uom: 51 } }],
    },
    { type: "wait", minutes: 5 },
    { type: "net", id: 1 },
  ],
  else: [{ type: "notify", recipient: 1, content: 2 }],
};
const UNKNOWN_NODE = { ...NOTHING, then: [{ type: "cmd", id: "DON", node: "99 99 99 1", p: [] }] };

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController({
    programStatementsMax: 20,
    programDepthMax: 3,
    programFolderDepthMax: 4,
    programCommentCharsMax: 50,
  });
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

const data = <T>(answer: Answer): T => answer.json<{ data: T }>().data;
const refusal = (answer: Answer) => [answer.status, answer.json<{ code: string }>().code];

async function make(body: object = { name: "made", ...TREE }): Promise<Trigger> {
  const answer = await controller.portal.put("/api/trigger", body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return data<Trigger>(answer);
}

async function makeFolder(body: object = {}): Promise<Listed> {
  const answer = await controller.portal.post("/api/programs", { name: "a folder", folder: true, ...body });
  expect(answer.status).toBe(200);
  return data<Listed>(answer);
}

const read = async (id: number) => controller.portal.get(`/api/triggers/${id}`);
const hex = (id: number) => id.toString(16).toUpperCase().padStart(4, "0");
const listed = async () => data<readonly Listed[]>(await controller.portal.get("/api/programs"));
const everything = async () => (await controller.portal.get("/api/triggers")).text;

describe("a program", () => {
  test("is made with PUT, and answered, listed and read as it was written", async () => {
    const made = await make({ name: "Hall", parent: 3, comment: "two\nlines", ...TREE });
    expect(made).toEqual({
      id: expect.any(Number),
      name: "Hall",
      parent: 3,
      comment: "two\nlines",
      ...TREE,
      version: expect.any(Number),
    });
    expect(data(await read(made.id))).toEqual(made);
    expect(data<Trigger[]>(await controller.portal.get("/api/triggers"))).toContainEqual(made);
    expect((await listed()).find(({ id }) => id === hex(made.id))).toMatchObject({
      parentId: "0003",
      enabled: true,
      version: made.version,
    });
  });

  test("lies in the root folder and is enabled unless its body says otherwise", async () => {
    const [plain, special] = [
      await make(),
      await make({ name: "x", ...NOTHING, parent: "0004", enabled: false, runAtStartup: true }),
    ];
    expect([plain.parent, special.parent]).toEqual([0, 4]);
    const one = await controller.portal.get(`/api/programs/${hex(special.id)}`);
    expect(data(one)).toMatchObject({ enabled: false, runAtStartup: true, parentId: "0004" });
  });

  test("is replaced by the id of the body, decimal or hex, and keeps what is left out", async () => {
    const made = await make({ name: "first", parent: 4, comment: "kept", ...TREE });
    const answer = await controller.portal.post("/api/trigger", { id: made.id, ...NOTHING });
    expect(data(answer)).toEqual({ ...made, ...NOTHING, version: made.version + 1 });
    const again = await controller.portal.post("/api/trigger", { id: hex(made.id).toLowerCase(), ...TREE, name: "n" });
    expect(data(again)).toEqual({ ...made, ...TREE, name: "n", version: made.version + 2 });
  });

  test("can be sent back as it was answered", async () => {
    const made = await make({ name: "x", ...UNKNOWN_NODE });
    expect(made.invalid).toBe(true);
    const answer = await controller.portal.post("/api/trigger", made);
    expect(data(answer)).toEqual(made);
  });

  test("takes single members, in any combination", async () => {
    const { id, version } = await make();
    const path = `/api/programs/${hex(id).toLowerCase()}`;
    const [condition] = TREE.if;
    const answer = await controller.portal.post(path, { comment: "c", runAtStartup: true, if: [condition] });
    expect(data(answer)).toMatchObject({ comment: "c", runAtStartup: true, if: [condition], version: version + 1 });
    expect(data(await controller.portal.post(path, { name: "n", parentId: 5, enabled: false }))).toMatchObject({
      name: "n",
      parentId: "0005",
      enabled: false,
      comment: "c",
    });
    expect(data(await read(id))).toMatchObject({ then: TREE.then, else: TREE.else });
  });

  test("is removed on both paths, once", async () => {
    const [one, other] = [await make(), await make()];
    const paths = [`/api/trigger/${one.id}`, `/api/programs/${hex(other.id)}`];
    for (const path of paths) expect((await controller.portal.delete(path)).status).toBe(200);
    for (const path of paths) expect(refusal(await controller.portal.delete(path))).toEqual([404, "PROGRAM_NOT_FOUND"]);
    expect((await read(one.id)).status).toBe(404);
  });
});

describe("guarantees for other clients", () => {
  test("the id of a removed program that is still named is given to no stranger", async () => {
    const naming = await make({ name: "naming", ...NOTHING });
    const { id } = await make({ name: "named", ...NOTHING });
    await controller.portal.post("/api/trigger", { id: naming.id, ...NOTHING, then: [{ type: "runthen", id }] });
    await controller.portal.delete(`/api/trigger/${id}`);
    expect((await make({ name: "stranger", ...NOTHING })).id).toBe(id + 1);
  });

  test("nor is that of a removed variable", async () => {
    const create = async () =>
      Number(data<{ id: string }>(await controller.portal.put("/api/variables/2", { name: "v" })).id);
    const id = await create();
    const condition = { type: "var", id, varType: "2", op: "IS", val: { value: 1 } };
    const naming = await make({ name: "naming", ...NOTHING, if: [condition] });
    await controller.portal.delete(`/api/variables/2/${id}`);
    expect(await create()).toBe(id + 1);
    const loaded = data<Trigger>(await controller.portal.get(`/api/triggers/${naming.id}`));
    expect(loaded).toMatchObject({ invalid: true, error: `There is no state variable ${id}.` });
  });

  test("an id that is named in advance is given to what comes", async () => {
    const naming = await make({ name: "naming", ...NOTHING });
    await controller.portal.post("/api/trigger", {
      id: naming.id,
      ...NOTHING,
      then: [{ type: "runthen", id: naming.id + 1 }],
    });
    expect((await make({ name: "next", ...NOTHING })).id).toBe(naming.id + 1);
  });

  test("Query All is built in: it can be disabled, not removed", async () => {
    expect(refusal(await controller.portal.delete("/api/programs/0002"))).toEqual([400, "BAD_REQUEST"]);
    expect(refusal(await controller.portal.delete("/api/trigger/2"))).toEqual([400, "BAD_REQUEST"]);
    expect((await controller.portal.post("/api/programs/0002", { enabled: false })).status).toBe(200);
  });

  test("a tree is copied by sending it back without its id", async () => {
    const { id, ...tree } = await make();
    const copy = await make(tree);
    expect(copy).toEqual({ ...tree, id: copy.id, version: copy.version });
    expect(copy.id).not.toBe(id);
  });
});

describe("folders inside one another", () => {
  const folder = async (name: string, parentId: string | number) =>
    controller.portal.post("/api/programs", { name, folder: true, parentId });

  test("go as deep as the settings say, also when a folder is moved with what is in it", async () => {
    const ids = ["0001"];
    for (const name of ["a", "b", "c", "d"]) ids.push(data<Listed>(await folder(name, ids.at(-1) ?? "")).id);
    expect(refusal(await folder("e", ids[4] ?? ""))).toEqual([409, "LIMIT_REACHED"]);
    const other = data<Listed>(await folder("other", 1)).id;
    const move = (id: string, parentId: string) => controller.portal.post(`/api/programs/${id}`, { parentId });
    expect(refusal(await move(ids[1] ?? "", other))).toEqual([409, "LIMIT_REACHED"]);
    expect((await move(ids[2] ?? "", other)).status).toBe(200);
    expect((await controller.portal.post(`/api/programs/${ids[4]}`, { name: "deepest" })).status).toBe(200);
  });
});

describe("a write with a version", () => {
  test("that is not the current one is refused and changes nothing", async () => {
    const { id, version } = await make();
    await controller.portal.post(`/api/programs/${hex(id)}`, { name: "someone else's" });
    const before = await everything();
    const answers = [
      await controller.portal.post("/api/trigger", { id, ...NOTHING, version }),
      await controller.portal.post(`/api/programs/${hex(id)}`, { enabled: false, version }),
      await controller.portal.delete(`/api/trigger/${id}?version=${version}`),
      await controller.portal.delete(`/api/programs/${hex(id)}?version=${version}`),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [409, "CONFLICT"]));
    expect(await everything()).toBe(before);
  });

  test("that is the current one succeeds, and so does a write without one", async () => {
    const { id, version } = await make();
    const moved = await controller.portal.post("/api/trigger", { id, ...NOTHING, version });
    expect(data<Trigger>(moved).version).toBe(version + 1);
    expect((await controller.portal.post("/api/trigger", { id, ...NOTHING })).status).toBe(200);
    expect((await controller.portal.delete(`/api/trigger/${id}?version=${version + 1}`)).status).toBe(200);
  });

  test("of a removed program matches no later one, which gets another id", async () => {
    const first = await make();
    await controller.portal.delete(`/api/trigger/${first.id}`);
    const second = await make();
    expect([second.id, second.version > first.version]).toEqual([first.id + 1, true]);
  });

  test("is not disturbed by runs, but by every other change", async () => {
    const { id, version } = await make({ name: "x", ...NOTHING });
    const versionNow = async () => data<Trigger>(await read(id)).version;
    for (const verb of ["runThen", "stop"]) await controller.local.get(`/rest/programs/${hex(id)}/${verb}`);
    await controller.local.get(`/rest/programs/${hex(id)}/enable`);
    expect(await versionNow()).toBe(version);
    await controller.local.get(`/rest/programs/${hex(id)}/disable`);
    expect(await versionNow()).toBe(version + 1);
  });
});

describe("a folder", () => {
  test("is made with conditions, lies in another, and is read back", async () => {
    const outer = await makeFolder({ if: TREE.if });
    const inner = await makeFolder({ name: "inner", parentId: outer.id });
    expect(outer).toMatchObject({ folder: true, parentId: "0001", if: TREE.if });
    expect(inner).toMatchObject({ folder: true, parentId: outer.id, if: [] });
    expect(data(await controller.portal.get(`/api/programs/${outer.id}`))).toEqual(outer);
    const gone = await controller.portal.post(`/api/programs/${outer.id}`, { if: [], name: "open" });
    expect(data(gone)).toMatchObject({ if: [], name: "open", version: outer.version + 1 });
  });

  test("with something in it is not removed", async () => {
    const folder = await makeFolder();
    const inside = await make({ name: "inside", parent: folder.id, ...NOTHING });
    const path = `/api/programs/${folder.id}`;
    expect(refusal(await controller.portal.delete(path))).toEqual([409, "FOLDER_NOT_EMPTY"]);
    await controller.portal.delete(`/api/trigger/${inside.id}`);
    expect((await controller.portal.delete(path)).status).toBe(200);
  });

  test("cannot lie in itself, at any depth", async () => {
    const outer = await makeFolder();
    const middle = await makeFolder({ parentId: outer.id });
    const inner = await makeFolder({ parentId: middle.id });
    for (const parentId of [outer.id, middle.id, inner.id]) {
      const answer = await controller.portal.post(`/api/programs/${outer.id}`, { parentId });
      expect(refusal(answer)).toEqual([400, "BAD_VALUE"]);
    }
  });

  test("the root one is renamed, but neither moved nor removed", async () => {
    expect(data(await controller.portal.post("/api/programs/0001", { name: "All" }))).toMatchObject({ name: "All" });
    const answers = [
      await controller.portal.delete("/api/programs/0001"),
      await controller.portal.post("/api/programs/0001", { parentId: "0003" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  });

  test("is no trigger, and a program is no folder", async () => {
    const { id } = await makeFolder();
    const decimal = Number.parseInt(id, 16);
    const { portal } = controller;
    expect([
      refusal(await portal.get(`/api/triggers/${decimal}`)),
      refusal(await portal.post("/api/trigger", { id, ...NOTHING })),
      refusal(await portal.delete(`/api/trigger/${decimal}`)),
      refusal(await portal.put("/api/trigger", { name: "x", parent: 2, ...NOTHING })),
    ]).toEqual([
      [404, "PROGRAM_NOT_FOUND"],
      [404, "PROGRAM_NOT_FOUND"],
      [404, "PROGRAM_NOT_FOUND"],
      [400, "BAD_VALUE"],
    ]);
  });
});

describe("missing things", () => {
  test.each<readonly [string, object, string]>([
    ["a node", UNKNOWN_NODE, "There is no node or group 99 99 99 1."],
    ["a program", { ...NOTHING, then: [{ type: "runif", id: 4000 }] }, "There is no program 0FA0."],
    ["a network resource", { ...NOTHING, else: [{ type: "net", id: 77 }] }, "There is no network resource 77."],
    [
      "a variable",
      {
        ...NOTHING,
        if: [{ type: "paren", conditions: [{ type: "var", id: 99, varType: "2", op: "IS", val: { value: 1 } }] }],
      },
      "There is no state variable 99.",
    ],
    [
      "a statement that this controller does not know",
      { ...NOTHING, then: [{ type: "x10", hc: "A", cc: 2, uc: 1 }] },
      'This controller does not carry out "x10" statements.',
    ],
    [
      "a program from whose last run a schedule counts",
      { ...NOTHING, if: [{ type: "schedule", at: { type: "lastruntime", refid: 4000, offsetSec: 60 } }] },
      "There is no program 0FA0.",
    ],
    [
      "a system value that it does not know",
      { ...NOTHING, then: [{ type: "var", varType: "1", id: 1, op: "EQ", sysval: "moonphase" }] },
      "This controller does not carry out assignments of this system value.",
    ],
  ])("%s: the program is kept with its reason", async (_what, tree, error) => {
    const made = await make({ name: "x", ...tree });
    expect(made).toMatchObject({ invalid: true, error });
    expect(data(await controller.portal.get(`/api/programs/${hex(made.id)}`))).toMatchObject({ invalid: true, error });
    const mended = await controller.portal.post("/api/trigger", { id: made.id, ...NOTHING });
    expect(data<Trigger>(mended).invalid).toBeUndefined();
  });

  test("the root group, scenes and nodes all exist", async () => {
    const root = controller.services.home.controller.uuid;
    const then = [root, "31004", "1A 2B 3C 1"].map((node) => ({ type: "cmd", id: "QUERY", node, p: [] }));
    expect((await make({ name: "x", ...NOTHING, then })).invalid).toBeUndefined();
  });
});

describe("added and removed programs", () => {
  const invalid = async (id: number) => data<Trigger>(await read(id)).error ?? null;

  test("a program is loaded when what it names is there, and not loaded when it is gone; its version stays", async () => {
    const first = await make({ name: "named", ...NOTHING });
    const second = await make({ name: "names it", ...NOTHING, then: [{ type: "runif", id: first.id }] });
    expect(second.invalid).toBeUndefined();
    await controller.portal.delete(`/api/trigger/${first.id}`);
    await vi.waitFor(async () => expect(await invalid(second.id)).toBe(`There is no program ${hex(first.id)}.`));
    const { id } = data<{ id: string }>(await controller.portal.put("/api/variables/2", { name: "new" }));
    const third = await make({
      name: "x",
      ...NOTHING,
      if: [{ type: "var", id: Number(id) + 1, varType: "2", op: "IS", val: { value: 1 } }],
    });
    expect(third.invalid).toBe(true);
    await controller.portal.put("/api/variables/2", { name: "the one that was missing" });
    await vi.waitFor(async () => expect(await invalid(third.id)).toBe(null));
    expect(data<Trigger>(await read(third.id)).version).toBe(third.version);
  });

  test("a program that waits ends when its tree is replaced or it is removed, and goes on when only its name changes", async () => {
    const running = async (id: number) =>
      data<{ running: string }>(await controller.portal.get(`/api/programs/${hex(id)}`)).running;
    const hours = (...spans: readonly number[]) => spans.map((each) => ({ type: "wait", hours: each }));
    const waits = { name: "waits", ...NOTHING, then: hours(1, 1) };
    const { id } = await make(waits);
    await controller.local.get(`/rest/programs/${hex(id)}/runThen`);
    await vi.waitFor(async () => expect(await running(id)).toBe("running then"));
    await controller.portal.post(`/api/programs/${hex(id)}`, { name: "renamed", comment: "c" });
    expect(await running(id)).toBe("running then");
    await controller.portal.post("/api/trigger", { id, ...waits, then: hours(2, 1) });
    await vi.waitFor(async () => expect(await running(id)).toBe("idle"));
    await controller.local.get(`/rest/programs/${hex(id)}/runThen`);
    expect((await controller.portal.delete(`/api/trigger/${id}`)).status).toBe(200);
    await controller.clock.advance(3 * 3_600_000);
    await controller.login(); // The token has expired meanwhile.
    expect((await read(id)).status).toBe(404);
  });
});

describe("a bad body", () => {
  const noIf = { then: [], else: [] };
  const deep = (depth: number): object =>
    depth === 0 ? { type: "triggerref", refid: 2, is: true } : { type: "paren", conditions: [deep(depth - 1)] };

  test.each<readonly [string, "put" | "post", string, object | null, number, string]>([
    ["no name", "put", "/api/trigger", NOTHING, 400, "BAD_BODY"],
    ["no if", "put", "/api/trigger", { name: "x", ...noIf }, 400, "BAD_BODY"],
    ["an id", "put", "/api/trigger", { id: 7, name: "x", ...NOTHING }, 400, "BAD_BODY"],
    ["xml", "put", "/api/trigger", { xml: "<d2d/>", name: "x", ...NOTHING }, 400, "BAD_BODY"],
    ["a list", "put", "/api/trigger", [], 400, "BAD_BODY"],
    ["a number", "put", "/api/trigger", { name: 7, ...NOTHING }, 400, "BAD_BODY"],
    ["no name in the name", "put", "/api/trigger", { name: "", ...NOTHING }, 400, "BAD_NAME"],
    ["a name with a control character", "put", "/api/trigger", { name: "a\u0007", ...NOTHING }, 400, "BAD_NAME"],
    ["no such folder", "put", "/api/trigger", { name: "x", parent: 900, ...NOTHING }, 400, "BAD_VALUE"],
    ["no folder at all", "put", "/api/trigger", { name: "x", parent: "zz", ...NOTHING }, 400, "BAD_BODY"],
    ["a long comment", "put", "/api/trigger", { name: "x", comment: "c".repeat(51), ...NOTHING }, 400, "BAD_BODY"],
    ["NUL in the comment", "put", "/api/trigger", { name: "x", comment: "\u0000", ...NOTHING }, 400, "BAD_BODY"],
    [
      "too many statements",
      "put",
      "/api/trigger",
      { name: "x", ...NOTHING, then: Array(21).fill({ type: "wait", hours: 1 }) },
      400,
      "PROGRAM_TOO_LARGE",
    ],
    ["deep parentheses", "put", "/api/trigger", { name: "x", ...NOTHING, if: [deep(4)] }, 400, "PROGRAM_TOO_LARGE"],
    ["no id", "post", "/api/trigger", NOTHING, 400, "BAD_BODY"],
    ["an unknown id", "post", "/api/trigger", { id: 999, ...NOTHING }, 404, "PROGRAM_NOT_FOUND"],
    ["no folder true", "post", "/api/programs", { name: "x" }, 400, "BAD_BODY"],
    ["folder false", "post", "/api/programs", { name: "x", folder: false }, 400, "BAD_BODY"],
    ["actions in a folder", "post", "/api/programs", { name: "x", folder: true, then: [] }, 400, "BAD_BODY"],
    ["a folder that is enabled", "post", "/api/programs/0003", { enabled: true }, 400, "BAD_BODY"],
    ["a folder with a comment", "post", "/api/programs/0003", { comment: "x" }, 400, "BAD_BODY"],
    ["an unknown member", "post", "/api/programs/0007", { nmae: "x" }, 400, "BAD_BODY"],
    ["a text for a flag", "post", "/api/programs/0007", { enabled: "true" }, 400, "BAD_BODY"],
    ["a fraction as version", "post", "/api/programs/0007", { version: 1.5 }, 400, "BAD_BODY"],
    ["an id that is none", "post", "/api/programs/00GG", {}, 404, "PROGRAM_NOT_FOUND"],
  ])("with %s is refused, and nothing is stored", async (_what, method, path, body, status, code) => {
    const before = await everything();
    expect(refusal(await controller.portal[method](path, body))).toEqual([status, code]);
    expect(await everything()).toBe(before);
  });

  test("is none with as many parentheses as are allowed", async () => {
    const answer = await controller.portal.put("/api/trigger", { name: "Parentheses", ...NOTHING, if: [deep(3)] });
    expect(answer.status).toBe(200);
  });

  test("names the place", async () => {
    const body = { name: "x", ...NOTHING, if: [{ type: "paren", conditions: [{ type: "status", op: "EQ" }] }] };
    const answer = await controller.portal.put("/api/trigger", body);
    expect(answer.json<{ error: string }>().error).toContain('if[0].conditions[0] needs the member "id"');
  });

  test("paths with ids that are none find nothing", async () => {
    const { portal } = controller;
    const answers = [
      await portal.get("/api/triggers/000A"),
      await portal.get("/api/triggers/x"),
      await portal.get("/api/programs/12345"),
      await portal.delete("/api/trigger/-1"),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [404, "PROGRAM_NOT_FOUND"]));
    expect(refusal(await portal.delete("/api/trigger/7?version=x"))).toEqual([400, "BAD_VALUE"]);
  });
});

describe("over time", () => {
  test("every write is on disk when it is answered: a restart shows the same documents, versions included", async () => {
    const program = await make({ name: "after the restart", ...UNKNOWN_NODE });
    const folder = await makeFolder({ if: TREE.if });
    await controller.portal.post(`/api/programs/${folder.id}`, { name: "renamed" });
    const paths = ["/api/triggers", `/api/programs/${folder.id}`, `/api/triggers/${program.id}`];
    const before = await Promise.all(paths.map(async (path) => (await controller.portal.get(path)).text));
    await controller.restart();
    await controller.login();
    const after = await Promise.all(paths.map(async (path) => (await controller.portal.get(path)).text));
    expect(after).toEqual(before);
  });

  test("writes are published on the stream: the list for new or moved entries, the program's own state for programs", async () => {
    const stream = await controller.subscribe("rest");
    await stream.next((frame) => frame.control === "_0");
    const told = (action: string, info: string) =>
      stream.next((frame) => frame.control === "_1" && frame.action === action && frame.eventInfo.includes(info));
    const { id } = await make({ name: "told", ...UNKNOWN_NODE });
    const bareHex = id.toString(16).toUpperCase();
    await told("1", "");
    expect((await told("0", `<id>${bareHex}</id>`)).eventInfo).toContain("<s>F1</s>");
    await controller.portal.post("/api/trigger", { id, ...NOTHING });
    expect((await told("0", `<id>${bareHex}</id>`)).eventInfo).toContain("<s>31</s>");
    await controller.portal.post(`/api/programs/${hex(id)}`, { name: "elsewhere" });
    await told("1", "");
    await controller.portal.delete(`/api/trigger/${id}`);
    await told("1", "");
    stream.socket.terminate();
  });

  test("the home holds as many as its settings allow", async () => {
    await using small = await startTestController({ programsMax: 22 });
    await small.login();
    expect((await small.portal.put("/api/trigger", { name: "x", ...NOTHING })).status).toBe(200);
    const answers = [
      await small.portal.put("/api/trigger", { name: "x", ...NOTHING }),
      await small.portal.post("/api/programs", { name: "x", folder: true }),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [409, "LIMIT_REACHED"]));
  });
});
