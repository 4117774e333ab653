/** `domovoi program` as a process, against a service as a process: what a person sees and what is stored. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMAND, type Ended, runDomovoi, type Service, startService } from "../simulation/service-process.ts";
import { OWNER } from "../support/controller.ts";

const root = mkdtempSync(join(tmpdir(), "domovoi-cli-"));
const [data, files] = [join(root, "data"), join(root, "files")];
const AUTHORITY = join(data, "secrets", "ca-cert");
let service: Service;

beforeAll(async () => {
  mkdirSync(files);
  service = await startService(data, ["--demo", "--still"]);
});
afterAll(async () => {
  await service.process[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const ENV = { DOMOVOI_USER: OWNER.username, DOMOVOI_PASSWORD: OWNER.password, TMPDIR: files };

/** Not what the person who runs the tests has saved. */
const NOTHING_SAVED = { DOMOVOI_CONTROLLERS: join(files, "none.json") };

async function program(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const trusting = ["--url", service.portalUrl, "--ca", AUTHORITY];
  return brief(await runDomovoi(["program", ...args, ...trusting], { env: { ...ENV, ...env } }));
}

const brief = ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr });
const show = async (which: string) => (await program(["show", which])).stdout;

function file(name: string, text: string): string {
  const path = join(files, name);
  writeFileSync(path, text);
  return path;
}

/** An editor that does to the file what the script says; `text` is what is in it. */
function editor(name: string, script: string): string {
  const path = join(files, `${name}.mjs`);
  writeFileSync(
    path,
    `#!/usr/bin/env node
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
const file = process.argv.at(-1);
let text = readFileSync(file, "utf8");
appendFileSync(${JSON.stringify(join(files, `${name}.seen`))}, text + "\\f");
${script}
writeFileSync(file, text);
`,
  );
  chmodSync(path, 0o755);
  return path;
}

const seenBy = (name: string) =>
  readFileSync(join(files, `${name}.seen`), "utf8")
    .split("\f")
    .slice(0, -1);

describe("show", { timeout: 60_000 }, () => {
  test("has the text, by id in any spelling or by name", async () => {
    const text = await show("0008");
    expect(text).toMatch(/^Program 'Hall Motion Light' \[0008\]\nFolder 'Lights' \[0003\]\n\nIf\n {4}Control /);
    expect(await show("8")).toBe(text);
    expect(await show("Hall Motion Light")).toBe(text);
    const unknown = await program(["show", "Nobody"]);
    expect(unknown).toEqual({
      code: 3,
      stdout: "",
      stderr: 'domovoi: There is no program "Nobody". "domovoi programs" shows them.\n',
    });
    const nearMiss = 'domovoi: There is no program "Hal Motion Light". Did you mean "Hall Motion Light"?\n';
    expect((await program(["show", "Hal Motion Light"])).stderr).toBe(nearMiss);
  });
});

