/** Passkeys and recovery codes, with an authenticator in software; and the sessions of one's own account. */

import { expect, onTestFinished, test } from "vitest";
import { WEEKDAYS } from "../../src/home/program-syntax.ts";
import { Authenticator } from "../support/authenticator.ts";
import { LOCAL, OWNER, startTestController, type TestController, type Tokens } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

type Creation = {
  readonly challenge: string;
  readonly user: { readonly id: string };
  readonly rp: { readonly id: string };
};
type Listed = { readonly passkeys: readonly { readonly id: string }[]; readonly recoveryCodesLeft: number };
type Added = { readonly passkey: { readonly id: string }; readonly recoveryCodes: readonly string[] | null };

const MINUTE_MS = 60_000;
const PASSWORD = "a key under the mat";

async function start(): Promise<TestController> {
  const controller = await startTestController();
  onTestFinished(() => controller[Symbol.asyncDispose]());
  await controller.login();
  return controller;
}

const originOf = ({ portal }: TestController, name = "localhost") => `https://${name}:${new URL(portal.url).port}`;
const dataOf = <T>(answer: Answer) => answer.json<{ data: T }>().data;
const outcome = (answer: Answer) => [answer.status, answer.json<{ code?: string }>().code];
const REFUSED = [401, "PASSKEY_REFUSED"];

