/** `domovoi twin` as a process: of a running controller, of saved documents, and following. */

import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@domovoi/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCOUNT as SCRIPTED_ACCOUNT, ScriptedServer, status } from "../client/support/scripted-server.ts";
import { CREDENTIALS, startService } from "../simulation/service-process.ts";
import { compareJson, compareXml } from "../support/compare-documents.ts";
import { OWNER } from "../support/controller.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { homeDirectory } from "../support/twin.ts";
import { CommandLine } from "./command-line.ts";
import { pipedInto } from "./shell.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start();
  await line.controller.login();
});
afterAll(() => line[Symbol.asyncDispose]());

const inDirectory = (name: string) => join(line.directory, name);
const READY = /^ready (\S+) /m;
const ACCOUNT = { user: OWNER.username, password: OWNER.password, insecure: true };

test("a twin of a running controller serves the same documents", { timeout: 30_000 }, async () => {
  const data = inDirectory("twin");
  const { code, stdout, stderr } = await line.run(["twin", line.controller.portal.url, "--data", data]);
  expect([code, stdout.split("\n")[1], stderr.includes("/api/triggers: ")]).toEqual([
    0,
    `Nodes            ${line.controller.services.home.nodes.size}, 0 of them disabled`,
    true,
  ]);
  expect(stdout).toContain(`domovoi serve --data ${data}`);
  const service = await startService(data);
  await using _process = service.process;
  const { username, password } = OWNER;
  let token = "";
  const bearer = (): Readonly<Record<string, string>> => (token ? { Authorization: `Bearer ${token}` } : {});
  const twin = createHttpsClient(() => service.portalUrl, bearer);
  const answer = await twin.post("/api/login", { username, password });
  token = answer.json<{ data: { accessToken: string } }>().data.accessToken;
  const { portal } = line.controller;
  for (const [path, compare] of [
    ["/api/nodes", compareJson],
    ["/api/triggers", compareJson],
    ["/rest/status", compareXml],
  ] as const) {
    expect(compare((await portal.get(path)).text, (await twin.get(path)).text)).toEqual([]);
  }
  twin.close();
});

test("a dry run of saved documents lists their contents, and creates nothing", async () => {
  const data = inDirectory("none");
  const { code, stdout } = await line.run(
    ["twin", "--from-files", homeDirectory("plugins"), "--data", data, "--dry-run"],
    {},
  );
  expect(code).toBe(0);
  expect(stdout).toContain("Unknown nodedefs n025_x (mystery), n025_Ünïcode (mystery), GARAGE01 (RelayLoadControl)");
  expect(stdout).toContain(
    "Without effect   weather DISCOVER, pool SERVICE, ELKAREA DISARM: accepted, and nothing changes",
  );
  expect(existsSync(data)).toBe(false);
});

test("a directory that is not empty is left unchanged", async () => {
  const data = inDirectory("full");
  mkdirSync(data);
  writeFileSync(join(data, "mine"), "kept");
  const { code, stderr } = await line.run(["twin", "--from-files", homeDirectory("odd"), "--data", data], {});
  expect([code, stderr]).toEqual([
    1,
    `domovoi: The directory ${data} is not empty: a twin is made in a new one, so that no home is lost.\n`,
  ]);
});

test("a document that cannot be read is named, and no twin is made of the others", async () => {
  const files = inDirectory("broken");
  cpSync(homeDirectory("wired"), files, { recursive: true });
  writeFileSync(join(files, "api-programs.json"), '{"successful":true,"data":[');
  const data = inDirectory("of-broken");
  const { code, stderr } = await line.run(["twin", "--from-files", files, "--data", data], {});
  expect(code).toBe(1);
  expect(stderr).toMatch(/^domovoi: The document \/api\/programs cannot be read: .+\.\n$/);
  expect(existsSync(data)).toBe(false);
});

