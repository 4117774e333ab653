/** Who is at home, from outside: phones over HTTP and at a broker, nodes that say it, presses, conditions, a restart, forgetting. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "../../client/src/model/routes.ts";
import type { Integration } from "../../src/integrations/integrations.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import type { Answer } from "../support/https-client.ts";
import { type RunningBroker, startPlainBroker } from "../support/mqtt-brokers.ts";
import { passUntil } from "../support/passing-time.ts";

const MINUTE_MS = 60_000;
const LAMP = "1A 2B 3C 1";
const CAR = "ZW002_1";
/** Digits that nothing else has. */
const [NEAR, FAR, LON] = ["52.520047193", "52.587331947", "13.404954917"] as const;
const PLACE = { latitude: 52.5201, longitude: 13.405 };

const clock = new VirtualClock(START_MS);
let controller: TestController;
let broker: RunningBroker;
let phone: MqttClient;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  broker = await startPlainBroker(port);
  url = `mqtt://127.0.0.1:${port}`;
  phone = await connectAsync(url);
  controller = await startTestController(PLACE, { clock });
  await controller.login();
}, 60_000);

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await phone.endAsync();
  await broker.stop();
});

const data = <T>(answer: Answer): T => answer.json<{ data: T }>().data;
const refusal = (answer: Answer) => [answer.status, answer.json<{ code: string }>().code];
const persons = async () => data<readonly Person[]>(await controller.portal.get("/api/persons"));
const ada = async () => (await persons()).find(({ name }) => name === "Ada");
const said = async () => (await ada())?.says;
const sources = async () => (await ada())?.sources.map(({ kind, says, reason }) => [kind, says, reason]);

function fix(latitude: string, acc: number, tst = Math.floor(clock.now() / 1000)): string {
  return `{"_type":"location","lat":${latitude},"lon":${LON},"acc":${acc},"tst":${tst},"tid":"ad"}`;
}

function send(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return controller.portal.request("POST", path, { body, headers: { "Content-Type": "application/json", ...headers } });
}

function patch(path: string, body: object): Promise<Answer> {
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  return controller.portal.request("PATCH", path, { body: JSON.stringify(body), headers });
}

async function operate(
  kind: string,
  input: object,
): Promise<{ stage: string; detail: string; address: string | null }> {
  const path = "/api/integrations/presence/operation";
  const begun = await controller.portal.post(path, { kind, input });
  expect(begun.status).toBe(200);
  await passUntil(
    clock,
    () => controller.services.drivers.find("presence")?.driver?.commissioning?.operation()?.stage !== "starting",
  );
  return data(await controller.portal.get(path));
}

const REGIONS: readonly object[] = [{ desc: "Home", rad: 100 }];

async function addressOf(id = "1", regions = REGIONS): Promise<string> {
  const made = await controller.portal.post(`/api/persons/${id}/address`, { base: "https://home.example.org" });
  const { url: address, link } = data<{ url: string; link: string }>(made);
  expect(address).toMatch(/^https:\/\/home\.example\.org\/api\/presence\/[A-Za-z0-9_-]{32}$/);
  const inline = decodeURIComponent(link.slice("owntracks:///config?inline=".length));
  const { waypoints = [], ...settings } = JSON.parse(Buffer.from(inline, "base64").toString());
  expect(settings).toEqual({ _type: "configuration", mode: 3, url: address, auth: false });
  expect(waypoints).toMatchObject(regions);
  return new URL(address).pathname;
}

