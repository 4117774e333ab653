/** Proposals of assistants: kept, decided by a person, carried out as one edit, and taken back. */

import type { Proposal } from "@domovoi/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Assistant } from "../support/assistant.ts";
import { OWNER, startTestController, type TestController, type Tokens } from "../support/controller.ts";

const LAMP = "1A 2B 3C 1";
const LOCK = "ZW010_1";
const HELPER = "helper@example.org";
const PASSWORD = "a password for a helper";
const DRAFT = [
  "Program 'Porch by Motion'",
  "Folder 'Lights'",
  "If",
  "  Control 'Hall Motion' is switched 'On'",
  "Then",
  "  Set 'Porch Light' 'On'",
  "",
].join("\n");

let home: TestController;
let accountId: string;

async function bearer(): Promise<Readonly<Record<string, string>>> {
  const answer = await home.portal.post("/api/login", { username: HELPER, password: PASSWORD });
  return { Authorization: `Bearer ${answer.json<{ data: Tokens }>().data.accessToken}` };
}

const helper = async () => Assistant.connect(home.portal, await bearer());
const data = async <T>(answer: Promise<{ json<J>(): J }>) => (await answer).json<{ data: T }>().data;
const list = () => data<readonly Proposal[]>(home.portal.get("/api/proposals"));
const decide = (id: string, what: string) => home.portal.post(`/api/proposals/${id}/${what}`, {});
const edits = () =>
  data<readonly { title: string; by: string; undoneBy: number | null }[]>(home.portal.get("/api/edits"));
const act = (address: string) => home.portal.post(`/api/nodes/${encodeURIComponent(address)}/act`, { control: "DON" });

beforeEach(async () => {
  home = await startTestController({ proposalsMax: 3 });
  await home.login();
  const account = { kind: "portal", login: HELPER, role: "user", password: PASSWORD, assistant: [] };
  accountId = (await data<{ id: string }>(home.portal.post("/api/accounts", account))).id;
});
afterEach(() => home[Symbol.asyncDispose]());

