/** `domovoi guest`: a link is made for one person, works for what it names, is listed without its token, and is revoked. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line[Symbol.asyncDispose]());

const domovoi = (...args: readonly string[]) => line.run(args);

async function nodesFor(token: string): Promise<{ readonly status: number; readonly names: readonly string[] }> {
  const headers = { Authorization: `Bearer ${token}` };
  const { status, text } = await line.controller.portal.request("GET", "/rest/nodes/devices", { headers });
  return { status, names: [...text.matchAll(/<name>([^<]+)</g)].map(([, name = ""]) => name) };
}

test("a link is made with names of things and a time, works, is listed and revoked", async () => {
  const made = await domovoi(
    ...["guest", "create", "Dog walker", "--node", "Hall Ceiling", "--scene", "31001"],
    ...["--command", "DON", "--for", "2h"],
  );
  const link = new RegExp(`^${line.controller.controller.portalUrl}/#(guest\\.[0-9a-f]{16}\\.[0-9a-f]{64})$`, "m");
  expect([made.code, made.stderr, made.stdout]).toEqual([0, "", expect.stringMatching(link)]);
  const token = link.exec(made.stdout)?.[1] ?? "";
  expect(await nodesFor(token)).toEqual({ status: 200, names: ["Hall Ceiling"] });

  const listed = await domovoi("guest", "list", "--json");
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { name: "Dog walker", role: "guest", limits: { nodes: ["1A 2B 3C 1"], scenes: ["31001"], commands: ["DON"] } },
  ]);
  expect(listed.stdout).not.toContain(token);
  expect((await domovoi("guest", "list")).stdout).toMatch(
    /Dog walker +guest +[\d-]{10} [\d:]{8} +[\d-]{10} [\d:]{8} +Hall Ceiling, Welcome Home \(only DON\)/,
  );

  expect(await domovoi("guest", "revoke", "dog walker")).toMatchObject({ code: 0, stderr: "" });
  expect((await nodesFor(token)).status).toBe(401);
  expect(await domovoi("guest", "list")).toEqual({ code: 0, stdout: "", stderr: "There are no guest links.\n" });
});

test("a link without a time has no end in the list", async () => {
  await domovoi("guest", "create", "Neighbor", "--node", "Hall Ceiling");
  expect((await domovoi("guest", "list")).stdout).toMatch(/Neighbor +guest +no end +none +Hall Ceiling/);
  await domovoi("guest", "revoke", "Neighbor");
});

test("an impossible guest link is refused with its reason", async () => {
  expect(await domovoi("guest", "create", "Nobody")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--node, --scene, --folder"),
  });
  expect(await domovoi("guest", "create", "Nobody", "--node", "Hall Celing")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("Hall Ceiling"),
  });
  expect(await domovoi("guest", "create", "Nobody", "--node", "Hall Ceiling", "--for", "soon")).toMatchObject({
    code: 2,
  });
  expect(await domovoi("guest", "revoke", "Nobody")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("domovoi guest list"),
  });
});

test("an account is limited to what is named, and has no limits again", async () => {
  expect((await domovoi("account", "add", "lodger", "--role", "user")).code).toBe(0);
  const limited = await domovoi("account", "limit", "Lodger", "--node", "Hall Ceiling", "--json");
  expect(JSON.parse(limited.stdout)).toMatchObject({ login: "lodger", limits: { nodes: ["1A 2B 3C 1"] } });
  const free = await domovoi("account", "limit", "lodger", "--none");
  expect(free).toEqual({ code: 0, stdout: '"lodger" has no limits.\n', stderr: "" });
  expect((await domovoi("account", "limit", "lodger")).code).toBe(2);
  expect((await domovoi("account", "limit", "nobody", "--none")).code).toBe(3);
});
