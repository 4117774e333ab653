/** `domovoi mcp` as a process that the protocol's own client starts, against a running controller. */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMAND } from "../simulation/service-process.ts";
import { Assistant } from "../support/assistant.ts";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start();
  await line.read("login", "home", ...["--url", line.controller.controller.portalUrl, "--ca", line.authority]);
});
afterAll(() => line[Symbol.asyncDispose]());

async function start(args: readonly string[], env = line.portal): Promise<Assistant> {
  const client = new Client({ name: "test", version: "1" });
  const command = { command: process.execPath, args: [COMMAND, "mcp", ...args], env: { ...env } };
  await client.connect(new StdioClientTransport(command));
  return new Assistant(client);
}

test("offers the tools with the account of the environment", async () => {
  await using assistant = await start([]);
  expect(await assistant.ask("find", { text: "hall ceiling" })).toMatchObject({ things: [{ id: "1A 2B 3C 1" }] });
  const answer = await assistant.ask("command", { thing: "Hall Ceiling", command: "DON", values: [30] });
  expect(answer).toMatchObject({ outcomes: [{ id: "1A 2B 3C 1" }] });
  const calls = [assistant.ask("read", { thing: "Evening" }), assistant.ask("read", { thing: "Night Mode" })];
  expect(await Promise.all(calls)).toMatchObject([{ kind: "scene" }, { kind: "variable" }]);
});

test("uses a saved login, which goes on when the assistant leaves", async () => {
  for (const round of [1, 2]) {
    await using assistant = await start(["--controller", "home"], line.bare);
    expect([round, await assistant.ask("read", { thing: "Night Mode" })]).toMatchObject([round, { value: 0 }]);
  }
});

test("says on the terminal why it cannot start: a local account, a wrong password", async () => {
  expect(await line.run(["mcp"], line.local)).toMatchObject({ code: 2, stdout: "" });
  const { code, stderr } = await line.run(["mcp"], { ...line.portal, DOMOVOI_PASSWORD: "wrong, quite wrong" });
  expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining("password is wrong") });
});

test("domovoi proposals lists, shows, approves, rejects and stops", async () => {
  await using assistant = await start([]);
  expect((await line.run(["proposals", "list"])).stderr).toContain("There are no proposals.");
  const text = "Program 'Porch'\nIf\n  Control 'Hall Motion' is switched 'On'\nThen\n  Set 'Porch Light' 'On'\n";
  const { id } = await assistant.ask<{ id: string }>("propose", { kind: "program", why: "It is dark.", text });
  const shown = await line.read("proposals", "show", id);
  expect(shown).toContain("owner@example.org says: It is dark.\n");
  expect(shown).toContain("+     Control 'Hall Motion'");
  expect(await line.read("proposals", "approve", id)).toBe('Done: Create the program "Porch".\n');
  const change = { kind: "name", why: "Short.", address: "1A 2B 3C 1", name: "Lamp" };
  const { id: other } = await assistant.ask<{ id: string }>("propose", change);
  expect(await line.read("proposals", "reject", other)).toContain("Rejected: Rename");
  expect(await line.read("proposals", "list")).toMatch(/rejected +Rename "Hall Ceiling" to "Lamp"/);
  expect(await line.run(["proposals", "show", "none"])).toMatchObject({ code: 3 });
  await line.read("account", "add", "helper@example.org", "--assistant");
  expect(await line.read("account", "assistant", "helper@example.org", "--allow", "program", "name")).toContain(
    "changes without asking: program, name.",
  );
  const stopped = await line.read("proposals", "stop", "helper@example.org");
  expect(stopped).toContain("Edits undone: 0.");
  expect(stopped).not.toContain("␊");
});
