/**
 * eisy-admin, a browser admin for the originals, unmodified from its repository, in a real browser against a demo home with an Insteon modem:
 * log in, look at programs, make and change one, make a scene with levels, rename, move in the tree, run, follow events. Then every SOAP
 * operation that it has, called as its screens call them; each must do what it shows as done. Run by run.sh:
 *
 *     node test/peers/eisy-admin.ts FOLDER [CHECKOUT]
 *
 * FOLDER has eisy-admin with its packages. CHECKOUT is a built checkout of this project to try instead of this one. Prints a table of the
 * operations; ends with 1 when a check fails.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchBrowser } from "../page/browser.ts";
import { freePort } from "../support/free-port.ts";
import { serveBuiltAdmin } from "./serve-built-admin.ts";

const [folder = "", checkout = join(import.meta.dirname, "../..")] = process.argv.slice(2);
const USER = { name: "admin", password: "local password 1" };
const LAMP = "1A 2B 3C 1";
const OTHER_LAMP = "1A 30 F4 1";
const SOAP = "/WEB/console/src/api/soap.ts";
const WAIT_MS = 15_000;

const root = mkdtempSync(join(tmpdir(), "try-eisy-admin-"));
const running: ChildProcess[] = [];
let passed = 0;
let failed = 0;

function check(what: string, isRight: boolean, seen: unknown = ""): void {
  if (isRight) passed += 1;
  else {
    failed += 1;
    process.stdout.write(`FAILED ${what}: ${JSON.stringify(seen)}\n`);
  }
}

async function becomes<T>(what: string, read: () => T | Promise<T>, isRight: (value: T) => boolean): Promise<void> {
  const untilMs = Date.now() + WAIT_MS;
  let seen = await read();
  while (!isRight(seen) && Date.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    seen = await read();
  }
  check(what, isRight(seen), String(seen).slice(0, 300));
}

function start(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  return child;
}

function printed(child: ChildProcess, fits: RegExp): Promise<void> {
  let text = "";
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (bytes) => {
      text += bytes;
      if (fits.test(text)) resolve();
    });
    child.on("exit", () => reject(new Error(`It ended: ${text}`)));
  });
}

const ports = { local: await freePort(), portal: await freePort(), admin: await freePort() };
const origin = `http://127.0.0.1:${ports.admin}`;

/** What the home is, read past eisy-admin. */
function rest(path: string, body?: string): Promise<string> {
  const headers = { Authorization: `Basic ${Buffer.from(`${USER.name}:${USER.password}`).toString("base64")}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      `https://127.0.0.1:${ports.local}${path}`,
      { method: body === undefined ? "GET" : "POST", headers, rejectUnauthorized: false },
      (answer) => {
        let text = "";
        answer.on("data", (bytes) => {
          text += bytes;
        });
        answer.on("end", () => resolve(text));
      },
    );
    sent.on("error", reject).end(body);
  });
}

const nodes = () => rest("/rest/nodes");
const programs = () => rest("/rest/programs?subfolders=true");
const status = (address: string) => rest(`/rest/status/${encodeURIComponent(address)}`);

async function startService(): Promise<void> {
  const config = join(root, "settings.json");
  // An older checkout does not know the setting.
  const settings = checkout === join(import.meta.dirname, "../..") ? { adminOrigins: [origin] } : {};
  writeFileSync(config, JSON.stringify(settings));
  const options = ["--demo", "--demo-insteon", "--data", join(root, "data"), "--config", config];
  const listening = ["--portal-port", String(ports.portal), "--local-port", String(ports.local)];
  const service = start(process.execPath, [join(checkout, "bin/domovoi.js"), "serve", ...options, ...listening], root, {
    DOMOVOI_OWNER_EMAIL: "owner@example.org",
    DOMOVOI_OWNER_PASSWORD: "owner password 1",
    DOMOVOI_LOCAL_USER: USER.name,
    DOMOVOI_LOCAL_PASSWORD: USER.password,
  });
  await printed(service, /ready /);
}

