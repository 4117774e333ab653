import { afterAll, beforeAll, expect, test } from "vitest";
import { LOCAL, OWNER } from "../support/controller.ts";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start({ demo: false });
});
afterAll(() => line[Symbol.asyncDispose]());

const account = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  line.run(["account", ...args], { ...line.portal, ...env });
const done = (stdout: unknown) => ({ code: 0, stdout, stderr: "" });

async function statusFor(password: string): Promise<number> {
  const headers = { Authorization: `Basic ${Buffer.from(`lodger:${password}`).toString("base64")}` };
  return (await line.controller.local.request("GET", "/rest/nodes", { headers })).status;
}

test("an account is made, listed, gets another password and role, and is removed", async () => {
  const made = await account(["add", "lodger", "--role", "guest"]);
  expect(made).toEqual(done(expect.stringMatching(/^lodger {3}\w{24}\n$/)));
  expect(await statusFor(made.stdout.trim().split("   ")[1] ?? "")).toBe(200);
  const given = { DOMOVOI_NEW_PASSWORD: "rain on the roof" };
  expect(await account(["password", "Lodger"], given)).toEqual(done("Lodger\n"));
  expect(await statusFor("rain on the roof")).toBe(200);
  expect(await account(["role", "lodger", "user"])).toEqual(done("lodger   user\n"));
  const listed = JSON.parse((await account(["list", "--json"])).stdout) as readonly Record<string, string>[];
  expect(listed.map(({ login, kind, role }) => [login, kind, role])).toEqual([
    [OWNER.username, "portal", "owner"],
    [LOCAL.username, "local", "owner"],
    ["lodger", "local", "user"],
  ]);
  expect((await account(["list"])).stdout).toMatch(
    /^LOGIN +KIND +ROLE +SINCE +HOURS +REACHES *\n.*\n.*\nlodger +local +user +\d{4}-\d\d-\d\d +always +everything *\n$/,
  );
  expect((await account(["limit", "lodger", "--program", "Query All", "--command", "DON"])).code).toBe(0);
  expect((await account(["list"])).stdout).toMatch(/^lodger .* Query All \(only DON\)$/m);
  expect(await account(["hours", "lodger", "mon-fri 07:00-20:00", "sat,sun 08:00-12:00"])).toEqual(
    done('"lodger" can be used mon-fri 07:00-20:00, sat,sun 08:00-12:00.\n'),
  );
  expect((await account(["list"])).stdout).toMatch(/^lodger .* mon,tue,wed,thu,fri 07:00-20:00, sat,sun 08:00-12:00 /m);
  expect(await account(["hours", "lodger", "--always"])).toEqual(done('"lodger" can be used at all times.\n'));
  expect(await account(["hours", "lodger", "monday 8-12"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"monday 8-12" is not hours.'),
  });
  expect(await account(["remove", "lodger"])).toEqual(done("lodger is removed.\n"));
  expect(await statusFor("rain on the roof")).toBe(401);
});

test("an error is one sentence", async () => {
  const refused = async (args: readonly string[], env?: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await account(args, env);
    expect([code === 0, stdout]).toEqual([false, ""]);
    return stderr;
  };
  expect(await refused(["password", "nobody"])).toBe(
    'domovoi: There is no account "nobody". "domovoi account list" shows them.\n',
  );
  expect(await refused(["remove", LOCAL.username])).toMatch(
    /It is the last owner of its kind\. Make another owner first\.\n$/,
  );
  expect(await refused(["add", "lodger"], { DOMOVOI_NEW_PASSWORD: "short" })).toMatch(/at least 8 characters\.\n$/);
  expect(await refused(["add", "lodger", "--role", "king"])).toMatch(
    /^domovoi: .*Allowed choices are owner, user, guest/,
  );
});
