/** R15 from outside: the service as a process under writes, `domovoi backup`, `domovoi restore` elsewhere, equal hashes. */

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, runDomovoi, type Service, startService } from "../simulation/service-process.ts";
import { LOCAL, OWNER } from "../support/controller.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";

const PASSPHRASE = "four or five random words";
const directory = mkdtempSync(join(tmpdir(), "domovoi-backup-"));
const data = join(directory, "data");
const at = (name: string) => join(directory, name);
const ENV = {
  DOMOVOI_USER: OWNER.username,
  DOMOVOI_PASSWORD: OWNER.password,
  DOMOVOI_CONTROLLERS: at("none.json"),
} as const;
const SEALED = { DOMOVOI_BACKUP_PASSPHRASE: PASSPHRASE };

let service: Service;

beforeAll(async () => {
  service = await startService(data, ["--demo", "--still"]);
});

afterAll(async () => {
  await service.process.kill();
  rmSync(directory, { recursive: true, force: true });
});

function domovoi(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runDomovoi(args, { env: { ...ENV, ...env } });
}

function backup(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> {
  return domovoi(["backup", ...args, "--url", service.portalUrl, "--ca", join(data, "secrets", "ca-cert")], env);
}

async function shown(file: string) {
  const { stdout } = await domovoi(["backup", "show", file, "--json"]);
  return JSON.parse(stdout) as {
    readonly logicalHash: string;
    readonly contents: readonly { readonly name: string }[];
  };
}

function localListener({ localUrl }: Service): HttpsClient {
  const authorization = `Basic ${Buffer.from(`${LOCAL.username}:${LOCAL.password}`).toString("base64")}`;
  return createHttpsClient(
    () => localUrl,
    () => ({ Authorization: authorization }),
  );
}

async function valueIn(client: HttpsClient, id: number): Promise<number> {
  const { text } = await client.get(`/rest/vars/get/1/${id}`);
  return Number(/<val>(-?\d+)<\/val>/.exec(text)?.[1]);
}

test("the backups of a controller are listed, and no file gets the name of a command", {
  timeout: 60_000,
}, async () => {
  const listed = () =>
    domovoi(["backup", "list", "--url", service.portalUrl, "--ca", join(data, "secrets", "ca-cert")]);
  expect(await listed()).toMatchObject({ code: 0, stdout: "", stderr: "The controller holds no backups.\n" });
  const tested = await domovoi([
    "backup",
    "test",
    "--url",
    service.portalUrl,
    "--ca",
    join(data, "secrets", "ca-cert"),
  ]);
  expect(tested).toMatchObject({ code: 1, stderr: "domovoi: The controller holds no backups.\n" });
  expect(await backup(["lst"])).toMatchObject({
    code: 1,
    stderr: 'domovoi: "lst" looks like a command. To write a file of this name: ./lst\n',
  });
  expect(existsSync("lst")).toBe(false);
});

test("a backup made under writes restores elsewhere with the same logical hash and every acknowledged write", {
  timeout: 60_000,
}, async () => {
  const client = localListener(service);
  const written = [0, 0, 0, 0];
  const writeUntil = async (lane: number, isEnough: () => boolean) => {
    for (let value = (written[lane] ?? 0) + 1; !isEnough(); value += 1) {
      expect((await client.get(`/rest/vars/set/1/${lane + 1}/${value}`)).status).toBe(200);
      written[lane] = value;
    }
  };
  const inEveryLane = (isEnough: (lane: number) => boolean) =>
    Promise.all(written.map((_, lane) => writeUntil(lane, () => isEnough(lane))));
  await inEveryLane((lane) => (written[lane] ?? 0) >= 20);
  const acknowledged = [...written];
  let isDone = false;
  const writing = inEveryLane(() => isDone);
  const made = await backup([at("home"), "--history"]);
  isDone = true;
  await writing;
  client.close();
  expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
  expect(Math.min(...written)).toBeGreaterThan(Math.min(...acknowledged));
  const restored = await domovoi(["restore", at("home"), "--data", at("elsewhere")]);
  expect({ code: restored.code, stderr: restored.stderr }).toEqual({ code: 0, stderr: "" });
  const again = await domovoi(["backup", at("again"), "--data", at("elsewhere"), "--history"]);
  expect(again.code).toBe(0);
  const [first, second] = [await shown(at("home")), await shown(at("again"))];
  expect(second.logicalHash).toBe(first.logicalHash);
  expect(second.contents).toEqual(first.contents);
  const elsewhere = await startService(at("elsewhere"), ["--still"]);
  await using _process = elsewhere.process;
  const doorThere = localListener(elsewhere);
  const values = await Promise.all(written.map((_, lane) => valueIn(doorThere, lane + 1)));
  doorThere.close();
  const within = values.map((value, lane) => value >= (acknowledged[lane] ?? 0) && value <= (written[lane] ?? 0));
  expect({ values, within }).toEqual({ values, within: [true, true, true, true] });
});

test("an open backup of a running directory, shown and verified, with a list of what it leaves out", async () => {
  const portal = ["--url", service.portalUrl, "--ca", join(data, "secrets", "ca-cert")];
  expect((await domovoi(["folder", "create", "Attic", ...portal])).code).toBe(0);
  const made = await domovoi(["backup", at("open"), "--data", data]);
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(/^\S+: \d+ bytes, proven by restoring it\.\nNot in this backup, because it is open/);
  expect(made.stdout).toContain("Accounts: created at the first start");
  expect(made.stdout).toContain("History of edits: edits from before the backup cannot be shown or undone.\n");
  expect(made.stdout).not.toContain("network keys");
  expect(statSync(at("open")).mode & 0o777).toBe(0o600);
  const verified = await domovoi(["backup", "verify", at("open")]);
  expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: "" });
  expect(verified.stdout).toContain("Verified: the restored home has the same logical hash.\n");
  const { stdout } = await domovoi(["backup", "show", at("open")]);
  expect(stdout).toMatch(/\n {2}documents of the copied controller +0\n/);
  expect(stdout).not.toMatch(/^ +[a-z]+_/m);
});

