/** The first half of a move as the page makes it: the running controller reads another one, lists what comes over, copies its home, and restarts. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LOCAL, OWNER, startTestController, type TestController } from "../support/controller.ts";
import { openOlderController } from "../support/older-controller.ts";
import { type RunningTwin, startTwinOf } from "../support/twin.ts";

const MS = 60_000;
const PATH = "/api/move-in/copy";

type Status = {
  readonly present: Readonly<Record<string, number>>;
  readonly obstacle: string | null;
  readonly copy: {
    readonly state: string;
    readonly name: string | null;
    readonly items: readonly { readonly kind: string; readonly comes: string; readonly detail: string }[];
    readonly failure: { readonly reason: string; readonly sentence: string } | null;
  } | null;
};

let original: RunningTwin;
let here: TestController;
let restarts = 0;

const status = async () => (await here.portal.get(PATH)).json<{ data: Status }>().data;
const access = () => ({
  url: original.twin.portal.url,
  user: OWNER.username,
  password: OWNER.password,
  insecure: true,
});
const read = async (body: object) => (await here.portal.post(PATH, body)).json<{ data: Status; code?: string }>();
/** Waits for the thread that reads or copies. */
const reached = (state: string) =>
  vi.waitFor(async () => expect((await status()).copy).toMatchObject({ state }), { timeout: MS, interval: 50 });
const names = ({ services: { home } }: TestController) => [
  ...[...home.nodes.values()].map(({ address, name }) => `${address} ${name}`),
  ...[...home.groups.values()].map(({ address, name }) => `${address} ${name}`),
  ...[...home.programs.values()].map(({ id, name }) => `${id} ${name}`),
];

beforeEach(async () => {
  restarts = 0;
  original = await startTwinOf("wired");
  here = await startTestController(
    { demo: false, networkTargets: ["127.0.0.1", "localhost"] },
    {
      restart() {
        restarts += 1;
      },
    },
  );
  await here.login();
}, MS);

afterEach(async () => {
  await here[Symbol.asyncDispose]();
  await original[Symbol.asyncDispose]();
});

test("reads another controller, lists what comes over, and copies its home when it restarts; accounts stay", {
  timeout: MS,
}, async () => {
  expect(await status()).toEqual({
    present: { nodes: 0, scenes: 0, programs: 0, integrations: 0 },
    obstacle: null,
    copy: null,
  });
  expect((await here.portal.post(`${PATH}/make`)).status).toBe(409);
  expect((await read(access())).data.copy).toMatchObject({ state: "reading" });
  await reached("planned");
  const { copy } = await status();
  const kinds = new Map(copy?.items.map(({ kind, comes }) => [kind, comes]));
  expect([kinds.get("modem-nodes"), kinds.get("scenes"), kinds.get("accounts")]).toEqual(["later", "yes", "no"]);
  expect(names(here).length).toBeLessThan(5);
  expect((await here.portal.post(`${PATH}/make`)).status).toBe(200);
  await reached("restarting");
  expect(restarts).toBe(1);
  await here.restart();
  await here.login();
  expect(names(here)).toEqual(expect.arrayContaining(names(original.twin)));
  const move = (await here.portal.get("/api/move-in")).json<{ data: object }>().data;
  expect(move).toMatchObject({ programsWait: true, steps: [{}] });
  const enabled = [...here.services.home.programs.values()].filter(
    (entry) => entry.kind === "program" && entry.enabled,
  );
  expect(enabled.map(({ name }) => name)).toEqual([]);
  const logins = here.services.auth.accounts.list().map(({ login }) => login);
  expect(logins.toSorted()).toEqual([LOCAL.username, OWNER.username].toSorted());
  expect(readdirSync(here.data).filter((name) => name.startsWith("replaced-"))).toHaveLength(1);
});

test("no password is in the log, in the answers, or on disk", { timeout: MS }, async () => {
  const password = "a password of the other one";
  await read({ ...access(), password });
  await reached("failed");
  expect((await status()).copy?.failure).toMatchObject({ reason: "credentials" });
  expect(JSON.stringify([await status(), here.lines])).not.toContain(password);
  const files = readdirSync(here.data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(password));
  expect([files.length > 3, holding]).toEqual([true, []]);
});

test("a controller with a certificate of its own is named as such, and one that does not answer too", {
  timeout: MS,
}, async () => {
  await read({ ...access(), insecure: false });
  await reached("failed");
  expect((await status()).copy?.failure).toMatchObject({ reason: "certificate" });
  await read({ ...access(), url: "https://127.0.0.1:1" });
  await vi.waitFor(async () => expect((await status()).copy?.failure).toMatchObject({ reason: "unreachable" }), {
    timeout: MS,
  });
});

test("an address that requests may not go to, and a plain one, are refused at once", async () => {
  expect(await read({ ...access(), url: "https://169.254.169.254" })).toMatchObject({ code: "TARGET_REFUSED" });
  expect(await read({ ...access(), url: "http://192.168.1.20", insecure: false })).toMatchObject({ code: "BAD_VALUE" });
  expect((await status()).copy).toBeNull();
});

test("a controller without a portal is read with its local account, and its statements that do not come are listed", {
  timeout: MS,
}, async () => {
  await using older = await openOlderController("firmware-4");
  await read({ url: older.url, user: older.user, password: older.password, insecure: true });
  await reached("planned");
  const { copy } = await status();
  expect(copy?.name).toBe("Maple Cottage");
  const statements = copy?.items.filter(({ kind }) => kind === "unread-statement") ?? [];
  expect(statements.map(({ detail }) => detail)).toContain("Siren: Then 3 (line 4): <siren> is an unknown statement");
  await here.portal.delete(PATH);
});

test("a home that has things is replaced only when the owner says so, and the plan can be forgotten", {
  timeout: MS,
}, async () => {
  await here.portal.post("/api/nodes", { name: "Evening", nodeType: "group" });
  await read(access());
  await reached("planned");
  expect((await here.portal.post(`${PATH}/make`)).json()).toMatchObject({ code: "CONFLICT" });
  await here.portal.delete(PATH);
  expect((await status()).copy).toBeNull();
  await read(access());
  await reached("planned");
  expect((await here.portal.post(`${PATH}/make`, { replace: true })).status).toBe(200);
  await reached("restarting");
});