describe("apply", { timeout: 60_000 }, () => {
  test("shows what it changed, line by line, and nothing the next time", async () => {
    const path = file("mirror.txt", (await show("000A")).replace("70%", "55%"));
    const dry = await program(["apply", "--dry-run", path]);
    expect(dry.stdout).toContain("Program 'Morning Mirror' [000A]: would be changed\n");
    expect(await show("000A")).toContain("70%");
    const { code, stdout } = await program(["apply", path]);
    expect([code, stdout]).toEqual([
      0,
      [
        "Program 'Morning Mirror' [000A]: changed",
        "",
        "  Then",
        "-     Set 'Mirror Light' [1A 51 34 1] 'On' [DON] 70%",
        "+     Set 'Mirror Light' [1A 51 34 1] 'On' [DON] 55%",
        "      Wait 45 minutes",
        "      Set 'Mirror Light' [1A 51 34 1] 'Off' [DOF]",
        "",
      ].join("\n"),
    ]);
    expect((await program(["apply", path])).stdout).toBe("Program 'Morning Mirror' [000A]: nothing is different\n");
  });

  test("takes a folder's text as it was shown", async () => {
    const text = await show("0004");
    expect(text).toMatch(/^Program folder 'Climate' \[0004\]\nFolder 'My Programs' \[0001\]\n\nIf\n/);
    const { code, stdout } = await program(["apply", file("climate.txt", text)]);
    expect([code, stdout]).toEqual([0, "Program folder 'Climate' [0004]: nothing is different\n"]);
  });

  test("refuses a text of an older version, where the text says which one it is", async () => {
    const { stdout } = await program(["show", "--with-version", "000C"]);
    expect(stdout).toMatch(/^# Version \d+\nProgram /);
    const path = file("versioned.txt", stdout.replace("Then\n", "Then\n    Wait 7 seconds\n"));
    expect((await program(["apply", path])).code).toBe(0);
    const again = await program(["apply", path]);
    expect([again.code, again.stdout]).toEqual([expect.any(Number), ""]);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain("Another client changed this in the meantime.");
    expect((await program(["apply", file("plain.txt", stdout.replace(/^#.*\n/, ""))])).code).toBe(0);
  });

  test("makes what is new, and says of each file what is wrong with it", async () => {
    const good = file("good.txt", "Program 'Good'\nThen\n  Set 'Hall Ceiling' 'On'\n");
    const bad = file("bad.txt", "Program 'Bad'\nThen\n  Set 'Hal Ceiling' 'On'\n  Wait\n");
    const { code, stdout, stderr } = await program(["apply", good, bad]);
    expect([code, stdout.split("\n")[0]]).toEqual([1, "Program 'Good' [0016]: created"]);
    expect(stderr).toBe(
      [
        `${good}:1:1: hint: Nothing starts this program but a person: it has no condition that starts it, and no program runs it. (NEVER_STARTS)`,
        "    Program 'Good'",
        "    ^",
        `domovoi: ${bad} is not the text of a program:`,
        `${bad}:3:7: There is no node or scene 'Hal Ceiling'. Did you mean 'Hall Ceiling'?`,
        "    Set 'Hal Ceiling' 'On'",
        "        ^",
        `${bad}:4:7: Here a time span is expected, such as 1 hour 30 minutes.`,
        "    Wait",
        "        ^",
        "",
      ].join("\n"),
    );
    const missing = await program(["apply", join(files, "nothing.txt")]);
    expect(missing.stderr).toBe(`domovoi: There is no file ${join(files, "nothing.txt")}.\n`);
  });

  test("refuses what verification finds an error in, at its line, and writes it only by force", async () => {
    const lost = file("lost.txt", "Program 'Lost'\n\nThen\n  # Remarks count as lines.\n  Resource [99]\n");
    const found = [
      `${lost}:5:3: error: There is no network resource 99. (RESOURCE_UNKNOWN)`,
      "    Resource [99]",
      "    ^",
      "",
    ].join("\n");
    expect(await program(["apply", lost])).toEqual({
      code: 1,
      stdout: "",
      stderr: `${found}domovoi: ${lost} was refused because of the errors above. To write it all the same, use --force.\n`,
    });
    expect((await program(["apply", "--dry-run", lost])).code).toBe(1);
    expect((await program(["show", "Lost"])).code).toBe(3);
    const { code, stdout, stderr } = await program(["apply", "--force", lost]);
    expect([code, stdout.split("\n")[0]]).toEqual([0, "Program 'Lost' [0017]: created"]);
    expect(stderr).toBe(`${found}It is not loaded: There is no network resource 99.\n`);
  });
});

describe("edit", { timeout: 60_000 }, () => {
  test("writes what the editor left, once", async () => {
    const EDITOR = editor("once", 'text = text.replace("23:15:00", "23:20:00");');
    const { code, stdout, stderr } = await program(["edit", "Lock Up"], { EDITOR });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("-     Time is 23:15:00\n+     Time is 23:20:00\n");
    expect(await show("0012")).toContain("Time is 23:20:00");
    expect((await program(["edit", "0012"], { EDITOR: editor("idle", "") })).stdout).toBe("Nothing was changed.\n");
  });

  test("opens the text again with what is wrong on top of it, at the lines where it is now", async () => {
    const before = await show("000C");
    const mend = `text = text.includes("# Line") ? text.replace("Wayt", "Wait") : text.replace("Wait 15", "Wayt 16");`;
    const { code, stdout, stderr } = await editTwice("000C", editor("twice", mend));
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Line 12, column 9: Here an action") });
    expect(stdout).toContain("Wait 16 minutes (random)");
    const [first, second] = seenBy("twice");
    expect(first).toBe(before);
    const lines = second?.split("\n") ?? [];
    expect(lines[0]).toContain("# Line 14, column 9: Here an action is expected");
    expect(lines[13]).toContain("Wayt 16");
    expect(await show("000C")).toBe(before.replace("Wait 15", "Wait 16"));
  });

  test("of a text that the user abandons writes nothing and keeps the text", async () => {
    const before = await show("000D");
    const { code, stderr } = await program(["edit", "000D"], { EDITOR: editor("broken", 'text += "Fly";') });
    const kept = /Your text is in (\S+)\.\n$/.exec(stderr)?.[1] ?? "";
    expect([code, existsSync(kept), await show("000D")]).toEqual([1, true, before]);
    expect(readFileSync(kept, "utf8")).toBe(`${before}Fly`);
  });

  test("does not overwrite what another client has written meanwhile", async () => {
    const meanwhile = file("meanwhile.txt", (await show("000E")).replace("20%", "30%"));
    const args = ["program", "apply", meanwhile, "--url", service.portalUrl, "--ca", AUTHORITY];
    const other = `import { execFileSync } from "node:child_process";
      execFileSync(process.execPath, ${JSON.stringify([COMMAND, ...args])});
      text = text.replace("20%", "40%");`;
    const EDITOR = editor(
      "slow",
      other.replace(/^import.*\n/, "const { execFileSync } = await import('node:child_process');\n"),
    );
    const { code, stderr } = await program(["edit", "000E"], { EDITOR });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/Another client changed this in the meantime\. Nothing was written\. Your text is in /),
    ]);
    expect(await show("000E")).toContain("30%");
  });

  test("without an editor is one sentence", async () => {
    const { code, stderr } = await program(["edit", "000E"], { EDITOR: join(files, "no-such-editor") });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^domovoi: The editor ".*no-such-editor" could not be started/),
    ]);
  });

  /** With a person who presses Enter at the prompt. */
  async function editTwice(which: string, EDITOR: string) {
    const args = [COMMAND, "program", "edit", which, "--url", service.portalUrl, "--ca", AUTHORITY];
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...ENV, EDITOR } });
    child.stdin.end("\n");
    const heard = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (heard.stdout += chunk));
    child.stderr.on("data", (chunk) => (heard.stderr += chunk));
    const [code] = (await once(child, "close")) as [number];
    return { code, ...heard };
  }
});

