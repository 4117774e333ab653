/** Alerts from outside: a sensor rings, persons get it in the order, buttons, links, rights, hours, quiet hours, and answers that count once. */

import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text as bodyText } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Alert, AlertAnswered } from "../../client/src/model/routes.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";
import { passUntil } from "../support/passing-time.ts";
import { PushService } from "../support/push-service.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LAMP = "1A 2B 3C 1";
const PAGE = "https://home.example.org";
const TRUSTED = getCACertificates("default");

type Post = { readonly path: string; readonly body: Record<string, unknown> };
type Pushed = {
  readonly text: string;
  readonly tag: string;
  readonly token?: string;
  readonly buttons?: readonly string[];
  readonly silent?: boolean;
};

const clock = new VirtualClock(START_MS);
let controller: TestController;
let receiver: Server;
let service: PushService;
let leak: string;
const posts: Post[] = [];
const ordinary: Post[] = [];
let failing: ReadonlySet<string> = new Set();

beforeAll(async () => {
  receiver = createServer(async (request: IncomingMessage, response) => {
    const { url: path = "" } = request;
    const body = JSON.parse(await bodyText(request));
    // A program of the demo notifies of the same leak.
    (body.alert === undefined ? ordinary : posts).push({ path, body });
    response.writeHead(failing.has(path) ? 503 : 200).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  controller = await startTestController({ alerts: true, networkTargets: ["localhost"] }, { clock });
  await controller.login();
  const secret = (name: string) => readFileSync(join(controller.data, "secrets", name), "utf8");
  service = await PushService.start(secret("tls-key"), secret("tls-cert"));
  setDefaultCACertificates([...TRUSTED, secret("ca-cert")]);
  leak =
    [...controller.services.home.nodes.values()].find(({ role }) => role === "leak" || role === "leak-dry")?.address ??
    "";
  await change("alerts", { address: PAGE });
}, 60_000);

afterAll(async () => {
  setDefaultCACertificates(TRUSTED);
  await service[Symbol.asyncDispose]();
  await controller[Symbol.asyncDispose]();
  receiver.close();
});

beforeEach(async () => {
  // Hours pass.
  await controller.login();
  posts.length = 0;
  service.received.length = 0;
  failing = new Set();
});

const data = <T>(answer: Answer): T => answer.json<{ data: T }>().data;
const refusal = (answer: Answer) => [answer.status, answer.json<{ code: string }>().code];
const alerts = async () => data<readonly Alert[]>(await controller.portal.get("/api/alerts"));
const water = async () => (await alerts()).find(({ kind }) => kind === "water");
const node = async () => (await water())?.node ?? "";
const statusOf = (address: string) => controller.services.home.nodes.get(address)?.properties.get("ST")?.value;
const act = (control: string) => controller.portal.post(`/api/nodes/${encodeURIComponent(leak)}/act`, { control });
const command = (address: string, id: string) =>
  controller.local.get(`/rest/nodes/${encodeURIComponent(address)}/cmd/${id}`);
const texts = (path: string) => posts.filter((post) => post.path === path).map(({ body }) => body.text);

function send(method: string, path: string, body: object, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const all = { "Content-Type": "application/json", ...headers };
  return controller.portal.request(method, path, { body: JSON.stringify(body), headers: all });
}

async function change(id: string, settings: object): Promise<void> {
  const answer = await send("PATCH", `/api/integrations/${id}`, { settings }, controller.bearer());
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  await passUntil(clock, () => controller.services.drivers.find(id)?.state === "ready");
}

async function addHook(name: string, settings: object = {}): Promise<string> {
  const { port } = receiver.address() as AddressInfo;
  const all = { url: `http://127.0.0.1:${port}/${name}`, ...settings };
  const added = await controller.portal.post("/api/integrations", { type: "webhook", name, settings: all });
  expect([added.status, added.text]).toEqual([200, expect.any(String)]);
  const { id } = data<{ id: string }>(added);
  await passUntil(clock, () => controller.services.drivers.find(id)?.state === "ready");
  return id;
}

async function operate(id: string, kind: string, input: object) {
  const path = `/api/integrations/${id}/operation`;
  const begun = await controller.portal.post(path, { kind, input });
  expect([begun.status, begun.text]).toEqual([200, expect.any(String)]);
  const isOver = () =>
    ["done", "failed"].includes(controller.services.drivers.find(id)?.driver?.commissioning?.operation()?.stage ?? "");
  await passUntil(clock, isOver);
  return data<{ stage: string; detail: string; address: string | null }>(await controller.portal.get(path));
}

const ring = async () => {
  const address = await node();
  await act("WET");
  await passUntil(clock, () => statusOf(address) === 1);
};
/** Over, and long enough for the next one to be another. */
const rest = async () => {
  await act("DRY");
  await clock.advance(30 * MINUTE_MS);
  posts.length = 0;
  service.received.length = 0;
};
const arrives = (path: string, count = 1) =>
  passUntil(clock, () => posts.filter((post) => post.path === path).length >= count);
const port = () =>
  controller.services.drivers
    .find("alerts")
    ?.alerts?.alerts()
    .find(({ kind }) => kind === "water");
/** A delivery is over, and the next one has its time. */
const isWaiting = () => passUntil(clock, () => typeof port()?.nextAtMs === "number");
const tokenIn = (post: Post | undefined) => String(post?.body.link).split("#")[1] ?? "";
const answerBy = (token: string, button = 0) => send("POST", "/api/alert-answer", { token, button }, {});

describe("an alert", () => {
  test("is there once a sensor can raise it, and rings at once with the sensor and its room", async () => {
    expect(await water()).toMatchObject({ name: "Water", status: "off", urgency: "critical", order: "home, 3 all" });
    await ring();
    expect(await water()).toMatchObject({
      status: "ringing",
      text: "Kitchen Leak: wet.",
    });
    expect(statusOf(await node())).toBe(1);
    const shown = await controller.local.get(`/rest/status/${await node()}`);
    expect(shown.text).toContain('formatted="Ringing"');
    await rest();
    expect([(await water())?.status, statusOf(await node())]).toEqual(["off", 0]);
  });

  test("goes to all channels when no person is at home, with a link, and says when it is over", async () => {
    await addHook("hall");
    await ring();
    await arrives("/hall");
    expect(posts[0]?.body).toMatchObject({
      subject: "Water",
      alert: await node(),
      urgency: "critical",
      link: expect.stringMatching(/^https:\/\/home\.example\.org\/alert#[A-Za-z0-9_-]{32}$/),
    });
    await act("DRY");
    await arrives("/hall", 2);
    expect(posts[1]?.body).toMatchObject({ text: "It is over.", urgency: "low" });
    expect(posts[1]?.body).not.toHaveProperty("link");
    expect(refusal(await answerBy(tokenIn(posts[0])))).toEqual([404, "ALERT_NOT_FOUND"]);
    await rest();
  });

  test("nobody answers: it is repeated every ten minutes, and after two hours rings in the page alone", async () => {
    await ring();
    await arrives("/hall");
    for (const count of [2, 3]) {
      await isWaiting();
      await clock.advance(9 * MINUTE_MS);
      expect(texts("/hall")).toHaveLength(count - 1);
      await clock.advance(MINUTE_MS);
      await arrives("/hall", count);
    }
    await isWaiting();
    await clock.advance(2 * HOUR_MS);
    await controller.login();
    await passUntil(clock, () => port()?.nextAtMs === null);
    const { length } = posts;
    await clock.advance(10 * HOUR_MS);
    expect(posts).toHaveLength(length);
    await controller.login();
    expect(await water()).toMatchObject({ status: "ringing", nextAt: null });
    await rest();
  });

  test("a channel without an account confirms once; the second answer reads who was first", async () => {
    await ring();
    await arrives("/hall");
    const token = tokenIn(posts[0]);
    const look = data<Alert>(await send("POST", "/api/alert-look", { token }, {}));
    expect(look).toMatchObject({ name: "Water", status: "ringing", buttons: [], answer: null });
    const both = await Promise.all([answerBy(token), controller.portal.post(`/api/alerts/${await node()}/answer`, {})]);
    const answered = both.map((each) => data<AlertAnswered>(each));
    expect(answered.map(({ first }) => first).toSorted()).toEqual([false, true]);
    const first = answered.find((each) => each.first)?.answer;
    expect(answered.map(({ answer }) => answer)).toEqual([first, first]);
    await arrives("/hall", 2);
    expect(texts("/hall").at(-1)).toBe(`Confirmed by ${first?.by}.`);
    expect([(await water())?.status, (await water())?.answer]).toEqual(["confirmed", first]);
    await clock.advance(HOUR_MS);
    await controller.login();
    expect(texts("/hall")).toHaveLength(2);
    await rest();
  });

  test("who answered is in why and in the journal", async () => {
    await ring();
    await controller.portal.post(`/api/alerts/${await node()}/answer`, {});
    const why = await controller.portal.get(`/api/why/node/${await node()}`);
    expect(why.text).toContain("owner@example.org");
    const path = `/api/nodes/${await node()}/events`;
    // Reports wait for the disk for a while.
    await clock.advance(5000);
    await expect.poll(async () => (await controller.portal.get(path)).text).toContain("owner@example.org, on the page");
    await rest();
  });

  test("a press on the node confirms it too, and a command does not end what a sensor says", async () => {
    await ring();
    expect((await command(await node(), "DOF")).status).not.toBe(200);
    expect((await command(await node(), "CONFIRM")).status).toBe(200);
    expect(await water()).toMatchObject({ status: "confirmed", answer: { by: "admin", way: "command" } });
    await rest();
  });

  test("of an owner is raised by a program's On, with a text, and ends by Off", async () => {
    const added = await operate("alerts", "add-alert", {
      name: "Freezer",
      text: "The freezer is at $" + "{Hall Ceiling.ST}.",
      order: "hall",
    });
    expect(added.stage).toBe("done");
    const text = "Program 'Freezer'\n\nIf\n\nThen\n    Set 'Freezer' On\n\nElse\n    Set 'Freezer' Off\n";
    const { id } = data<{ id: string }>(await controller.portal.post("/api/programs/text", { text }));
    const run = (verb: string) => controller.local.get(`/rest/programs/${id}/${verb}`);
    expect((await run("runThen")).status).toBe(200);
    await arrives("/hall");
    expect(posts[0]?.body).toMatchObject({
      subject: "Freezer",
      urgency: "high",
      text: expect.stringMatching(/^The freezer is at (?:Off|\d+%)\.$/),
    });
    await run("runElse");
    await arrives("/hall", 2);
    expect(await operate("alerts", "remove-alert", { alert: "Water" })).toMatchObject({ stage: "failed" });
    expect(await operate("alerts", "remove-alert", { alert: "Freezer" })).toMatchObject({ stage: "done" });
    expect(controller.services.home.nodes.has(added.address ?? "")).toBe(false);
  });

  test("a channel that is gone does not keep the next step waiting, and is tried each minute", async () => {
    failing = new Set(["/hall"]);
    await ring();
    await isWaiting();
    expect((await water())?.told).toMatchObject([{ channel: "hall", failure: expect.stringContaining("503") }]);
    failing = new Set();
    await clock.advance(MINUTE_MS);
    await passUntil(clock, () => port()?.told[0]?.failure === "");
    expect(posts).toHaveLength(2);
    await rest();
  });

  test("that is disabled does not ring, and rings when it is enabled again", async () => {
    const address = await node();
    const enable = (enabled: boolean) => send("PATCH", `/api/nodes/${address}`, { enabled }, controller.bearer());
    expect((await enable(false)).status).toBe(200);
    await act("WET");
    await clock.advance(1000);
    expect((await water())?.status).toBe("off");
    await enable(true);
    await passUntil(clock, () => statusOf(address) === 1);
    await rest();
  });

  test("rings on over a restart, with its next step at its time, and an earlier token answers", async () => {
    await operate("alerts", "change-alert", { alert: "Water", order: "hall, 5 all" });
    await ring();
    await arrives("/hall");
    await clock.advance(2 * MINUTE_MS);
    const token = tokenIn(posts[0]);
    await controller.restart();
    await controller.login();
    await passUntil(clock, () => controller.services.drivers.find("alerts")?.state === "ready");
    expect([(await water())?.status, posts.length]).toEqual(["ringing", 1]);
    await clock.advance(3 * MINUTE_MS);
    await arrives("/hall", 2);
    expect(data<AlertAnswered>(await answerBy(token))).toMatchObject({
      first: true,
      answer: { by: "hall", way: "channel" },
    });
    await rest();
  });
});

describe("persons and buttons", () => {
  const PASSWORD = "a key under the mat";
  const NIGHT = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "22:00", to: "06:00" };
  let valve: string;
  let benId: string;

  const bearerOf = async (username: string) => {
    const answer = await controller.portal.post("/api/login", { username, password: PASSWORD });
    return { Authorization: `Bearer ${data<{ accessToken: string }>(answer).accessToken}` };
  };
  const account = async (login: string, more: object = {}) =>
    data<{ id: string }>(
      await controller.portal.post("/api/accounts", {
        kind: "portal",
        login,
        role: "user",
        password: PASSWORD,
        ...more,
      }),
    ).id;
  const push = async (username: string) => {
    const body = { name: "Phone", ...service.subscription(`/${username}`) };
    expect((await send("POST", "/api/me/push", body, await bearerOf(username))).status).toBe(200);
  };
  const atHome = (person: string, isHome: boolean) => command(`n000_person${person}`, isHome ? "HOME" : "AWAY");
  const pushedTo = (username: string) =>
    service.received
      .filter(({ path }) => path === `/${username}`)
      .flatMap(({ message }) => ((message as Pushed).tag === undefined ? [] : [message as Pushed]));
  const pushArrives = (username: string, count = 1) => passUntil(clock, () => pushedTo(username).length >= count);

  beforeAll(async () => {
    await controller.login();
    valve = LAMP;
    await controller.portal.post("/api/integrations", { type: "presence" });
    await passUntil(clock, () => controller.services.drivers.find("presence")?.state === "degraded");
    await account("ada@example.org");
    benId = await account("ben@example.org");
    await push("ada@example.org");
    await push("ben@example.org");
    await operate("presence", "add-person", { name: "Ada", account: "ada@example.org" });
    await operate("presence", "add-person", { name: "Ben", account: "ben@example.org" });
    const button1 = "Light: Set 'Hall Ceiling' On";
    expect(await operate("alerts", "change-alert", { alert: "Water", order: "", button1 })).toMatchObject({
      stage: "done",
    });
    expect((await water())?.buttons).toEqual([{ label: "Light", action: expect.stringContaining("'Hall Ceiling'") }]);
  });

  test("a button is one command or a run of a program, and anything else is refused with what is wrong", async () => {
    const wrong = ["Light", "Light: Wait 5 seconds", "Light: Set 'No Such Lamp' On", ": Set 'Hall Ceiling' On"];
    for (const button1 of wrong)
      expect([button1, await operate("alerts", "change-alert", { alert: "Water", button1 })]).toMatchObject([
        button1,
        { stage: "failed", detail: expect.stringContaining("button") },
      ]);
    expect((await water())?.buttons).toHaveLength(1);
  });

  test("who is at home gets it first, with buttons; who comes home while it rings gets it then; the others after three minutes", async () => {
    await atHome("1", true);
    await ring();
    await pushArrives("ada@example.org");
    expect(pushedTo("ada@example.org")[0]).toMatchObject({
      text: "Kitchen Leak: wet.",
      tag: await node(),
      urgency: "critical",
      buttons: ["Light"],
      token: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
    });
    expect([pushedTo("ben@example.org"), texts("/hall")]).toEqual([[], []]);
    await isWaiting();
    await atHome("2", true);
    await pushArrives("ben@example.org");
    expect(texts("/hall")).toEqual([]);
    await isWaiting();
    await clock.advance(3 * MINUTE_MS);
    await arrives("/hall");
    await rest();
    await atHome("2", false);
  });

  test("a button does what it says, once, as the account of the channel; the message is replaced", async () => {
    await command(valve, "DOF");
    await ring();
    await pushArrives("ada@example.org");
    const { token = "" } = pushedTo("ada@example.org")[0] ?? {};
    const look = data<Alert>(await send("POST", "/api/alert-look", { token }, {}));
    expect(look.buttons).toEqual(["Light"]);
    const both = await Promise.all([answerBy(token, 1), answerBy(token, 1)]);
    const answered = both.map((each) => data<AlertAnswered>(each));
    expect(answered.filter(({ first }) => first)).toMatchObject([
      { answer: { by: "ada@example.org", way: "channel", button: "Light", outcome: "Done." } },
    ]);
    await passUntil(clock, () => (statusOf(valve) ?? 0) !== 0);
    await pushArrives("ada@example.org", 2);
    expect(pushedTo("ada@example.org")[1]).toMatchObject({
      text: "Confirmed by ada@example.org: Light.",
      tag: await node(),
      silent: true,
    });
    const events = await controller.portal.get(`/api/nodes/${encodeURIComponent(valve)}/events`);
    type Event = { readonly kind: string; readonly by: { readonly name: string | null } };
    const commands = data<{ events: readonly Event[] }>(events).events.filter(({ kind }) => kind === "command");
    expect(commands.filter(({ by }) => by.name === "ada@example.org")).toHaveLength(1);
    expect(refusal(await answerBy("wrong"))).toEqual([404, "ALERT_NOT_FOUND"]);
    await rest();
  });

  test("a channel without an account has no buttons; signing in has them", async () => {
    await operate("alerts", "change-alert", { alert: "Water", order: "hall" });
    await ring();
    await arrives("/hall");
    expect(refusal(await answerBy(tokenIn(posts[0]), 1))).toEqual([403, "FORBIDDEN"]);
    expect((await water())?.status).toBe("ringing");
    const path = `/api/alerts/${await node()}/answer`;
    const ada = await bearerOf("ada@example.org");
    expect(data<AlertAnswered>(await send("POST", path, { button: 1 }, ada))).toMatchObject({
      first: true,
      answer: { by: "ada@example.org", way: "page", channel: "" },
    });
    expect(refusal(await send("POST", path, { button: 2 }, ada))).toEqual([400, "BAD_VALUE"]);
    await operate("alerts", "change-alert", { alert: "Water", order: "" });
    await rest();
  });

  test("rights are those of the moment of the answer: a guest, a limited account, hours and an account that is gone", async () => {
    const revise = async (body: object) => {
      await controller.login();
      expect((await controller.portal.post(`/api/accounts/${benId}`, body)).status).toBe(200);
    };
    await operate("alerts", "change-alert", { alert: "Water", order: "Ben" });
    await ring();
    await pushArrives("ben@example.org");
    const { token = "" } = pushedTo("ben@example.org")[0] ?? {};
    await revise({ hours: [NIGHT] });
    expect(refusal(await answerBy(token))).toEqual([403, "OUT_OF_HOURS"]);
    await revise({ hours: null, limits: { nodes: [valve] } });
    expect(refusal(await answerBy(token))).toEqual([404, "NODE_NOT_FOUND"]);
    await revise({ limits: { nodes: [await node()] } });
    expect(refusal(await answerBy(token, 1))).toEqual([404, "NODE_NOT_FOUND"]);
    await revise({ limits: null, role: "guest" });
    expect(refusal(await answerBy(token))).toEqual([403, "FORBIDDEN"]);
    expect((await water())?.status).toBe("ringing");
    await controller.portal.delete(`/api/accounts/${benId}`);
    expect(refusal(await answerBy(token))).toEqual([404, "ACCOUNT_NOT_FOUND"]);
    expect((await water())?.status).toBe("ringing");
    await operate("alerts", "change-alert", { alert: "Water", order: "" });
    await rest();
  });

  test("a push that is gone leaves the next step in its place", async () => {
    service.answers = [410, 410, 410];
    await ring();
    await arrives("/hall");
    expect((await water())?.told).toContainEqual(expect.objectContaining({ failure: "", channel: "hall" }));
    service.answers = [];
    await rest();
  });

  test("quiet hours of a channel are for ordinary notifications", async () => {
    const all = data<{ id: string; name: string }[]>(await controller.portal.get("/api/integrations"));
    await change(all.find(({ name }) => name === "hall")?.id ?? "", { quiet: "00:00-23:59" });
    await ring();
    await arrives("/hall");
    expect(posts[0]?.body.silent ?? false).toBe(false);
    await rest();
  });

  test("no token is in any log line, and only hashes are stored", async () => {
    await ring();
    await arrives("/hall");
    const token = tokenIn(posts[0]);
    await answerBy(token);
    expect(token).toHaveLength(32);
    expect(JSON.stringify(controller.lines)).not.toContain(token);
    await controller.stop();
    const files = readdirSync(controller.data, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const holding = (part: string) =>
      files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(part)).length;
    expect(holding("n000_alert")).toBeGreaterThan(0);
    expect(holding(token)).toBe(0);
    await controller.restart();
    await controller.login();
  });
});