describe("a proposal", () => {
  test("waits with its texts, findings and last week, also over a restart, and is carried out when a person approves", async () => {
    const assistant = await helper();
    const made = await assistant.ask<Proposal>("propose", { kind: "program", why: "The porch is dark.", text: DRAFT });
    expect(made).toMatchObject({ title: 'Create the program "Porch by Motion"', state: "waiting", findings: [] });
    await assistant[Symbol.asyncDispose]();
    await home.restart();
    await home.login();
    const [proposal] = await list();
    expect(proposal).toMatchObject({ account: HELPER, why: "The porch is dark.", before: null, isSecured: false });
    expect(proposal?.text).toContain("Set 'Porch Light'");
    expect(await edits()).toEqual([]);
    expect((await decide(made.id, "approve")).json()).toMatchObject({
      data: { state: "approved", decidedBy: OWNER.username },
    });
    expect(await edits()).toMatchObject([{ by: `${OWNER.username} (proposed by ${HELPER})`, undoneBy: null }]);
    expect((await decide(made.id, "approve")).status).toBe(409);
    expect((await home.portal.post("/api/edits/last/undo", {})).status).toBe(200);
    await using again = await helper();
    expect(await again.ask("find", { text: "Porch by Motion" })).toEqual({ things: [] });
  });

  test("that is rejected changes nothing, and its account sees the decision", async () => {
    await using assistant = await helper();
    const change = { kind: "name", why: "Clearer.", address: LAMP, name: "Hall Lamp" };
    const { id } = await assistant.ask<Proposal>("propose", change);
    expect((await decide(id, "reject")).status).toBe(200);
    expect(await edits()).toEqual([]);
    expect(await assistant.ask("proposals")).toMatchObject({
      proposals: [{ id, state: "rejected", decidedBy: OWNER.username, title: 'Rename "Hall Ceiling" to "Hall Lamp"' }],
    });
  });

  test("of a program that changed meanwhile is refused and goes on waiting", async () => {
    await using assistant = await helper();
    const { text } = await assistant.ask<{ text: string }>("read", { thing: "Hall Motion Light" });
    const { id } = await assistant.ask<Proposal>("propose", {
      kind: "program",
      why: "Longer.",
      text: text.replace("5 minutes", "9 minutes"),
    });
    await home.portal.post("/api/programs/text", { text: text.replace("5 minutes", "7 minutes") });
    expect((await decide(id, "approve")).json()).toMatchObject({ code: "CONFLICT" });
    expect(await list()).toMatchObject([{ id, state: "waiting" }]);
  });

  test("to a lock is sent when it is approved, and not before", async () => {
    await using assistant = await helper();
    expect(await assistant.refusal("command", { thing: LOCK, command: "UNLOCK" })).toContain("a person decides");
    const change = { kind: "command", why: "Guests.", address: LOCK, command: "UNLOCK" };
    const { id, ...made } = await assistant.ask<Proposal>("propose", change);
    expect(made).toMatchObject({ state: "waiting", secured: true, title: 'Send UNLOCK to "Front Door Lock"' });
    const sent = () => data<readonly { address: string; cause: { by: string } }[]>(home.portal.get("/api/commands"));
    expect(await sent()).toEqual([]);
    expect((await decide(id, "approve")).status).toBe(200);
    expect(await sent()).toMatchObject([{ address: LOCK, cause: { by: `${OWNER.username} (proposed by ${HELPER})` } }]);
  });

  test("that would fail is refused with the reason, and one beyond the limit waits outside", async () => {
    await using assistant = await helper();
    const propose = (change: object) => assistant.call("propose", { why: "Why not.", ...change });
    expect((await propose({ kind: "program", text: "Program 'X'\nIf\n  Nonsense\n" })).error).toContain("Line 3");
    expect((await propose({ kind: "name", address: "none", name: "X" })).error).toContain("There is no node");
    expect((await propose({ kind: "name", address: LAMP, name: " X" })).error).toContain("space");
    for (const name of ["A", "B", "C"]) await propose({ kind: "name", address: LAMP, name });
    expect((await propose({ kind: "name", address: LAMP, name: "D" })).error).toContain("limit");
    expect(await list()).toHaveLength(3);
  });

  test("cannot be approved by an assistant, with the header or by its account, nor by a user", async () => {
    await using assistant = await helper();
    const { id } = await assistant.ask<Proposal>("propose", { kind: "name", why: "X.", address: LAMP, name: "X" });
    const approve = (headers: object) =>
      home.portal.request("POST", `/api/proposals/${id}/approve`, { headers: { ...headers } });
    expect((await approve(await bearer())).status).toBe(403);
    expect((await approve({ ...home.bearer(), "Domovoi-Assistant": "propose" })).status).toBe(403);
    await home.portal.post(`/api/accounts/${accountId}`, { assistant: null });
    expect((await approve(await bearer())).status).toBe(403);
    expect(await list()).toMatchObject([{ state: "waiting" }]);
  });
});

describe("what an owner allows", () => {
  beforeEach(async () => {
    const allowed = await home.portal.post(`/api/accounts/${accountId}`, { assistant: ["program", "name"] });
    expect(allowed.json()).toMatchObject({ data: { assistant: ["program", "name"] } });
  });

  test("is done at once, with the assistant as its author", async () => {
    await using assistant = await helper();
    expect(await assistant.ask("propose", { kind: "program", why: "Dark.", text: DRAFT })).toMatchObject({
      state: "approved",
    });
    expect(await edits()).toMatchObject([{ by: `${HELPER} (assistant, propose)` }]);
  });

  test("does not hold for the name of a scene, or of a folder, that contains a lock", async () => {
    const created = async (body: object) =>
      (await home.portal.post("/api/nodes", body)).json<{ data: { address: string } }>().data.address;
    const folder = await created({ nodeType: "folder", name: "Doors" });
    const scene = await created({
      nodeType: "group",
      name: "Leaving",
      parentAddress: folder,
      parentNodeType: "folder",
    });
    expect((await home.portal.post(`/api/groups/members/${scene}`, { nodeAddress: LOCK })).status).toBe(200);
    await using assistant = await helper();
    for (const address of [scene, folder]) {
      const { data } = await assistant.call("propose", { kind: "name", why: "X.", address, name: "Other" });
      expect(data).toMatchObject({ state: "waiting", secured: true });
    }
  });

  test.each([
    ["a command to a lock", "  Set 'Front Door Lock' 'Unlock'"],
    ["a command to a room, whose reach grows with the home", "  Set all lamps in 'Kitchen' Off"],
    ["another program", "  Run program 'Hall Motion Light' (Then path)"],
    ["a variable", "  State variable 'Night Mode' = 1"],
  ])("does not hold for a program with %s", async (_what, statement) => {
    await using assistant = await helper();
    const text = DRAFT.replace("  Set 'Porch Light' 'On'", statement);
    const { error, data: made } = await assistant.call("propose", { kind: "program", why: "More.", text });
    expect({ error, made }).toMatchObject({ error: "", made: { state: "waiting", secured: true } });
    expect(await edits()).toEqual([]);
  });

  test("does not hold for the owner's own login, and no owner is an assistant", async () => {
    await using assistant = await Assistant.connect(home.portal, home.bearer());
    expect(await assistant.ask("propose", { kind: "name", why: "X.", address: LAMP, name: "X" })).toMatchObject({
      state: "waiting",
    });
    expect((await home.portal.post(`/api/accounts/${accountId}`, { role: "owner" })).status).toBe(400);
  });
});

