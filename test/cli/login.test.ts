/** What `domovoi login` saves, and what it never does. */

import { X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateSync } from "otplib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ScriptedServer } from "../client/support/scripted-server.ts";
import { LOCAL, OWNER } from "../support/controller.ts";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;
let turn = 0;
let kept = "";
let env: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line[Symbol.asyncDispose]());
beforeEach(() => {
  turn += 1;
  kept = join(line.directory, `config-${turn}`, "domovoi", "controllers.json");
  const { DOMOVOI_CACHE = "" } = line.bare;
  env = { XDG_CONFIG_HOME: join(line.directory, `config-${turn}`), DOMOVOI_CACHE };
});

const NO_TERMINAL = "Not a terminal, so the digits of the second factor cannot be entered.";
const password = { DOMOVOI_PASSWORD: OWNER.password };
const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  line.run(args, { ...env, ...more });
const portal = () => ["--url", line.controller.controller.portalUrl, "--user", OWNER.username];
const fingerprint = () => new X509Certificate(readFileSync(line.authority)).fingerprint256;
const keep = (name = "home") => run(["login", name, ...portal(), "--trust", fingerprint()], password);

describe("login", { timeout: 60_000 }, () => {
  test("keeps an account and the trusted authority in a file of the owner's; then commands need nothing else", async () => {
    const { code, stdout } = await keep();
    expect([code, stdout]).toEqual([0, `home: Domovoi at ${portal()[1]} as ${OWNER.username}, saved in ${kept}.\n`]);
    expect([statSync(kept).mode & 0o777, statSync(join(kept, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
    const nodes = await run(["nodes", "Porch Light"]);
    expect([nodes.code, nodes.stderr]).toEqual([0, ""]);
    expect((await run(["program", "show", "Chime"])).stdout).toContain("Program 'Chime'");
  });

  test("keeps several by name; the last one is meant unless another is named", async () => {
    await keep("house");
    const local = ["--url", line.controller.controller.localUrl, "--user", LOCAL.username, "--ca", line.authority];
    expect((await run(["login", "cellar", ...local], { DOMOVOI_PASSWORD: LOCAL.password })).code).toBe(0);
    // Only the portal has this path.
    const here = await run(["verify"], { DOMOVOI_PASSWORD: LOCAL.password });
    expect([here.code, here.stderr]).toEqual([2, expect.stringContaining("Use an account of the portal")]);
    expect((await run(["verify", "--controller", "house"])).code).toBe(0);
    expect((await run(["verify"], { DOMOVOI_CONTROLLER: "house" })).code).toBe(0);
    const missing = await run(["nodes", "--controller", "hous"]);
    expect([missing.code, missing.stderr]).toEqual([
      3,
      'domovoi: No controller "hous" is saved. Did you mean "house"?\n',
    ]);
  });

  test("of an account with a second factor says without a terminal what to do", async () => {
    const { services, portal: http, clock } = line.controller;
    const login = "two@example.org";
    await services.auth.accounts.add({ kind: "portal", login, role: "user", password: OWNER.password });
    const { accessToken } = await services.auth.login(login, OWNER.password, "127.0.0.1");
    const headers = { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" };
    const send = (path: string, body: object) => http.request("POST", path, { headers, body: JSON.stringify(body) });
    const offer = await send("/api/me/second-factor/options", {});
    const { secret } = offer.json<{ data: { secret: string } }>().data;
    const code = generateSync({ secret, epoch: Math.floor(clock.now() / 1000) });
    expect((await send("/api/me/second-factor", { code })).status).toBe(200);
    const access = ["--url", line.controller.controller.portalUrl, "--user", login, "--ca", line.authority];
    const refused = await run(["login", "two", ...access], password);
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining(NO_TERMINAL)]);
  });

  test("shows the fingerprint, and trusts nothing without a terminal", async () => {
    const { code, stderr } = await run(["login", ...portal(), "--trust"], password);
    expect(code).toBe(2);
    expect(stderr).toContain(`SHA-256 ${fingerprint()}\n`);
    expect(stderr).toMatch(
      /Not a terminal, so the certificate cannot be confirmed\. To trust it, run again with --trust [0-9A-F:]+\n$/,
    );
    expect(existsSync(kept)).toBe(false);
  });

  test("keeps nothing that was not accepted", async () => {
    const trusted = ["login", ...portal(), "--ca", line.authority];
    const cases = [
      await run(["login", ...portal(), "--trust", fingerprint().replace(/^../, "00")], password),
      await run(["login", ...portal()], password),
      await run(trusted, { DOMOVOI_PASSWORD: "not this one" }),
      await run(trusted),
      await run(["login", "../up", ...portal()], password),
      await run(["login", "--user", OWNER.username], password),
    ];
    expect(cases.map(({ code }) => code)).toEqual([4, 4, 5, 5, 2, 2]);
    expect(cases.map(({ stderr }) => stderr)).toEqual([
      expect.stringMatching(/shows another certificate authority: .* Nothing was saved\./),
      expect.stringMatching(/is not trusted: .*--trust/),
      expect.stringMatching(/The user name or the password is wrong/),
      expect.stringMatching(/the password cannot be entered\. Set DOMOVOI_PASSWORD/),
      expect.stringMatching(/"..\/up" is not a valid name for a controller/),
      expect.stringMatching(/No address given\./),
    ]);
    expect(existsSync(kept)).toBe(false);
    expect(cases.some(({ stdout, stderr }) => (stdout + stderr).includes(OWNER.password))).toBe(false);
  });
});

test("a login that is put off says for how long", { timeout: 60_000 }, async () => {
  await using server = await ScriptedServer.start();
  const body = '{"successful":false,"data":null,"error":"Too many tries."}';
  server.on("POST /api/login", { status: 429, headers: { "Retry-After": "77" }, body });
  const asked = await run(["nodes", "--url", server.url, "--user", OWNER.username], password);
  expect(asked).toEqual({
    code: 5,
    stdout: "",
    stderr: "domovoi: Too many tries. It can be tried again in 77 s.\n",
  });
});

test("an account of the other listener gets another error than a wrong password", { timeout: 60_000 }, async () => {
  const { portalUrl, localUrl } = line.controller.controller;
  const ask = (url: string, user: string, given: string) =>
    run(["nodes", "--url", url, "--user", user, "--ca", line.authority], { DOMOVOI_PASSWORD: given });
  expect([await ask(localUrl, OWNER.username, OWNER.password), await ask(portalUrl, LOCAL.username, "x")]).toEqual([
    {
      code: 4,
      stdout: "",
      stderr: `domovoi: ${localUrl} is not a portal. Use the local account, whose name is not an e-mail address.\n`,
    },
    {
      code: 5,
      stdout: "",
      stderr: "domovoi: The user name or the password is wrong. At the portal accounts are e-mail addresses.\n",
    },
  ]);
});

describe("the file", { timeout: 60_000 }, () => {
  test.each([0o640, 0o604, 0o660])(
    "of mode %o is refused with the command that closes it, and never used",
    async (mode) => {
      await keep();
      chmodSync(kept, mode);
      const refused = {
        code: 5,
        stdout: "",
        stderr: `domovoi: Others may read the logins in ${kept}. Close it: chmod 600 '${kept}'\n`,
      };
      expect(await run(["nodes"])).toEqual(refused);
      chmodSync(kept, 0o600);
      expect((await run(["resources"])).code).toBe(0);
    },
  );

  test("that is damaged is reported", async () => {
    mkdirSync(join(kept, ".."), { recursive: true });
    writeFileSync(kept, '{"controllers":[]}', { mode: 0o600 });
    const { code, stderr } = await run(["nodes"]);
    expect([code, stderr]).toEqual([5, expect.stringMatching(/is damaged: it holds no list of controllers/)]);
  });
});

describe("no password is in the file", { timeout: 60_000 }, () => {
  const saved = () => JSON.parse(readFileSync(kept, "utf8")).controllers;
  const tokens = { access: expect.stringMatching(/^eyJ/), refresh: expect.stringMatching(/^eyJ/) };

  test("of a portal account there are tokens, of a local account there is nothing", async () => {
    await keep("house");
    const local = ["--url", line.controller.controller.localUrl, "--user", LOCAL.username, "--ca", line.authority];
    await run(["login", "cellar", ...local], { DOMOVOI_PASSWORD: LOCAL.password });
    for (const secret of [OWNER.password, LOCAL.password]) expect(readFileSync(kept, "utf8")).not.toContain(secret);
    expect(saved()).toMatchObject({ house: { user: OWNER.username, tokens }, cellar: { tokens: null } });
    const refused = await run(["nodes", "--controller", "cellar"]);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("Set DOMOVOI_PASSWORD")]);
  });

  test("one that an earlier version saved is replaced by tokens with the next command, and commands share them", async () => {
    await keep("house");
    const { tokens: _, ...entry } = saved().house;
    const controllers = { house: { ...entry, password: OWNER.password } };
    writeFileSync(kept, JSON.stringify({ chosen: "house", controllers }), { mode: 0o600 });
    const codes = await Promise.all([1, 2, 3].map(async () => (await run(["nodes", "Porch Light"])).code));
    expect(codes).toEqual([0, 0, 0]);
    expect(readFileSync(kept, "utf8")).not.toContain(OWNER.password);
    expect(saved().house).toEqual({ ...entry, tokens });
    expect((await run(["nodes", "Porch Light"])).code).toBe(0);
  });

  test("a name that is saved for another account is not overwritten without a question", async () => {
    await keep("house");
    const before = readFileSync(kept, "utf8");
    const local = ["--url", line.controller.controller.localUrl, "--user", LOCAL.username, "--ca", line.authority];
    const { code, stderr } = await run(["login", "house", ...local], { DOMOVOI_PASSWORD: LOCAL.password });
    expect([code, stderr]).toEqual([2, expect.stringContaining("house is saved already: https://")]);
    expect(stderr).toContain("domovoi logout house");
    expect(readFileSync(kept, "utf8")).toBe(before);
    expect((await keep("house")).code).toBe(0);
  });
});

describe("several controllers", { timeout: 60_000 }, () => {
  test('are listed with the one in use, which "use" changes', async () => {
    expect(await run(["controllers"])).toEqual({
      code: 0,
      stdout: "",
      stderr: 'No controller is saved. Save one with "domovoi login".\n',
    });
    expect((await run(["controllers", "--json"])).stdout).toBe("[]\n");
    await keep("house");
    await keep("cabin");
    const inUse = async () => {
      const { stdout } = await run(["controllers", "--json"]);
      return JSON.parse(stdout).map((each: { name: string; isInUse: boolean }) => [each.name, each.isInUse]);
    };
    expect(await inUse()).toEqual([
      ["house", false],
      ["cabin", true],
    ]);
    expect((await run(["controllers"])).stdout).toMatch(
      /^CONTROLLER +IN USE +ADDRESS +ACCOUNT\nhouse +https:.*\ncabin +yes +https:/,
    );
    const used = await run(["use", "house"]);
    expect([used.code, used.stdout]).toEqual([0, `Commands go to house at ${portal()[1]} as ${OWNER.username}.\n`]);
    expect(await inUse()).toEqual([
      ["house", true],
      ["cabin", false],
    ]);
    const { code, stderr } = await run(["use", "cabn"]);
    expect([code, stderr]).toEqual([3, 'domovoi: No controller "cabn" is saved. Did you mean "cabin"?\n']);
  });

  test("one that is named wins over the environment, account and certificate authority too", async () => {
    await keep("house");
    const wrong = {
      DOMOVOI_URL: "https://127.0.0.1:1",
      DOMOVOI_USER: "stranger@example.org",
      DOMOVOI_PASSWORD: "not this one",
      DOMOVOI_CA: join(line.directory, "nowhere.pem"),
    };
    const { code, stderr } = await run(["nodes", "Porch Light", "--controller", "house"], wrong);
    expect([code, stderr]).toEqual([0, ""]);
    expect((await run(["nodes"], { ...wrong, DOMOVOI_CONTROLLER: "house" })).code).toBe(0);
  });
});

describe("logout", { timeout: 60_000 }, () => {
  test("forgets one; nothing of it is left in the file", async () => {
    await keep("house");
    await keep("other");
    expect(await run(["logout"])).toEqual({ code: 0, stdout: "other is removed.\n", stderr: "" });
    expect(Object.keys(JSON.parse(readFileSync(kept, "utf8")).controllers)).toEqual(["house"]);
    expect(await run(["logout", "other"])).toEqual({
      code: 3,
      stdout: "",
      stderr: 'domovoi: No controller "other" is saved. "domovoi controllers" lists the saved ones.\n',
    });
    await run(["logout", "house"]);
    expect(readFileSync(kept, "utf8")).not.toContain("eyJ");
  });

  test("ends the login at the controller", async () => {
    await keep("house");
    const file = readFileSync(kept, "utf8");
    expect((await run(["nodes", "Porch Light"])).code).toBe(0);
    await run(["logout", "house"]);
    writeFileSync(kept, file, { mode: 0o600 });
    const { code, stderr } = await run(["nodes"]);
    expect([code, stderr]).toEqual([5, expect.stringContaining("has ended. Log in again: domovoi login")]);
  });
});