/** As the page of this origin sends it. */
function send(
  controller: TestController,
  path: string,
  body: unknown,
  { origin = originOf(controller), from, ...headers }: Readonly<Record<string, string>> = controller.bearer(),
): Promise<Answer> {
  return controller.portal.request("POST", path, {
    headers: { ...headers, Origin: origin, Host: new URL(origin).host, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(from !== undefined && { from }),
  });
}

async function options(controller: TestController, headers?: Readonly<Record<string, string>>): Promise<Creation> {
  return dataOf(await send(controller, "/api/me/passkeys/options", undefined, headers));
}

async function request(controller: TestController, headers = {}): Promise<Creation> {
  return dataOf(await send(controller, "/api/login/passkey/options", undefined, headers));
}

/** A device with a passkey of the account. */
async function enrol(controller: TestController, headers?: Readonly<Record<string, string>>) {
  const device = new Authenticator(originOf(controller));
  const answer = await send(
    controller,
    "/api/me/passkeys",
    device.register(await options(controller, headers)),
    headers,
  );
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return { device, ...dataOf<Added>(answer) };
}

async function signIn(controller: TestController, device: Authenticator, told = {}): Promise<Answer> {
  return send(controller, "/api/login/passkey", device.signIn(await request(controller), told), {});
}

const passwordLogin = (controller: TestController, username: string, password: string) =>
  send(controller, "/api/login", { username, password }, {});
const bearer = (answer: Answer) => ({ Authorization: `Bearer ${dataOf<Tokens>(answer).accessToken}` });

async function addLodger(controller: TestController, more = {}) {
  const account = { kind: "portal", login: "ada@example.org", role: "user", password: PASSWORD, ...more };
  const { id } = dataOf<{ id: string }>(await controller.portal.post("/api/accounts", account));
  const headers = bearer(await passwordLogin(controller, "ada@example.org", PASSWORD));
  return { id, headers };
}

test("a passkey signs in without a name, on two devices, over a restart, and is listed without its key", async () => {
  const controller = await start();
  const first = await enrol(controller);
  const second = await enrol(controller);
  expect(first.recoveryCodes).toHaveLength(10);
  expect(second.recoveryCodes).toBe(null);
  for (const { device } of [first, second, first]) {
    const answer = await signIn(controller, device);
    expect(dataOf<Tokens>(answer)).toMatchObject({ accessToken: expect.any(String), refreshToken: expect.any(String) });
    const { status } = await controller.portal.request("GET", "/api/accounts", { headers: bearer(answer) });
    expect(status).toBe(200);
  }
  const time = new Date(controller.clock.now()).toISOString();
  const named = { name: "Ada's phone", host: "localhost", createdAt: time, lastUsedAt: time };
  expect(dataOf(await controller.portal.get("/api/me/passkeys"))).toEqual({
    passkeys: [first, second].map(({ device }) => ({ id: device.id, ...named })),
    recoveryCodesLeft: 10,
  });
  expect(Object.keys(dataOf<readonly object[]>(await controller.portal.get("/api/accounts"))[0] ?? {})).not.toContain(
    "passkeys",
  );
  await controller.restart();
  const moved = new Authenticator(originOf(controller));
  expect(outcome(await signIn(controller, moved))).toEqual(REFUSED);
  expect(outcome(await signIn(controller, first.device, { origin: originOf(controller) }))).toEqual([200, undefined]);
});

test("a replayed answer, another challenge and a late one are refused", async () => {
  const controller = await start();
  const { device } = await enrol(controller);
  const body = device.signIn(await request(controller));
  expect((await send(controller, "/api/login/passkey", body, {})).status).toBe(200);
  expect(outcome(await send(controller, "/api/login/passkey", body, {}))).toEqual(REFUSED);
  const invented = device.signIn({ challenge: "AAAA" });
  expect(outcome(await send(controller, "/api/login/passkey", invented, {}))).toEqual(REFUSED);
  // A challenge for adding one is none for signing in.
  const other = device.signIn(await options(controller));
  expect(outcome(await send(controller, "/api/login/passkey", other, {}))).toEqual(REFUSED);
  const late = device.signIn(await request(controller));
  await controller.clock.advance(5 * MINUTE_MS);
  expect(outcome(await send(controller, "/api/login/passkey", late, {}))).toEqual(REFUSED);
});

test.each([
  ["the origin of another page", { origin: "https://evil.example" }],
  ["the same name at another port", { origin: "https://localhost:1" }],
  ["the host name of another page", { rpId: "evil.example" }],
  ["a person who was not verified", { isVerified: false }],
])("%s is refused, in adding and in signing in", async (_what, told) => {
  const controller = await start();
  const foreign = new Authenticator(originOf(controller)).register(await options(controller), told);
  expect(outcome(await send(controller, "/api/me/passkeys", foreign))).toEqual(REFUSED);
  const { device } = await enrol(controller);
  expect(outcome(await signIn(controller, device, told))).toEqual(REFUSED);
  expect(outcome(await signIn(controller, device))).toEqual([200, undefined]);
});

test("a page of another site, a program without a page, and a page under an IP address get no challenge", async () => {
  const controller = await start();
  const ask = async (origin: string, host: string) => {
    const headers = { Origin: origin, Host: host, "Content-Type": "application/json" };
    return outcome(await controller.portal.request("POST", "/api/login/passkey/options", { headers }));
  };
  const { host } = new URL(originOf(controller));
  expect(await ask("https://evil.example", host)).toEqual([403, "CROSS_SITE_REFUSED"]);
  expect(await ask("https://evil.example", "evil.example")).toEqual([403, "HOST_REFUSED"]);
  expect(await ask("com.example.app", host)).toEqual([400, "BAD_REQUEST"]);
  const address = originOf(controller, "127.0.0.1");
  expect(await ask(address, new URL(address).host)).toEqual([400, "PASSKEY_NEEDS_NAME"]);
  const six = originOf(controller, "[::1]");
  expect(await ask(six, new URL(six).host)).toEqual([400, "PASSKEY_NEEDS_NAME"]);
});

test("a passkey of one name of the controller does not sign in under another", async () => {
  const controller = await start();
  const { device } = await enrol(controller);
  const origin = originOf(controller, "domovoi.local");
  const body = device.signIn(await request(controller, { origin }), { origin, rpId: "domovoi.local" });
  expect(outcome(await send(controller, "/api/login/passkey", body, { origin }))).toEqual(REFUSED);
});

test("a counter that goes back is refused and logged; a key that never counts is not", async () => {
  const controller = await start();
  const { device } = await enrol(controller);
  expect((await signIn(controller, device, { counter: 7 })).status).toBe(200);
  for (const counter of [7, 3, 0]) expect(outcome(await signIn(controller, device, { counter }))).toEqual(REFUSED);
  const warned = controller.lines.filter(({ message }) => message.startsWith("The counter of a passkey went back"));
  expect(warned.map(({ fields }) => fields.account)).toEqual(Array(3).fill(OWNER.username));
  expect((await signIn(controller, device, { counter: 8 })).status).toBe(200);
  const still = await enrol(controller);
  for (const counter of [0, 0]) expect((await signIn(controller, still.device, { counter })).status).toBe(200);
});

test("a signature of another key, the handle of another account, and statements of makers are refused", async () => {
  const controller = await start();
  const { device } = await enrol(controller);
  const { headers } = await addLodger(controller);
  const lodgers = await enrol(controller, headers);
  const challenge = await request(controller);
  const forged = { ...device.signIn(challenge), signature: lodgers.device.signIn(challenge).signature };
  expect(outcome(await send(controller, "/api/login/passkey", forged, {}))).toEqual(REFUSED);
  const handle = lodgers.device.signIn(challenge).userHandle;
  const crossed = { ...device.signIn(await request(controller)), userHandle: handle };
  expect(outcome(await send(controller, "/api/login/passkey", crossed, {}))).toEqual(REFUSED);
  for (const format of ["tpm", "android-key", "apple", "fido-u2f", "nonsense"]) {
    const body = new Authenticator(originOf(controller)).register(await options(controller), { format });
    expect([format, ...outcome(await send(controller, "/api/me/passkeys", body))]).toEqual([format, ...REFUSED]);
  }
  const garbage = {
    ...new Authenticator(originOf(controller)).register(await options(controller)),
    attestationObject: "n5-f",
  };
  expect(outcome(await send(controller, "/api/me/passkeys", garbage))).toEqual(REFUSED);
  // A challenge belongs to the session that asked.
  const stolen = new Authenticator(originOf(controller)).register(await options(controller));
  expect(outcome(await send(controller, "/api/me/passkeys", stolen, headers))).toEqual(REFUSED);
});

test("failures are counted as those of passwords are, and a device that is known goes on", async () => {
  const controller = await start();
  const { device } = await enrol(controller);
  expect((await signIn(controller, device)).status).toBe(200);
  const stranger = { from: "127.0.0.9" };
  const fail = async () =>
    outcome(await send(controller, "/api/login/passkey", device.signIn({ challenge: "AAAA" }), stranger));
  const outcomes: unknown[] = [];
  while (outcomes.length < 100 && outcomes.at(-1) !== 429) outcomes.push((await fail())[0]);
  expect(new Set(outcomes)).toEqual(new Set([401, 429]));
  expect((await signIn(controller, device)).status).toBe(200);
});

test("a passkey that was removed does not sign in; with the last one the recovery codes end", async () => {
  const controller = await start();
  const { device, recoveryCodes } = await enrol(controller);
  const body = device.signIn(await request(controller));
  await controller.portal.delete(`/api/me/passkeys/${device.id}`);
  expect(outcome(await send(controller, "/api/login/passkey", body, {}))).toEqual(REFUSED);
  expect(dataOf<Listed>(await controller.portal.get("/api/me/passkeys"))).toEqual({
    passkeys: [],
    recoveryCodesLeft: 0,
  });
  expect(outcome(await passwordLogin(controller, OWNER.username, recoveryCodes?.[0] ?? ""))).toEqual([
    401,
    "LOGIN_FAILED",
  ]);
});

test("a recovery code signs in once in place of the password, also of two at once; only hashes are stored", async () => {
  const controller = await start();
  const { recoveryCodes } = await enrol(controller);
  const [first = "", second = ""] = recoveryCodes ?? [];
  expect((await passwordLogin(controller, OWNER.username, first)).status).toBe(200);
  expect((await passwordLogin(controller, OWNER.username, first)).status).toBe(401);
  const both = await Promise.all([second, second].map((code) => passwordLogin(controller, OWNER.username, code)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect((await passwordLogin(controller, "nobody@example.org", recoveryCodes?.[2] ?? "")).status).toBe(401);
  expect((await passwordLogin(controller, OWNER.username, OWNER.password)).status).toBe(200);
  expect(dataOf<Listed>(await controller.portal.get("/api/me/passkeys")).recoveryCodesLeft).toBe(8);
  await controller.restart();
  for (const code of [first, second]) expect((await passwordLogin(controller, OWNER.username, code)).status).toBe(401);
  const written = JSON.stringify([controller.lines, controller.services.auth.accounts.list()]);
  for (const code of recoveryCodes ?? []) expect(written).not.toContain(code);
});

test("out of hours neither a passkey nor a recovery code signs in", async () => {
  const controller = await start();
  const { id, headers } = await addLodger(controller);
  const { device, recoveryCodes } = await enrol(controller, headers);
  // It is 14:00 at home.
  const hours = [{ days: [...WEEKDAYS], from: "15:00", to: "16:00" }];
  expect((await controller.portal.post(`/api/accounts/${id}`, { hours })).status).toBe(200);
  expect(outcome(await signIn(controller, device))).toEqual([403, "OUT_OF_HOURS"]);
  expect(outcome(await passwordLogin(controller, "ada@example.org", recoveryCodes?.[0] ?? ""))).toEqual([
    403,
    "OUT_OF_HOURS",
  ]);
  await controller.clock.advance(61 * MINUTE_MS);
  expect((await signIn(controller, device)).status).toBe(200);
});

test("a passkey is added within ten minutes of the sign-in only, to at most ten of an account", async () => {
  const controller = await start();
  for (let count = 0; count < 10; count++) await enrol(controller);
  const ask = async (headers?: Readonly<Record<string, string>>) =>
    outcome(await send(controller, "/api/me/passkeys/options", undefined, headers));
  expect(await ask()).toEqual([409, "LIMIT_REACHED"]);
  const { headers } = await addLodger(controller);
  const begun = await options(controller, headers);
  await controller.clock.advance(4 * MINUTE_MS);
  expect(
    (await send(controller, "/api/me/passkeys", new Authenticator(originOf(controller)).register(begun), headers))
      .status,
  ).toBe(200);
  await controller.clock.advance(6 * MINUTE_MS);
  expect(await ask(headers)).toEqual([403, "SIGN_IN_AGAIN"]);
});

test("accounts with basic authentication and guests' links have none", async () => {
  const controller = await start();
  const basic = `Basic ${Buffer.from(`${LOCAL.username}:${LOCAL.password}`).toString("base64")}`;
  const limits = { nodes: ["1A 2B 3C 1"] };
  const { token } = dataOf<{ token: string }>(await controller.portal.post("/api/guests", { name: "Sitter", limits }));
  for (const Authorization of [basic, `Bearer ${token}`]) {
    expect(outcome(await send(controller, "/api/me/passkeys/options", undefined, { Authorization }))).toEqual([
      403,
      "FORBIDDEN",
    ]);
  }
});

test("each account sees and removes its own only; an owner removes all of another, which signs it out", async () => {
  const controller = await start();
  const owners = await enrol(controller);
  const { id, headers } = await addLodger(controller);
  const lodgers = await enrol(controller, headers);
  const mine = async () =>
    dataOf<Listed>(await controller.portal.request("GET", "/api/me/passkeys", { headers })).passkeys.map(
      (key) => key.id,
    );
  expect(await mine()).toEqual([lodgers.device.id]);
  await controller.portal.request("DELETE", `/api/me/passkeys/${owners.device.id}`, { headers });
  expect((await signIn(controller, owners.device)).status).toBe(200);
  const path = `/api/accounts/${id}/passkeys`;
  expect((await controller.portal.request("DELETE", path, { headers })).status).toBe(403);
  expect((await controller.portal.delete(path)).status).toBe(200);
  expect((await controller.portal.request("GET", "/api/me/passkeys", { headers })).status).toBe(401);
  expect(outcome(await signIn(controller, lodgers.device))).toEqual(REFUSED);
  expect((await passwordLogin(controller, "ada@example.org", PASSWORD)).status).toBe(200);
});

test("a new password and the removal of the account end its passkeys and its codes", async () => {
  const controller = await start();
  const { id, headers } = await addLodger(controller);
  const { device, recoveryCodes } = await enrol(controller, headers);
  await controller.portal.post(`/api/accounts/${id}/password`, { password: PASSWORD });
  expect(outcome(await signIn(controller, device))).toEqual(REFUSED);
  expect((await passwordLogin(controller, "ada@example.org", recoveryCodes?.[0] ?? "")).status).toBe(401);
  const again = bearer(await passwordLogin(controller, "ada@example.org", PASSWORD));
  const next = await enrol(controller, again);
  await controller.portal.delete(`/api/accounts/${id}`);
  expect(outcome(await signIn(controller, next.device))).toEqual(REFUSED);
});

test("an account lists its own sessions and ends one of them, but none of another account", async () => {
  const controller = await start();
  const { headers } = await addLodger(controller);
  const other = bearer(await passwordLogin(controller, "ada@example.org", PASSWORD));
  const own = async (as: Readonly<Record<string, string>>) =>
    dataOf<readonly { readonly id: string; readonly isCurrent: boolean }[]>(
      await controller.portal.request("GET", "/api/me/sessions", { headers: as }),
    );
  const sessions = await own(headers);
  expect(sessions.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, true]);
  const [owners] = await own(controller.bearer());
  await controller.portal.request("DELETE", `/api/me/sessions/${owners?.id}`, { headers });
  expect((await controller.portal.get("/api/me/sessions")).status).toBe(200);
  const ended = sessions.find(({ isCurrent }) => !isCurrent);
  await controller.portal.request("DELETE", `/api/me/sessions/${ended?.id}`, { headers });
  expect((await controller.portal.request("GET", "/api/me/sessions", { headers: other })).status).toBe(401);
});
