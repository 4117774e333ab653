/** Notifications on the devices of a person: messages that a push service takes and a browser opens, and the limits of both. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { decodeProtectedHeader, importJWK, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pushRules } from "../../src/notifications/push-message.ts";
import { resolveTarget } from "../../src/util/network-target.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { PushService } from "../support/push-service.ts";

const PATH = "/api/me/push";
const TRUSTED = getCACertificates("default");

let controller: TestController;
let service: PushService;

beforeAll(async () => {
  const networkTargets = ["localhost"];
  controller = await startTestController({ networkTargets, pushDevicesPerAccountMax: 3, pushDevicesMax: 4 });
  await controller.login();
  const secret = (name: string) => readFileSync(join(controller.data, "secrets", name), "utf8");
  service = await PushService.start(secret("tls-key"), secret("tls-cert"));
  setDefaultCACertificates([...TRUSTED, secret("ca-cert")]);
});
afterAll(async () => {
  setDefaultCACertificates(TRUSTED);
  await service[Symbol.asyncDispose]();
  await controller[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.received.length = 0;
  service.answers = [];
});

type Device = { readonly id: string; readonly name: string };
type Push = { readonly key: string; readonly devices: readonly Device[] };
type Channel = { readonly id: string; readonly type: string; readonly settings: object; readonly state: string };

const data = <T>(answer: { json<B>(): B }) => answer.json<{ data: T }>().data;
const push = async () => data<Push>(await controller.portal.get(PATH));
const post = (body: object) => controller.portal.post(PATH, body);
const allow = async (name: string, path = `/${name}`) =>
  data<Device>(await post({ name, ...service.subscription(path) }));
const remove = (id: string) => controller.portal.delete(`${PATH}/${id}`);
const channels = async () =>
  data<readonly Channel[]>(await controller.portal.get("/api/integrations")).filter(({ type }) => type === "push");
const send = async (body: object) =>
  controller.portal.post(`/api/channels/${(await channels())[0]?.id}/test`, { subject: "Hall", ...body });

async function removeAll(): Promise<void> {
  for (const { id } of (await push()).devices) await remove(id);
}

describe("a device", () => {
  test("gets what its browser can open, signed for its push service, and nothing of it is shown elsewhere", async () => {
    const { id, name } = await allow("Phone");
    expect((await push()).devices).toEqual([{ id, name, createdAt: expect.any(String) }]);
    expect(await channels()).toMatchObject([{ name: "owner@example.org", settings: { account: "owner@example.org" } }]);
    expect((await send({ text: "Motion: ☃" })).status).toBe(200);
    const [received] = service.received;
    expect(received).toMatchObject({
      path: "/Phone",
      message: { subject: "Hall", text: "Motion: ☃", atMs: controller.clock.now() },
      headers: { "content-encoding": "aes128gcm", ttl: "86400", urgency: "high" },
    });

    const [, token = "", key = ""] = /^vapid t=(\S+), k=(\S+)$/.exec(String(received?.headers.authorization)) ?? [];
    expect(key).toBe((await push()).key);
    const point = Buffer.from(key, "base64url");
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
    const jwk = { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" };
    const { payload } = await jwtVerify(token, await importJWK(jwk, "ES256"), {
      currentDate: new Date(controller.clock.now()),
      audience: `https://localhost:${service.port}`,
    });
    expect([decodeProtectedHeader(token).alg, payload.sub]).toEqual(["ES256", "mailto:owner@example.org"]);

    for (const path of [PATH, "/api/accounts", "/api/integrations"])
      expect((await controller.portal.get(path)).text).not.toContain(String(service.port));
    expect(JSON.stringify(controller.lines)).not.toContain(String(service.port));
  });

  test("is still there after a restart, with the same key", async () => {
    const before = await push();
    await controller.restart();
    await controller.login();
    expect(await push()).toEqual(before);
    expect((await send({})).status).toBe(200);
    expect(service.received).toHaveLength(1);
  });

  test("gets long texts cut, below what push services take", async () => {
    expect((await send({ text: "☃".repeat(4000) })).status).toBe(200);
    expect(service.received[0]?.bytes).toBeLessThan(4096);
    expect(service.received[0]?.message).toMatchObject({ text: expect.stringMatching(/^☃{500}…$/) });
  });

  test("that its push service no longer knows is removed; the others get the message, and the last one leaves a reason", async () => {
    await allow("Tablet");
    service.answers = [410, 201];
    expect((await send({})).status).toBe(200);
    expect((await push()).devices).toHaveLength(1);
    service.answers = [404];
    expect((await send({})).json<{ error: string }>().error).toContain("No device of owner@example.org");
    expect((await push()).devices).toEqual([]);
    expect(await channels()).toMatchObject([
      { state: "degraded", reason: expect.stringContaining("System, Notifications") },
    ]);
  });

  test("is added beside others at the same moment, and all share one channel", async () => {
    await removeAll();
    const names = ["One", "Two", "Three"];
    const answers = await Promise.all(names.map((name) => post({ name, ...service.subscription(`/${name}`) })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await push()).devices.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(await channels()).toHaveLength(1);
    await Promise.all((await push()).devices.map(({ id }) => remove(id)));
    expect([(await push()).devices, await channels()]).toEqual([[], []]);
  });

  test("that is added again replaces itself, and the channel is removed with the last one", async () => {
    await allow("Phone", "/same");
    const { id } = await allow("Phone again", "/same");
    expect((await push()).devices).toMatchObject([{ name: "Phone again" }]);
    expect((await remove("unknown")).status).toBe(200);
    expect((await remove(id)).status).toBe(200);
    expect(await channels()).toEqual([]);
  });

  test("a push service that fails makes the channel degraded, and the device stays", async () => {
    await allow("Phone");
    service.answers = [503];
    expect((await send({})).json<{ error: string }>().error).toContain("status 503");
    expect((await push()).devices).toHaveLength(1);
    await removeAll();
  });
});

describe("devices end with the right, the password and the session", () => {
  const resident = { kind: "portal", login: "resident@example.org", role: "owner", password: "a key under the mat" };
  let id: string;

  async function headersOf(): Promise<Record<string, string>> {
    const answer = await controller.portal.post("/api/login", {
      username: resident.login,
      password: resident.password,
    });
    const { accessToken } = data<{ accessToken: string }>(answer);
    return { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" };
  }
  async function allowAs(headers: Record<string, string>, path: string): Promise<void> {
    const body = JSON.stringify({ name: "Own", ...service.subscription(path) });
    expect((await controller.portal.request("POST", PATH, { headers, body })).status).toBe(200);
  }
  const revise = (body: object) => controller.portal.post(`/api/accounts/${id}`, body);
  const reached = async () => {
    service.received.length = 0;
    for (const channel of await channels())
      await controller.portal.post(`/api/channels/${channel.id}/test`, { subject: "Hall", text: "x" });
    return service.received.map(({ path }) => path).toSorted();
  };

  beforeAll(async () => {
    id = data<{ id: string }>(await controller.portal.post("/api/accounts", resident)).id;
  });
  afterAll(async () => void (await controller.portal.delete(`/api/accounts/${id}`)));

  test("a sign-out ends the devices of its session alone, and the last one the channel", async () => {
    const [first, second] = [await headersOf(), await headersOf()];
    await allowAs(first, "/first");
    await allowAs(second, "/second");
    await controller.portal.request("POST", "/api/jwt/logout", { headers: first });
    expect(await reached()).toEqual(["/second"]);
    await controller.portal.request("POST", "/api/jwt/logout", { headers: second });
    await expect.poll(channels).toEqual([]);
    expect(await reached()).toEqual([]);
  });

  test.each([
    [
      "a new password",
      () => controller.portal.post(`/api/accounts/${id}/password`, { password: resident.password }),
      {},
    ],
    ["limits", () => revise({ role: "user", limits: { nodes: ["1A 2B 3C 1"] } }), { role: "owner", limits: null }],
    ["a role without the right", () => revise({ role: "guest" }), { role: "owner" }],
  ])("%s ends them, also when the right comes back", async (_, change, back) => {
    await allowAs(await headersOf(), "/own");
    expect(await reached()).toEqual(["/own"]);
    expect((await change()).status).toBe(200);
    expect(await reached()).toEqual([]);
    await revise({ role: "owner", ...back });
    await expect.poll(channels).toEqual([]);
    expect(await reached()).toEqual([]);
  });

  test("an owner who becomes a user keeps messages, and gets no alarms", async () => {
    await allowAs(await headersOf(), "/own");
    controller.services.notifier.alarm("The disk is full.");
    await expect.poll(() => service.received.length).toBe(1);
    await revise({ role: "user" });
    controller.services.notifier.alarm("The disk is broken.");
    expect(await reached()).toEqual(["/own"]);
  });
});

describe("the limits", () => {
  test.each([
    ["http://localhost/x", "https"],
    ["https://me:pw@push.example.org/x", "password"],
    ["https://push.example.org:8443/x", "443"],
    ["https://192.168.1.10/x", "public"],
    ["https://10.0.0.1/x", "public"],
    ["https://[::1]/x", "public"],
    ["https://[fd00::1]/x", "public"],
    ["https://169.254.169.254/x", "public"],
    ["https://2130706433/x", "public"],
    ["not an address", "https"],
  ])("%s is no push service", async (endpoint, words) => {
    const answer = await post({ name: "Phone", ...service.browser.subscription(endpoint) });
    expect([answer.status, answer.json<{ error: string }>().error]).toEqual([400, expect.stringContaining(words)]);
    expect((await push()).devices).toEqual([]);
  });

  test("a name that leads into the home network is refused when it is resolved, unless the settings list it", async () => {
    const resolve = async () => [{ address: "192.168.1.10", family: 4 }];
    const target = (allowed: readonly string[]) => resolveTarget("push.example.org", 443, pushRules(allowed), resolve);
    await expect(target([])).rejects.toMatchObject({ code: "TARGET_REFUSED" });
    expect(await target(["192.168.1.0/24"])).toMatchObject({ host: "push.example.org" });
  });

  test("bodies with other keys, other members and long names are refused", async () => {
    const good = { name: "Phone", ...service.subscription("/x") };
    const wrong = [
      { ...good, auth: "short" },
      { ...good, p256dh: "" },
      { ...good, more: 1 },
      { ...good, name: "x".repeat(101) },
    ];
    for (const body of wrong) expect((await post(body)).status).toBe(400);
  });

  test("of an account and of all accounts hold, and another account has devices of its own", async () => {
    const lodger = { kind: "portal", login: "lodger@example.org", role: "user", password: "a key under the mat" };
    expect((await controller.portal.post("/api/accounts", lodger)).status).toBe(200);
    for (const name of ["One", "Two", "Three"]) await allow(name);
    expect((await post({ name: "Four", ...service.subscription("/4") })).status).toBe(409);

    const login = await controller.portal.post("/api/login", { username: lodger.login, password: lodger.password });
    const headers = {
      Authorization: `Bearer ${data<{ accessToken: string }>(login).accessToken}`,
      "Content-Type": "application/json",
    };
    const add = (path: string) =>
      controller.portal.request("POST", PATH, {
        headers,
        body: JSON.stringify({ name: "Own", ...service.subscription(path) }),
      });
    expect([(await add("/5")).status, (await add("/6")).status]).toEqual([200, 409]);
    expect((await channels()).map(({ settings }) => settings)).toEqual([
      { account: "owner@example.org" },
      { account: lodger.login, alarms: false },
    ]);
    const [{ id } = { id: "" }] = (await push()).devices;
    await controller.portal.request("DELETE", `${PATH}/${id}`, { headers });
    expect((await push()).devices).toHaveLength(3);
  });

  test("a guest link and a guest have none", async () => {
    const guest = await controller.portal.post("/api/guests", { name: "Walker", limits: { nodes: ["1A 2B 3C 1"] } });
    const headers = { Authorization: `Bearer ${data<{ token: string }>(guest).token}` };
    expect((await controller.portal.request("GET", PATH, { headers })).status).toBe(403);
  });
});