describe("the way to the controller", { timeout: 60_000 }, () => {
  const ask = async (args: readonly string[], env: Readonly<Record<string, string>> = ENV) =>
    brief(await runDomovoi(["program", "show", "0008", ...args], { env: { ...NOTHING_SAVED, ...env } }));

  test("a certificate of an unknown authority is refused unless that is wanted", async () => {
    const { code, stderr } = await ask(["--url", service.portalUrl]);
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/^domovoi: The certificate of https:\S+ is not trusted: .*--trust.*--ca/),
    ]);
    expect((await ask(["--url", service.portalUrl, "--insecure"])).code).toBe(0);
    expect((await ask([], { ...ENV, DOMOVOI_URL: service.portalUrl })).code).toBe(4);
    expect((await ask([], { ...ENV, DOMOVOI_URL: service.portalUrl, DOMOVOI_CA: AUTHORITY })).code).toBe(0);
  });

  test.each<readonly [string, number, () => readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ["nobody's account", 5, () => [], { DOMOVOI_PASSWORD: "x" }, /No account is named\. .* --user or DOMOVOI_USER/],
    [
      "no password",
      5,
      () => [],
      { DOMOVOI_USER: "x@example.org" },
      /the password cannot be entered\. Set DOMOVOI_PASSWORD/,
    ],
    [
      "a wrong password",
      5,
      () => [],
      { ...ENV, DOMOVOI_PASSWORD: "not this one" },
      /The user name or the password is wrong/,
    ],
    [
      "a url without TLS",
      2,
      () => ["--url", "http://controller.home.arpa"],
      ENV,
      /is without TLS, .* Use an address with https:/,
    ],
    ["a password in the url", 2, () => ["--url", "https://u:p@localhost"], ENV, /is not the address of a controller/],
    [
      "no controller at the address",
      4,
      () => ["--url", "https://127.0.0.1:9"],
      ENV,
      /No controller answers at https:\/\/127\.0\.0\.1:9/,
    ],
    ["no such authority", 2, () => ["--ca", join(files, "none")], ENV, /There is no certificate file/],
  ])("%s is one sentence and status %i", async (_what, status, args, env, sentence) => {
    const trusting = ["--url", service.portalUrl, "--ca", AUTHORITY];
    const { code, stdout, stderr } = await ask([...trusting, ...args()], env);
    expect([code, stdout, stderr.split("\n").length]).toEqual([status, "", 2]);
    expect(stderr).toMatch(sentence);
  });

  test("an unknown name is one sentence and status 3", async () => {
    const { code, stderr } = await ask(["--controller", "attic"]);
    expect([code, stderr]).toEqual([
      3,
      'domovoi: No controller "attic" is saved. "domovoi controllers" lists the saved ones.\n',
    ]);
  });

  test("--help teaches by examples", async () => {
    const { code, stdout } = brief(await runDomovoi(["program", "--help"], { env: {} }));
    expect(code).toBe(0);
    for (const word of ["show", "edit", "apply", "Examples:", "domovoi login", "--controller", "DOMOVOI_PASSWORD"])
      expect(stdout).toContain(word);
  });
});
