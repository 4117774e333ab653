import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type RunOptions, runDomovoi, serveArguments, startService } from "../simulation/service-process.ts";
import { temporaryDirectory } from "../support/test-store.ts";

const help = (command: string) => `"domovoi ${command}--help" shows more.`;

/** The one sentence of a command that failed. @param status its exit status */
async function refusal(args: readonly string[], options?: RunOptions, status = 1): Promise<string> {
  const { code, signal, stdout, stderr } = await runDomovoi(args, options);
  expect({ code, signal, stdout }).toEqual({ code: status, signal: null, stdout: "" });
  const [, sentence] = /^domovoi: ([^\n]+\.)\n$/.exec(stderr) ?? [];
  return sentence ?? `Not one sentence: ${stderr}`;
}

function settingsFile(text: string): string {
  const file = join(temporaryDirectory(), "settings.json");
  writeFileSync(file, text);
  return file;
}

async function takenPort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

describe("one sentence and status 2 for", () => {
  test.each([
    [["serve", "--bogus"], `Unknown option '--bogus'. ${help("serve ")}`],
    [["serve", "--demmo"], `Unknown option '--demmo' (Did you mean --demo?). ${help("serve ")}`],
    [["serve", "--portal-port"], `Option '--portal-port <port>' argument missing. ${help("serve ")}`],
    [["serve", "here"], `Too many arguments for 'serve'. Expected 0 arguments but got 1: here. ${help("serve ")}`],
    [["server"], `Unknown command 'server' (Did you mean serve?). ${help("")}`],
    [["program", "show", "--bogus"], `Unknown option '--bogus'. ${help("program show ")}`],
    [["reset-password"], `Missing required argument 'login'. ${help("reset-password ")}`],
  ])("%j", async (args, sentence) => {
    expect(await refusal(args, {}, 2)).toBe(sentence);
  });
});

describe("one sentence and status 1 for", () => {
  test.each([
    [["serve", "--portal-port", "https"], "The setting portalPort is a whole number from 0 to 65535."],
    [["serve", "--demo-nodes", "1.5"], "The setting demoNodes is a whole number from 0 to 100000."],
    [["serve", "--demo-nodes", "-1"], "The setting demoNodes is a whole number from 0 to 100000."],
    [["serve", "--log-level", "loud"], "The setting logLevel is debug, info, warn, error or silent."],
    [["serve", "--data", ""], "The setting data names no directory."],
    [["serve", "--config", "/nowhere/settings.json"], "There is no settings file /nowhere/settings.json."],
  ])("%j", async (args, sentence) => {
    expect(await refusal(args)).toBe(sentence);
  });

  test.each([
    ["{", "is not valid JSON."],
    ["[]", "does not hold an object of settings."],
  ])("a settings file that holds %s", async (text, sentence) => {
    const file = settingsFile(text);
    expect(await refusal(["serve", "--config", file])).toBe(`The settings file ${file} ${sentence}`);
  });

  test.each([
    [{ bogus: 1 }, /There is no setting "bogus"/],
    [{ constructor: 1 }, /There is no setting "constructor"/],
    [{ localApi: "yes" }, /The setting localApi is true or false/],
    [{ logLevel: "loud" }, /The setting logLevel is debug, info/],
    [{ timeZone: "Nowhere/Else" }, /There is no time zone "Nowhere\/Else"/],
    [{ networkTargets: ["::::"] }, /The setting networkTargets holds "::::"/],
    [{ certificateFile: "/nowhere.pem" }, /Set both certificateFile and certificateKeyFile, or neither/],
    [{ variablesAfterBoot: "maybe" }, /The setting variablesAfterBoot is init or keep/],
  ])("the settings %j", async (settings, sentence) => {
    const file = settingsFile(JSON.stringify(settings));
    expect(await refusal(serveArguments(temporaryDirectory(), ["--config", file]))).toMatch(sentence);
  });

  test.each([
    ["--portal-port", "portalPort"],
    ["--local-port", "localPort"],
    ["--plain-port", "plainPort"],
  ])("a port of %s that is in use", async (option, setting) => {
    const port = await takenPort();
    const sentence = await refusal(serveArguments(temporaryDirectory(), [option, port]));
    expect(sentence).toBe(`Port ${port} (setting ${setting}) is already in use on 127.0.0.1.`);
  });

  test("an address that is not this machine's", async () => {
    const sentence = await refusal(serveArguments(temporaryDirectory(), ["--host", "192.0.2.1"]));
    expect(sentence).toBe("The address 192.0.2.1 (setting host) is not one of this machine's.");
  });

  test("a data directory that is a file, or below one", async () => {
    const file = settingsFile("");
    expect(await refusal(serveArguments(file))).toMatch(/cannot be written \(a file is in the way\)/);
    expect(await refusal(serveArguments(join(file, "below")))).toMatch(/cannot be written \(a file is in the way\)/);
  });

  test("a data directory whose files cannot be written", async () => {
    const data = temporaryDirectory();
    mkdirSync(join(data, "domovoi.lock"));
    expect(await refusal(serveArguments(data))).toMatch(/^The data directory ".*" \(setting data\) cannot be written/);
  });

  test("a second service on the same directory, and the first goes on", async () => {
    const data = temporaryDirectory();
    const first = await startService(data);
    await using process = first.process;
    expect(await refusal(serveArguments(data))).toMatch(/is in use by another Domovoi/);
    process.signal("SIGTERM");
    expect((await process.ended).code).toBe(0);
  });

  test("first credentials that cannot be used, and the next start may have better ones", async () => {
    const data = temporaryDirectory();
    const short = { env: { DOMOVOI_OWNER_PASSWORD: "short" } };
    expect(await refusal(serveArguments(data), short)).toBe("A password has at least 8 characters.");
    const odd = { env: { DOMOVOI_OWNER_EMAIL: "the owner" } };
    expect(await refusal(serveArguments(data), odd)).toBe("The login of a portal account is an e-mail address.");
    const service = await startService(data);
    await using _process = service.process;
  });
});

describe("help", () => {
  test.each([
    [
      ["--help"],
      /\nRun a controller and connect to it:\n {2}serve [\s\S]*\nAccounts, backups, reports:\n[\s\S]* reset-password /,
    ],
    [
      ["serve", "--help"],
      /^(?![\s\S]*--virtual-latency-ms)[\s\S]*--data <dir>[\s\S]*Examples:[\s\S]*DOMOVOI_OWNER_EMAIL/,
    ],
    [["help", "serve"], /--config <file>/],
    [["reset-password", "--help"], /<login>[\s\S]*DOMOVOI_NEW_PASSWORD/],
    [["--version"], /^\d+\.\d+\.\d+\n$/],
  ])("%j goes to standard output with status 0", async (args, text) => {
    const { code, stdout, stderr } = await runDomovoi(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(text);
  });

  test("is what a call without a command gets, with status 2", async () => {
    const { code, stdout, stderr } = await runDomovoi([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^Usage: domovoi /);
  });
});