test("stop ends the tokens of an assistant, rejects what waits, and undoes its edits, those of others not", async () => {
  await home.portal.post(`/api/accounts/${accountId}`, { assistant: ["program"] });
  const headers = await bearer();
  await using assistant = await Assistant.connect(home.portal, headers);
  await assistant.ask("propose", { kind: "program", why: "Dark.", text: DRAFT });
  const { id } = await assistant.ask<Proposal>("propose", { kind: "name", why: "X.", address: LAMP, name: "Lamp" });
  await decide(id, "approve");
  await home.portal.post("/api/nodes", { nodeType: "folder", name: "Attic" });
  await assistant.ask("propose", { kind: "name", why: "Y.", address: LAMP, name: "Waiting" });
  expect((await home.portal.post("/api/proposals/stop", { account: HELPER })).json()).toMatchObject({
    data: {
      rejected: 1,
      undone: ['Rename the node "Hall Ceiling" to "Lamp"', 'Create the program "Porch by Motion"'],
      kept: [],
    },
  });
  expect((await home.portal.request("GET", "/api/nodes", { headers })).status).toBe(401);
  expect((await home.portal.post("/api/login", { username: HELPER, password: PASSWORD })).status).toBe(401);
  const standing = (await edits()).filter(({ title, undoneBy }) => undoneBy === null && !title.startsWith("Undo"));
  expect(standing).toMatchObject([{ by: OWNER.username }]);
});

test("a conversation: why the lamp was on, a program of motion, approved, seen, and undone", async () => {
  await act("2D 7F E1 2");
  await home.clock.advance(3_600_000);
  await home.login();
  await using assistant = await helper();
  await act("2D 7F E1 1");
  await home.clock.advance(2_000);
  // 1: which lamp
  expect(await assistant.ask("find", { text: "ceiling", room: "hall" })).toMatchObject({ things: [{ id: LAMP }] });
  // 2: why it was on at 3
  const { sentences } = await assistant.ask<{ sentences: readonly string[] }>("why", {
    thing: LAMP,
    at: "2026-05-02T15:00:02",
  });
  expect(sentences.join(" ")).toContain('Program "Hall Motion Light" set it');
  // 3 and 4: what that program is, and what it did
  const { text } = await assistant.ask<{ text: string }>("read", { thing: "Hall Motion Light" });
  expect(text).toContain("60%");
  expect(await assistant.ask("trace", { program: "Hall Motion Light", limit: 1 })).toMatchObject({ runs: [{}] });
  // 5: a draft, with a mistake that the controller names
  const draft = DRAFT.replace("Porch by Motion", "Porch Follows").replace("'Porch Light'", "'Porch Lamp'");
  expect(await assistant.refusal("verify", { text: draft })).toContain("Line 6");
  // 6: mended
  const mended = draft.replace("Porch Lamp", "Porch Light");
  expect(await assistant.ask("verify", { text: mended })).toEqual({ findings: [] });
  // 7: what it would have done
  const replayed = await assistant.ask<{ total: number }>("replay", { text: mended, days: 0.01 });
  expect(replayed.total).toBe(1);
  // 8: proposed; a person approves
  const { id } = await assistant.ask<Proposal>("propose", { kind: "program", why: "The porch is dark.", text: mended });
  expect((await decide(id, "approve")).status).toBe(200);
  // 9: it runs
  await act("2D 7F E1 1");
  await home.clock.advance(2_000);
  expect(await assistant.ask("trace", { program: "Porch Follows" })).toMatchObject({ runs: [{}] });
  expect(await assistant.ask("read", { thing: "Porch Light" })).toMatchObject({ value: "On" });
  // 10: the person takes it back
  expect((await home.portal.post("/api/edits/last/undo", {})).status).toBe(200);
  expect(await assistant.refusal("trace", { program: "Porch Follows" })).toContain("There is no program");
});