async function startAdmin(): Promise<void> {
  const lines = [
    "VITE_EISY_HOST=127.0.0.1",
    `VITE_EISY_PORT=${ports.local}`,
    "VITE_EISY_PROTOCOL=https",
    `VITE_EISY_USER=${USER.name}`,
    `VITE_EISY_PASS=${USER.password}`,
  ];
  writeFileSync(join(folder, ".env"), `${lines.join("\n")}\n`);
  const options = ["--host", "127.0.0.1", "--port", String(ports.admin), "--strictPort"];
  const admin = start(process.execPath, [join(folder, "node_modules/vite/bin/vite.js"), ...options], folder);
  await printed(admin, /ready in/);
}

type Result = { readonly success?: boolean; readonly status?: number; readonly info?: string };

/** Calls a function of the admin in the page, as its screens do. */
function call(page: Page, name: string, ...given: readonly unknown[]): Promise<unknown> {
  return page.evaluate(
    async ([module, called, parameters]) => {
      const functions = (await import(String(module))) as Record<string, (...all: unknown[]) => unknown>;
      return (await functions[String(called)]?.(...(parameters as unknown[]))) ?? null;
    },
    [SOAP, name, given] as const,
  );
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${origin}/WEB/console/`);
  await page.fill("#username", USER.name);
  await page.fill("#password", USER.password);
  await page.click('button[type="submit"]');
  await page.waitForSelector("text=Dashboard");
}

const goTo = (page: Page, label: string) => page.click(`nav >> text="${label}"`);

type Made = { readonly scene: string; readonly program: number };
/** For the operations, where the screens could make neither. */
const KNOWN: Made = { scene: "31001", program: 16 };

async function tryScreens(page: Page): Promise<Made> {
  await logIn(page);
  check("it logs in", true);

  await goTo(page, "Programs");
  const selectProgram = (name: string) => page.click(`[title="${name}"]`);
  await selectProgram("Evening Lights").catch(() => page.click("text=Query All"));
  await becomes(
    "a program shows its THEN",
    () => page.locator("text=THEN").count(),
    (count) => count > 0,
  );

  await trySaves(page);
  const before = await programs();
  await page.click('button[title="Create Program"]');
  await page.fill('input[placeholder="e.g. Sunset Lighting"]', "From the browser");
  await page.click('button:has-text("Create Program") >> nth=-1');
  await becomes("a new program is in the home", programs, (text) => idsOf(text).length === idsOf(before).length + 1);
  const id = idsOf(await programs()).find((each) => !idsOf(before).includes(each)) ?? "";

  await page.waitForSelector("text=Import XML");
  const xml = `<trigger><if></if><then><cmd id="DON" node="${LAMP}"><p id=""><val uom="51" prec="0">40</val></p></cmd></then><else></else><comment></comment></trigger>`;
  await page.click("text=Import XML");
  await page.fill("textarea[placeholder^='<trigger>']", xml);
  await page.click('button:has-text("Import") >> nth=-1');
  await page.click('button:has-text("Save")');
  const tree = async () => String(await call(page, "getAllD2D").then((all) => JSON.stringify(all)));
  await becomes(
    "the changed program is in the home",
    tree,
    (text) => text.includes(`node=\\"${LAMP}\\"`) && text.includes("40"),
  );
  await becomes("the program is enabled by the save", programs, (text) =>
    new RegExp(`id="${id}"[^>]*enabled="true"`).test(text),
  );

  // It reads ids as numbers, so it does not find the program that it has just made before it is chosen again.
  await selectProgram(`Program ${id}`);
  await page.waitForSelector('button:has-text("Run Then")');
  await page.click('button:has-text("Run Then")');
  await becomes(
    "the program runs",
    () => status(LAMP),
    (text) => text.includes('value="102"') || text.includes('value="40"'),
  );

  await tryLog(page);
  await goTo(page, "Scenes");
  await page.click('button[title="Create Scene"], button:has-text("Create Scene") >> nth=0');
  await page.fill('input[placeholder="e.g. Living Room All On"]', "Reading");
  await page.click('button:has-text("Next")');
  for (const name of ["Hall Ceiling", "Kitchen Counter"]) {
    await page.fill('input[placeholder="Filter devices..."]', name);
    await page.check('input[type="checkbox"] >> nth=0');
  }
  await page.click('button:has-text("Create Scene") >> nth=-1');
  await becomes(
    "a new scene has its members",
    nodes,
    (text) => groupOf(text, "Reading").includes(LAMP) && groupOf(text, "Reading").includes(OTHER_LAMP),
  );
  const scene = addressOf(await nodes(), "Reading");

  return { scene, program: Number.parseInt(id, 16) };
}

/** Lines of the log that it cannot read have no device there. */
async function tryLog(page: Page): Promise<void> {
  const lines = () =>
    page.evaluate(async () => {
      const { useEisyLogStore } = (await import(String("/WEB/console/src/stores/eisy-log-store.ts"))) as {
        useEisyLogStore: {
          getState(): {
            reset(): Promise<void>;
            startPolling(): void;
            liveEntries: readonly { control?: string; device?: string }[];
          };
        };
      };
      useEisyLogStore.getState().startPolling();
      return useEisyLogStore.getState().liveEntries.map(({ control = "", device = "" }) => `${control} ${device}`);
    });
  await becomes(
    "the log has lines",
    async () => (await lines()).length,
    (count) => count > 20,
  );
  const all = await lines();
  const unread = all.filter((line) => !/^[A-Z0-9_]+ \S/.test(line));
  check("every line of the log is read", unread.length === 0, unread.slice(0, 3));
}

type Trigger = { readonly id: number; readonly name: string; readonly folder?: string };

/** Its editor shows a part of many programs. A save in which nothing was changed loses nothing: it is refused, or the program is the same. */
async function trySaves(page: Page): Promise<void> {
  const all = async () => ((await call(page, "getAllD2D")) as { triggers: readonly Trigger[] }).triggers;
  let refused = 0;
  for (const before of (await all()).filter((each) => each.folder === undefined)) {
    await page.click(`[title="${before.name}"]`);
    await page.click('button:has-text("Edit")');
    await page.click('button:has-text("Save")');
    const saved = page.locator("text=/Program saved|Save failed|Run Then/").first();
    await saved.waitFor();
    const isRefused = (await saved.textContent())?.includes("Save failed") === true;
    if (isRefused) refused += 1;
    const after = (await all()).find(({ id }) => id === before.id);
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    check(`"${before.name}", opened and saved, ${isRefused ? "and refused, " : ""}is the same`, isSame, {
      before,
      after,
    });
    await page.click("text=Back to detail").catch(() => {});
  }
  process.stdout.write(
    `Saves of unchanged programs: ${refused} refused, because its editor does not show all of them.\n`,
  );
}

const idsOf = (text: string) => [...text.matchAll(/<program id="([0-9A-F]{4})"/g)].map(([, id]) => id ?? "");
const groupOf = (text: string, name: string) =>
  text.split("<group ").find((each) => each.includes(`<name>${name}</name>`)) ?? "";
const addressOf = (text: string, name: string) => /<address>(\d+)</.exec(groupOf(text, name))?.[1] ?? "";

type Row = readonly [
  operation: string,
  call: () => Promise<unknown>,
  isDone: (result: Result) => boolean | Promise<boolean>,
];

/** Every operation of the admin: what it shows, and whether it is so in the home. */
async function tryOperations(page: Page, { scene, program }: Made): Promise<void> {
  const folderAddress = /<folder [^>]*><address>(\d+)</.exec(await nodes())?.[1] ?? "";
  const has = async (text: string) => (await nodes()).includes(text);
  const levels = () =>
    call(page, "getSceneProperties", scene) as Promise<readonly { node: string; onLevel: number; rampRate: number }[]>;
  const level = async () => (await levels()).find(({ node }) => node === LAMP);
  const key = async () => ((await call(page, "getAllD2D")) as { key?: string } | null)?.key ?? "";
  const soap = (name: string, inner = "") =>
    page.evaluate(
      async ([operation, xml]) => {
        const { soapCall } = (await import(String("/WEB/console/src/api/client.ts"))) as {
          soapCall(
            action: string,
            urn: string,
            inner: string,
          ): Promise<{ ok: boolean; status: number; error?: string }>;
        };
        const {
          ok,
          status: http,
          error,
        } = await soapCall(String(operation), "urn:udi-com:service:X_Insteon_Lighting_Service:1", String(xml));
        return { success: ok, status: http, info: error };
      },
      [name, inner] as const,
    );
  /** Whether a linking was under way, which is over then. */
  const cancelled = async () => {
    const { success } = await soap("CancelNodesDiscovery", "<flag>1</flag>");
    for (let tries = 0; tries < 200 && (await soap("CancelNodesDiscovery")).success; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    return success;
  };
  const rows: readonly Row[] = [
    [
      "GetAllD2D",
      async () => ({ success: (await key()) !== "" }),
      async () => /^[0-9A-F]+\.[0-9A-F]+$/.test(await key()),
    ],
    [
      "D2DCommand",
      async () => call(page, "d2dCommand", program, await key(), "<disable />"),
      async () => new RegExp(`id="${hex(program)}"[^>]*enabled="false"`).test(await programs()),
    ],
    ["RenameNode", () => call(page, "renameNode", LAMP, "Hall & Stairs"), () => has("<name>Hall &amp; Stairs</name>")],
    ["RenameGroup", () => call(page, "renameGroup", scene, "Reading Corner"), () => has("<name>Reading Corner</name>")],
    [
      "SetParent",
      () => call(page, "setParent", LAMP, 1, folderAddress, 3),
      async () =>
        new RegExp(`<address>${LAMP}</address>.{0,200}?<parent type="3">${folderAddress}</parent>`).test(await nodes()),
    ],
    [
      "AddFolder",
      () => call(page, "addFolder", "50001", "Cellar"),
      () => has("<address>50001</address><name>Cellar</name>"),
    ],
    [
      "AddGroup",
      () => call(page, "addGroup", String(Number(scene) + 1), "Spare"),
      () => has(`<address>${Number(scene) + 1}</address><name>Spare</name>`),
    ],
    [
      "MoveNode",
      () => call(page, "moveNode", LAMP, String(Number(scene) + 1), "responder"),
      async () => groupOf(await nodes(), "Spare").includes(`<link type="0">${LAMP}</link>`),
    ],
    [
      "RemoveFromGroup",
      () => call(page, "removeFromGroup", LAMP, String(Number(scene) + 1)),
      async () => !groupOf(await nodes(), "Spare").includes(LAMP),
    ],
    [
      "RemoveGroup",
      () => call(page, "removeGroup", String(Number(scene) + 1)),
      async () => !(await has("<name>Spare</name>")),
    ],
    [
      "DeviceSpecific G_SP",
      async () => ({ success: (await levels()).length > 0 }),
      async () => (await levels()).length === 2,
    ],
    [
      "DeviceSpecific S_OL_SP",
      () => call(page, "setSceneOnLevel", LAMP, scene, 128),
      async () => (await level())?.onLevel === 128,
    ],
    [
      "DeviceSpecific S_RR_SP",
      () => call(page, "setSceneRampRate", LAMP, scene, 20),
      async () => (await level())?.rampRate === 20,
    ],
    ["WriteDeviceUpdates", () => call(page, "writeDeviceUpdates", LAMP), ({ status: http }) => http === 200],
    ["QueryAll", () => call(page, "queryAll"), ({ status: http }) => http === 200],
    [
      "SetDebugLevel",
      () => call(page, "setDebugLevel", 3),
      async () =>
        (await rest("/services", "<Envelope><Body><GetDebugLevel/></Body></Envelope>")).includes(
          "<current>3</current>",
        ),
    ],
    ["ClearLastError", () => call(page, "clearLastError"), ({ status: http }) => http === 200],
    ["SetDeviceLinkMode", () => call(page, "setDeviceLinkMode", 32), cancelled],
    ["DiscoverNodes", () => call(page, "discoverNodes"), cancelled],
    ["AddNode", () => call(page, "addNode", "5A.5B.5C", "New", 1, 1), cancelled],
    ["QueryConfigParam", () => call(page, "queryConfigParam", "ZW002_1", 1), ({ status: http }) => http === 200],
    [
      "SetConfigParam",
      () => call(page, "setConfigParam", "ZW002_1", 1, 0, 1),
      async () => (await rest("/rest/zwave/node/ZW002_1/config/query/1")).includes('value="0"'),
    ],
    [
      "RemoveNode",
      () => call(page, "removeNode", "3B 9 12 1"),
      async () => !(await has("<address>3B 9 12 1</address>")),
    ],
    ["GetSMTPConfig", () => soap("GetSMTPConfig"), () => false],
    ["SetSMTPConfig", () => soap("SetSMTPConfig", "<config/>"), () => false],
    ["SendTestEmail", () => soap("SendTestEmail"), () => false],
    [
      "/program/upload (save)",
      async () =>
        call(
          page,
          "saveProgramFull",
          program,
          "<trigger><if></if><then></then><else></else><comment>by hand</comment></trigger>",
          await key(),
        ),
      async () => JSON.stringify(await call(page, "getAllD2D")).includes("by hand"),
    ],
    [
      "/program/delete",
      async () => call(page, "deleteProgram", program, await key()),
      async () => !idsOf(await programs()).includes(hex(program)),
    ],
  ];
  process.stdout.write("\n| Operation | it shows | so in the home | status |\n|---|---|---|---|\n");
  for (const [operation, ask, isDone] of rows) {
    const result = ((await ask().catch((error: unknown) => ({ success: false, info: String(error) }))) ?? {
      success: false,
    }) as Result;
    const shows = result.success === true;
    await new Promise((resolve) => setTimeout(resolve, 150));
    const isSo = await isDone(result);
    process.stdout.write(
      `| ${operation} | ${shows ? "done" : "failed"} | ${isSo ? "yes" : "no"} | ${result.status ?? ""} ${shows ? "" : infoOf(result)} |\n`,
    );
    check(`${operation}: nothing is shown as done that is not done`, !shows || isSo, result);
  }
}

const hex = (id: number) => id.toString(16).toUpperCase().padStart(4, "0");
const infoOf = ({ info = "" }: Result) => /<info>([^<]*)</.exec(info)?.[1] ?? info.replace(/\s+/g, " ").slice(0, 80);

/** The stream of the development server carries no events, because it passes them on as binary ones; that of the built admin does. */
async function tryEvents(page: Page): Promise<void> {
  await logIn(page);
  await goTo(page, "Devices");
  const row = page.locator(`text="Kitchen Counter"`).first().locator("xpath=..");
  for (const [raw, words] of [
    [51, /51|20%/],
    [255, /255|100%|On/],
    [0, /Off|\b0/],
  ] as const) {
    await rest(`/rest/nodes/${encodeURIComponent(OTHER_LAMP)}/cmd/DON/${raw}`);
    await becomes(
      `the page follows the lamp to ${raw}`,
      () => row.textContent(),
      (text) => words.test(text ?? ""),
    );
  }
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return;
  const over = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await over;
}

try {
  await startService();
  await startAdmin();
  const browser = await launchBrowser(["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]);
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(WAIT_MS);
    const made = await tryScreens(page).catch(async (error: unknown) => {
      check("the screens can be used", false, String(error).slice(0, 600));
      await page.screenshot({ path: join(tmpdir(), "eisy-admin-failure.png") });
      return KNOWN;
    });
    await tryOperations(page, made);
    await ended(running.pop());
    const server = await serveBuiltAdmin(folder, ports);
    await tryEvents(await browser.newPage()).catch((error: unknown) => {
      check("the built admin can be used", false, String(error).slice(0, 600));
    });
    server.closeAllConnections();
    server.close();
  } finally {
    await browser.close();
  }
} finally {
  for (const child of running) child.kill("SIGTERM");
  rmSync(root, { recursive: true, force: true });
}
process.stdout.write(`  ${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
