/** The second factor by time: added, asked for, used once, lost; recovery codes; and what programs with a password alone may do then. */

import { login } from "@domovoi/client";
import { generateSync } from "otplib";
import { expect, onTestFinished, test } from "vitest";
import { LOCAL, OWNER, startTestController, type TestController, type Tokens } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

type Offer = { readonly secret: string; readonly uri: string };

const [MINUTE_MS, STEP_MS] = [60_000, 30_000];
const OUTSIDE = "203.0.113.9";
const REFUSED = [401, "SECOND_FACTOR_REFUSED"];
const DONE = [200, undefined];
const dataOf = <T>(answer: Answer) => answer.json<{ data: T }>().data;
const outcome = (answer: Answer) => [answer.status, answer.json<{ code?: string }>().code];

async function start(settings = {}): Promise<TestController> {
  const controller = await startTestController(settings);
  onTestFinished(() => controller[Symbol.asyncDispose]());
  await controller.login();
  return controller;
}

/** As the app of the phone shows them, now or some steps later. */
function digits({ clock }: TestController, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor((clock.now() + steps * STEP_MS) / 1000) });
}

async function enrol(controller: TestController) {
  const offer = dataOf<Offer>(await controller.portal.post("/api/me/second-factor/options", undefined));
  const answer = await controller.portal.post("/api/me/second-factor", { code: digits(controller, offer.secret) });
  expect(outcome(answer)).toEqual(DONE);
  // The digits that added it are used up.
  await controller.clock.advance(STEP_MS);
  return { ...offer, codes: dataOf<{ recoveryCodes: readonly string[] }>(answer).recoveryCodes };
}

const signIn = ({ portal }: TestController, code?: string, username: string = OWNER.username, from?: string) =>
  portal.request("POST", "/api/login", {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password: OWNER.password, ...(code !== undefined && { code }) }),
    ...(from !== undefined && { from }),
  });

test("it is asked for after a right password alone, and its digits work once, also after a restart", async () => {
  const controller = await start();
  const { secret, uri, codes } = await enrol(controller);
  expect(codes).toHaveLength(10);
  expect(uri).toBe(`otpauth://totp/Domovoi:${encodeURIComponent(OWNER.username)}?secret=${secret}&issuer=Domovoi`);
  expect(dataOf(await controller.portal.get("/api/me/second-factor"))).toEqual({
    addedAt: new Date(controller.clock.now() - STEP_MS).toISOString(),
    recoveryCodesLeft: 10,
  });
  expect(outcome(await signIn(controller))).toEqual([401, "SECOND_FACTOR_NEEDED"]);
  const wrong = { username: OWNER.username, password: "a wrong password" };
  expect(outcome(await controller.portal.post("/api/login", wrong))).toEqual([401, "LOGIN_FAILED"]);
  const code = digits(controller, secret);
  expect(outcome(await signIn(controller, ` ${code.slice(0, 3)} ${code.slice(3)}`))).toEqual(DONE);
  expect(outcome(await signIn(controller, code))).toEqual(REFUSED);
  await controller.restart();
  expect(outcome(await signIn(controller, code))).toEqual(REFUSED);
  await controller.clock.advance(STEP_MS);
  expect(outcome(await signIn(controller, digits(controller, secret)))).toEqual(DONE);
});

test.each([
  ["one step late", -1, DONE],
  ["one step early", 1, DONE],
  ["two steps late", -2, REFUSED],
  ["two steps early", 2, REFUSED],
])("a phone whose clock is %s", async (_what, steps, expected) => {
  const controller = await start();
  const { secret } = await enrol(controller);
  await controller.clock.advance(5 * STEP_MS);
  expect(outcome(await signIn(controller, digits(controller, secret, steps)))).toEqual(expected);
});