describe("a person", () => {
  let path: string;

  test("is added with a node that is neither Home nor Away yet", async () => {
    const added = await controller.portal.post("/api/integrations", { type: "presence" });
    expect(data<Integration>(added).id).toBe("presence");
    await passUntil(clock, () => controller.services.drivers.find("presence")?.state === "ready");
    expect(await operate("add-person", { name: "Ada", account: "ada" })).toMatchObject({
      stage: "done",
      address: "n000_person1",
    });
    const node = controller.services.home.nodes.get("n000_person1");
    expect([node?.name, node?.role, node?.properties.get("ST")?.value ?? null]).toEqual(["Ada", "person", null]);
    expect(await ada()).toMatchObject({ id: "1", account: "ada", says: null, sources: [] });
  });

  test("is Home at once by a phone, and Away after five minutes", async () => {
    path = await addressOf();
    const answer = await send(path, fix(NEAR, 12), { "X-Limit-U": "ada" });
    expect([answer.status, answer.text]).toEqual([200, "[]"]);
    expect([await said(), (await ada())?.since]).toEqual(["home", new Date(clock.now()).toISOString()]);
    await clock.advance(10 * MINUTE_MS);
    await send(path, fix(FAR, 12));
    await clock.advance(5 * MINUTE_MS - 1);
    expect(await said()).toBe("home");
    await clock.advance(1);
    expect(await said()).toBe("away");
    expect(await sources()).toEqual([["phone", "away", "Its fix is outside the home."]]);
    const shown = await controller.local.get("/rest/status/n000_person1");
    expect(shown.text).toContain('formatted="Away"');
  });

  test("is Home or Away in ordinary conditions, alone, among any, and counted", async () => {
    const text = `Program 'Nobody'\nFolder 'My Programs' [0001]\n\nIf\n    Status 'Ada' [n000_person1] 'Status' [ST] is 'Away'\n    And Status of any person is Away\n    And Number of persons that are Home is 0\n\nThen\n    Set 'Hall Ceiling' [${LAMP}] 'On' [DON]\n\nElse\n`;
    const written = await controller.portal.post("/api/programs/text", { text });
    expect([written.status, written.text]).toEqual([200, expect.any(String)]);
    await send(path, fix(NEAR, 12));
    await clock.advance(MINUTE_MS);
    await controller.local.get(`/rest/nodes/${encodeURIComponent(LAMP)}/cmd/DOF`);
    await send(path, fix(FAR, 12));
    await clock.advance(6 * MINUTE_MS);
    await passUntil(clock, () => controller.services.home.nodes.get(LAMP)?.properties.get("ST")?.value !== 0);
  });

  test("is what is pressed, until a source says something else", async () => {
    expect((await controller.local.get("/rest/nodes/n000_person1/cmd/HOME")).status).toBe(200);
    expect(await said()).toBe("home");
    expect((await controller.local.get("/rest/nodes/n000_person1/cmd/DON")).status).not.toBe(200);
    await send(path, fix(NEAR, 12));
    await send(path, fix(FAR, 12, Math.floor(clock.now() / 1000) + 1));
    await clock.advance(6 * MINUTE_MS);
    expect(await said()).toBe("away");
  });

  test("follows a node that says it, and home wins when two disagree", async () => {
    await operate("change-person", { person: "Ada", nodes: CAR });
    await controller.local.get(`/rest/nodes/${CAR}/cmd/DON`);
    await passUntil(clock, () => controller.services.home.nodes.get("n000_person1")?.properties.get("ST")?.value === 1);
    expect(await sources()).toContainEqual(["node", "home", "The node says it."]);
    await controller.local.get(`/rest/nodes/${CAR}/cmd/DOF`);
    await clock.advance(6 * MINUTE_MS);
    await passUntil(clock, () => controller.services.home.nodes.get("n000_person1")?.properties.get("ST")?.value === 0);
    expect(await operate("change-person", { person: "Ada", nodes: "n000_person1" })).toMatchObject({ stage: "failed" });
    await operate("change-person", { person: "Ada", nodes: "" });
  });

  test("keeps what was known over a restart, and the minutes go on", async () => {
    await send(path, fix(NEAR, 12));
    await send(path, fix(FAR, 12, Math.floor(clock.now() / 1000) + 1));
    await clock.advance(2 * MINUTE_MS);
    await controller.restart();
    await controller.login();
    await passUntil(clock, () => controller.services.drivers.find("presence")?.state === "ready");
    expect(await said()).toBe("home");
    await clock.advance(3 * MINUTE_MS);
    expect(await said()).toBe("away");
    expect((await send(path, fix(NEAR, 12))).status).toBe(200);
    expect(await said()).toBe("home");
  });

  test("is heard at a broker, and a message that the broker has kept is as old as it is", async () => {
    const tst = Math.floor(clock.now() / 1000) - 13 * 3600;
    await phone.publishAsync("owntracks/ben/phone", fix(NEAR, 10, tst), { retain: true });
    await operate("add-person", { name: "Ben", topic: "ben/phone" });
    await patch("/api/integrations/presence", { settings: { url } });
    const ben = async () => (await persons()).find(({ name }) => name === "Ben");
    const status = () => controller.services.home.nodes.get("n000_person2")?.properties.get("ST")?.value;
    const port = () => controller.services.drivers.find("presence")?.presence?.persons()[1];
    await passUntil(clock, () => port()?.sources[0]?.heardAtMs != null);
    expect(await ben()).toMatchObject({
      says: null,
      sources: [{ kind: "broker", from: "ben/phone", reason: "It has been silent for 12 hours." }],
    });
    await phone.publishAsync(
      "owntracks/ben/phone/event",
      `{"_type":"transition","event":"enter","desc":"Home","tst":${Math.floor(clock.now() / 1000)}}`,
    );
    await passUntil(clock, () => status() === 1);
    await phone.publishAsync("owntracks/eve/phone", fix(FAR, 10));
    await phone.publishAsync("owntracks/ben/phone", "{not json");
    await phone.publishAsync("owntracks/ben/phone", fix(NEAR, 10).padEnd(20_000));
    expect((await ben())?.says).toBe("home");
  });

  test("cannot be spoken for with a wrong token, nor with the former one", async () => {
    expect(refusal(await send("/api/presence/wrong", fix(NEAR, 1)))).toEqual([404, "PERSON_NOT_FOUND"]);
    const former = path;
    path = await addressOf();
    expect(refusal(await send(former, fix(NEAR, 1)))).toEqual([404, "PERSON_NOT_FOUND"]);
    expect((await send(path, fix(NEAR, 1))).status).toBe(200);
    expect(refusal(await controller.portal.request("GET", "/api/persons", { headers: {} }))).toEqual([
      401,
      "UNAUTHENTICATED",
    ]);
  });

  test("is not moved by what is no message of OwnTracks, too long or too often", async () => {
    expect(refusal(await send(path, `{"lat":${FAR}`))).toEqual([400, "BAD_BODY"]);
    expect(refusal(await send(path, `{"_type":"location","lat":"${FAR}"}`))).toEqual([400, "BAD_BODY"]);
    expect(refusal(await send(path, fix(NEAR, 1).padEnd(10_241)))).toEqual([413, "BODY_TOO_LARGE"]);
    const many: Answer[] = [];
    for (let count = 0; count < 31; count += 1) many.push(await send(path, fix(NEAR, 1)));
    expect(many.at(-1)?.status).toBe(429);
    await clock.advance(MINUTE_MS);
    expect((await send(path, fix(NEAR, 1))).status).toBe(200);
  });

  test("leaves no coordinates and no token in any file of the home, in a backup, in the log or in the support report", async () => {
    const { portal } = controller;
    const { id } = data<{ id: string }>(await portal.post("/api/backup", {}));
    let state = "making";
    while (state === "making" || state === "proving") {
      state = data<{ state: string }>(await portal.get(`/api/backup/${id}?wait=15`)).state;
    }
    const report = (await portal.get("/api/report")).text;
    const journal = (await portal.get("/api/history")).text;
    await controller.stop();
    const token = path.split("/").at(-1) ?? "";
    const secrets = [NEAR, FAR, LON, token].map((each) => each.slice(-9));
    const texts = [report, journal, JSON.stringify(controller.lines), ...filesOf(controller.data)];
    expect(texts.length).toBeGreaterThan(8);
    expect(texts.some((text) => text.includes("n000_person1"))).toBe(true);
    expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
    await controller.restart();
    await controller.login();
    await passUntil(clock, () => controller.services.drivers.find("presence")?.state === "ready");
  }, 60_000);

  test("is forgotten: record, node and token are gone, and what remains is said", async () => {
    const forgotten = await operate("forget-person", { person: "Ada" });
    expect(forgotten).toMatchObject({ stage: "done", detail: expect.stringContaining("after 30 days") });
    expect(forgotten.detail).not.toContain("Ada");
    expect((await persons()).map(({ name }) => name)).toEqual(["Ben"]);
    expect(controller.services.home.nodes.has("n000_person1")).toBe(false);
    expect(refusal(await send(path, fix(NEAR, 1)))).toEqual([404, "PERSON_NOT_FOUND"]);
    expect(await operate("forget-person", { person: "Ada" })).toMatchObject({ stage: "failed" });
    expect(await operate("add-person", { name: "Eve" })).toMatchObject({ address: "n000_person3" });
  });

  test("the default place of a new home is said, and distances from it say nothing", async () => {
    const move = (latitude: number) => patch("/api/place", { latitude });
    expect((await patch("/api/integrations/presence", { settings: { url: null } })).status).toBe(200);
    const state = () => controller.services.drivers.find("presence");
    await passUntil(clock, () => state()?.state === "ready");
    await move(52.52);
    const next = await addressOf("3", []);
    await send(next, fix(NEAR, 1));
    expect([state()?.state, state()?.detail]).toEqual(["degraded", expect.stringContaining("default place")]);
    const eve = async () => (await persons()).find(({ name }) => name === "Eve");
    expect(await eve()).toMatchObject({ says: null, sources: [{ reason: "The place of the home is not set." }] });
    await move(PLACE.latitude);
    await passUntil(clock, () => state()?.state === "ready");
    await send(next, fix(NEAR, 1));
    expect([state()?.state, (await eve())?.says]).toEqual(["ready", "home"]);
    await patch("/api/integrations/presence", { settings: { url } });
    await passUntil(clock, () => state()?.state === "ready");
  });

  test("the broker's end is said, and the others go on", async () => {
    await broker.stop();
    await passUntil(clock, () => controller.services.drivers.find("presence")?.state === "degraded");
    const next = await addressOf("3");
    expect((await send(next, fix(NEAR, 1))).status).toBe(200);
    expect((await persons()).find(({ name }) => name === "Eve")?.says).toBe("home");
    broker = await startPlainBroker(Number(new URL(url).port));
  });
});

/** Backups are read unpacked. */
function filesOf(directory: string): readonly string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.map(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name));
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("latin1");
  });
}