test("restored from an open backup, a home starts with new accounts", async () => {
  expect((await domovoi(["backup", at("plain"), "--data", data])).code).toBe(0);
  expect((await domovoi(["restore", at("plain"), "--data", at("fresh")])).code).toBe(0);
  const fresh = await startService(at("fresh"), ["--still"], {
    env: { ...ENV, DOMOVOI_LOCAL_USER: LOCAL.username, DOMOVOI_LOCAL_PASSWORD: LOCAL.password },
  });
  await using process = fresh.process;
  const client = localListener(fresh);
  const nodes = await client.get("/rest/nodes");
  client.close();
  expect(nodes.text.match(/<node /g)?.length).toBeGreaterThan(40);
  expect(process.stderr).toMatch(/These passwords are new\. .*Portal {2}\S+ {3}owner@domovoi\.local {3}\S{24}/s);
});

describe("is refused in one sentence, and nothing is changed:", () => {
  const refusal = async (ended: Promise<Ended>) => {
    const { code, stdout, stderr } = await ended;
    expect({ code: code === 0, stdout }).toEqual({ code: false, stdout: "" });
    return stderr;
  };

  test("a file that is there, a passphrase that is short, a home that is not there, a directory that is not", async () => {
    writeFileSync(at("there"), "mine");
    expect(await refusal(backup([at("there")]))).toMatch(/^domovoi: The file .* is there already\. .*\n$/);
    expect(await refusal(backup([at("x")], { DOMOVOI_BACKUP_PASSPHRASE: "short" }))).toBe(
      "domovoi: A passphrase has at least 12 characters.\n",
    );
    expect(await refusal(backup([at("x"), "--encrypt"]))).toMatch(
      /^domovoi: Not a terminal, so the passphrase cannot be entered.*\n$/,
    );
    expect(await refusal(domovoi(["backup", at("x"), "--data", at("nowhere")]))).toMatch(
      /^domovoi: There is no home in/,
    );
    expect(await refusal(backup([join(at("no"), "x")]))).toMatch(/^domovoi: There is no directory .*\n$/);
    expect(readdirSync(directory).filter((name) => name.startsWith("x") || name === "nowhere")).toEqual([]);
  });

  test("a wrong passphrase, a file that is none, a directory in use or not empty", { timeout: 60_000 }, async () => {
    expect((await domovoi(["backup", at("sealed"), "--data", data], SEALED)).code).toBe(0);
    const wrong = { DOMOVOI_BACKUP_PASSPHRASE: "four or five other words" };
    expect(await refusal(domovoi(["restore", at("sealed"), "--data", at("never")], wrong))).toMatch(
      /^domovoi: The file does not open with this passphrase: .*\n$/,
    );
    expect(await refusal(domovoi(["backup", "verify", join(data, "domovoi.sqlite")]))).toBe(
      "domovoi: The file is not a backup of Domovoi.\n",
    );
    expect((await domovoi(["backup", at("simple"), "--data", data])).code).toBe(0);
    expect(await refusal(domovoi(["restore", at("simple"), "--data", data]))).toMatch(/ is not empty\. /);
    expect(await refusal(domovoi(["restore", at("simple"), "--data", data, "--replace"]))).toMatch(
      / is in use by another Domovoi\. /,
    );
    expect(readdirSync(directory)).not.toContain("never");
  });

  test("an account that is not an owner, and a certificate that is not trusted", async () => {
    expect(await refusal(backup([at("y")], { DOMOVOI_PASSWORD: "not the password" }))).toMatch(
      /password is wrong\.\n$/,
    );
    const untrusted = domovoi(["backup", at("y"), "--url", service.portalUrl]);
    expect(await refusal(untrusted)).toMatch(/^domovoi: The certificate of .* is not trusted: /);
  });
});