test("of two logins with the same digits at once one succeeds", async () => {
  const controller = await start();
  const { secret } = await enrol(controller);
  const code = digits(controller, secret);
  const answers = await Promise.all([signIn(controller, code), signIn(controller, code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test("digits are guessed as rarely as passwords, over all devices together", async () => {
  const controller = await start({ loginFailuresPerHour: 5 });
  const { secret } = await enrol(controller);
  const right = digits(controller, secret);
  const wrong = right === "000000" ? "111111" : "000000";
  for (let tries = 0; tries < 5; tries += 1)
    expect(outcome(await signIn(controller, wrong, OWNER.username, `127.0.0.${tries + 1}`))).toEqual(REFUSED);
  const refused = await signIn(controller, right, OWNER.username, "127.0.0.9");
  expect(outcome(refused)).toEqual([429, "TOO_MANY_TRIES"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3000);
  await controller.clock.advance(61 * MINUTE_MS);
  expect(outcome(await signIn(controller, digits(controller, secret)))).toEqual(DONE);
});

test("a recovery code counts in place of the digits, never of the password, and once", async () => {
  const controller = await start();
  const { codes } = await enrol(controller);
  const [code = "", other = ""] = codes;
  const alone = { username: OWNER.username, password: code };
  expect(outcome(await controller.portal.post("/api/login", alone))).toEqual([401, "LOGIN_FAILED"]);
  expect(outcome(await signIn(controller, code))).toEqual(DONE);
  expect(outcome(await signIn(controller, code))).toEqual(REFUSED);
  const renewed = await controller.portal.post("/api/me/recovery-codes", undefined);
  const [fresh = ""] = dataOf<{ recoveryCodes: readonly string[] }>(renewed).recoveryCodes;
  expect(outcome(await signIn(controller, other))).toEqual(REFUSED);
  expect(outcome(await signIn(controller, fresh))).toEqual(DONE);
  expect(dataOf(await controller.portal.get("/api/me/second-factor"))).toMatchObject({ recoveryCodesLeft: 9 });
});

test("it is added, removed and gets new codes only in the ten minutes after a login", async () => {
  const controller = await start();
  expect(outcome(await controller.portal.post("/api/me/recovery-codes", undefined))).toEqual([409, "NO_SECOND_WAY"]);
  const { secret } = dataOf<Offer>(await controller.portal.post("/api/me/second-factor/options", undefined));
  const early = { code: digits(controller, secret, 5) };
  const answer = await controller.portal.post("/api/me/second-factor", early);
  expect(outcome(answer)).toEqual([400, "SECOND_FACTOR_UNCONFIRMED"]);
  expect(outcome(await signIn(controller))).toEqual(DONE);
  await enrol(controller);
  await controller.clock.advance(11 * MINUTE_MS);
  for (const path of ["second-factor/options", "recovery-codes"])
    expect(outcome(await controller.portal.post(`/api/me/${path}`, undefined))).toEqual([403, "SIGN_IN_AGAIN"]);
  expect(outcome(await controller.portal.request("DELETE", "/api/me/second-factor"))).toEqual([403, "SIGN_IN_AGAIN"]);
});

test("a removed one is asked for no more, and its codes are gone", async () => {
  const controller = await start();
  const { codes } = await enrol(controller);
  expect(outcome(await controller.portal.request("DELETE", "/api/me/second-factor"))).toEqual(DONE);
  expect(outcome(await signIn(controller))).toEqual(DONE);
  const alone = { username: OWNER.username, password: codes[0] };
  expect(outcome(await controller.portal.post("/api/login", alone))).toEqual([401, "LOGIN_FAILED"]);
});

test("an owner removes that of a lost phone; a new password keeps it; no list shows its secret", async () => {
  const controller = await start();
  const { secret } = await enrol(controller);
  const listed = await controller.portal.get("/api/accounts");
  expect(listed.text).not.toContain(secret);
  expect(listed.text).not.toContain("secondFactor");
  const { id } = dataOf<readonly { id: string; login: string }[]>(listed).find(
    ({ login }) => login === OWNER.username,
  ) ?? { id: "" };
  await controller.portal.post(`/api/accounts/${id}/password`, { password: OWNER.password });
  expect(outcome(await signIn(controller))).toEqual([401, "SECOND_FACTOR_NEEDED"]);
  await controller.clock.advance(STEP_MS);
  const { accessToken } = dataOf<Tokens>(await signIn(controller, digits(controller, secret)));
  const headers = { Authorization: `Bearer ${accessToken}` };
  await controller.portal.request("DELETE", `/api/accounts/${id}/passkeys`, { headers });
  expect(outcome(await signIn(controller))).toEqual(DONE);
});

test("with a second factor, basic authentication is for the home network, unless the setting says otherwise", async () => {
  const behindProxy = { trustedProxies: ["127.0.0.1"] };
  const basic = `Basic ${btoa(`${LOCAL.username}:${LOCAL.password}`)}`;
  const get = ({ portal }: TestController, from: string) =>
    portal.request("GET", "/rest/config", { headers: { Authorization: basic, "X-Forwarded-For": from } });
  const controller = await start(behindProxy);
  expect((await get(controller, OUTSIDE)).status).toBe(200);
  await enrol(controller);
  expect((await get(controller, OUTSIDE)).status).toBe(403);
  for (const from of ["192.168.1.20", "10.1.2.3", "fd00::1", "fe80::1", "100.101.102.103", "127.0.0.1"])
    expect([from, (await get(controller, from)).status]).toEqual([from, 200]);
  for (const from of ["2001:db8::1", "172.32.0.1", "192.169.0.1"])
    expect([from, (await get(controller, from)).status]).toEqual([from, 403]);
  const limited = await start({ ...behindProxy, basicFrom: "home-network" });
  expect((await get(limited, OUTSIDE)).status).toBe(403);
  const open = await start({ ...behindProxy, basicFrom: "anywhere" });
  await enrol(open);
  expect((await get(open, OUTSIDE)).status).toBe(200);
});

test("a recovery code that is tried outside of the account's hours stays good", async () => {
  const controller = await start();
  const body = { kind: "portal", login: "ada@example.org", role: "user", password: OWNER.password };
  const { id } = dataOf<{ id: string }>(await controller.portal.post("/api/accounts", body));
  const { accessToken } = dataOf<Tokens>(await signIn(controller, undefined, "ada@example.org"));
  const headers = { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" };
  const send = (path: string, given: object) =>
    controller.portal.request("POST", path, { headers, body: JSON.stringify(given) });
  const { secret } = dataOf<Offer>(await send("/api/me/second-factor/options", {}));
  const added = await send("/api/me/second-factor", { code: digits(controller, secret) });
  const [code = ""] = dataOf<{ recoveryCodes: readonly string[] }>(added).recoveryCodes;
  const hour = (shift: number) =>
    `${String((new Date(controller.clock.now()).getUTCHours() + shift) % 24).padStart(2, "0")}:00`;
  const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  const hours = [{ days, from: hour(8), to: hour(10) }];
  expect(outcome(await controller.portal.post(`/api/accounts/${id}`, { hours }))).toEqual(DONE);
  expect(outcome(await signIn(controller, code, "ada@example.org"))).toEqual([403, "OUT_OF_HOURS"]);
  await controller.portal.post(`/api/accounts/${id}`, { hours: null });
  expect(outcome(await signIn(controller, code, "ada@example.org"))).toEqual(DONE);
});

test("the client library asks its program for the digits, once, and without an answer says what is missing", async () => {
  const controller = await start();
  const { secret } = await enrol(controller);
  const access = { url: controller.portal.url, user: OWNER.username, password: OWNER.password, insecure: true };
  await expect(login(access)).rejects.toMatchObject({ code: "AUTH_FAILED", reason: "SECOND_FACTOR_NEEDED" });
  let asked = 0;
  const secondFactor = async () => {
    asked += 1;
    return digits(controller, secret);
  };
  await using session = await login({ ...access, secondFactor });
  expect([asked, (await session.request("GET", "/api/me/second-factor")).successful]).toEqual([1, true]);
});