test("unreadable or empty documents that clients do not need are left out and named", async () => {
  const files = inDirectory("holed");
  cpSync(homeDirectory("wired"), files, { recursive: true });
  const page = "<html>Not here</html>";
  for (const name of ["api-groups.json", "api-triggers.json"]) writeFileSync(join(files, name), page);
  for (const name of ["api-programs.json", "status.xml"]) writeFileSync(join(files, name), "\n");
  const { code, stdout } = await line.run(["twin", "--from-files", files, "--dry-run"], {});
  expect(code).toBe(0);
  expect(stdout.match(/^Left out .*/gm)).toEqual([
    expect.stringMatching(/ \/api\/groups: It cannot be read: .+/),
    "Left out         /api/programs: It is empty.",
    expect.stringMatching(/ \/api\/triggers: It cannot be read: .+/),
    "Left out         /rest/status: It is empty.",
  ]);
});

test("a twin of a controller does without what clients do without, and not without the nodes", async () => {
  await using server = await ScriptedServer.start();
  server.nowMs = () => Date.now();
  const { user, password } = SCRIPTED_ACCOUNT;
  const env = { ...line.bare, DOMOVOI_URL: server.url, DOMOVOI_USER: user, DOMOVOI_PASSWORD: password };
  for (const path of ["/api/groups", "/api/triggers", "/rest/networking/resources", "/rest/zwave/node/0/def/get"])
    server.on(`GET ${path}`, status(500, "<html>Trouble</html>"));
  const { code, stdout, stderr } = await line.run(["twin", "--dry-run"], env);
  expect([code, stdout.split("\n")[1]]).toEqual([0, "Nodes            4, 1 of them disabled"]);
  expect(stderr).toContain("/api/groups: not there\n");
  server.on("GET /api/nodes", status(404));
  const none = await line.run(["twin", "--dry-run"], env);
  expect([none.code, none.stderr.split("\n").at(-2)]).toEqual([
    1,
    "domovoi: The home cannot be read: the controller has neither /api/nodes nor /rest/nodes.",
  ]);
});

test("a client that has read enough of a future twin gets the twin", async () => {
  const data = inDirectory("piped");
  const args = ["twin", "--from-files", homeDirectory("plugins"), "--data", data];
  expect(await pipedInto(args, "head -c 1", {})).toEqual({ stdout: "C0\n", stderr: "" });
  expect(existsSync(join(data, "domovoi.sqlite"))).toBe(true);
});

test.each([
  [["--from-files", "/nowhere"], 1, "The directory /nowhere cannot be read."],
  [["https://localhost", "--from-files", "x"], 2, "Saved documents are made into a twin, and cannot be followed"],
  [["--from-files", "x", "--follow"], 2, "Saved documents are made into a twin, and cannot be followed"],
  [["ftp://localhost"], 2, '"ftp://localhost" is not the address of a controller'],
])("twin %j ends with status %i", async (args, status, sentence) => {
  const { code, stderr } = await line.run(["twin", ...args, "--data", inDirectory("refused")]);
  expect(code).toBe(status);
  expect(stderr).toContain(sentence);
});

test("a twin that follows goes on with the directory that it has made, and waits for an original that is away", {
  timeout: 60_000,
}, async () => {
  const data = inDirectory("shadow");
  const args = ["twin", "--data", data, "--follow", "--portal-port", "0", "--local-port", "0"];
  const { portal } = line.controller;
  for (const [level, raw] of [
    [40, "102"],
    [60, "153"],
  ] as const) {
    await using follower = line.begin(args, { ...CREDENTIALS, ...line.portal });
    await follower.until(() => READY.test(follower.stdout));
    const url = READY.exec(follower.stdout)?.[1] ?? "";
    await using twin = await connect({ url, ...ACCOUNT });
    const seen = new Promise<void>((resolve) => {
      twin.on("property", ({ address, property }) => {
        if (address === "1A 2B 3C 1" && property.id === "ST" && property.value === raw) resolve();
      });
    });
    await portal.get(`/rest/nodes/1A%202B%203C%201/cmd/DON/${level}/51`);
    await seen;
    follower.signal("SIGTERM");
    expect((await follower.ended).code).toBe(0);
  }
  const away = ["twin", "https://127.0.0.1:1", ...args.slice(1)];
  await using waiting = line.begin(away, { ...CREDENTIALS, ...line.portal });
  await waiting.until(() => waiting.stderr.includes("The original does not answer; the twin waits for it."));
  await waiting.until(() => READY.test(waiting.stdout));
  waiting.signal("SIGTERM");
  expect((await waiting.ended).code).toBe(0);
});
