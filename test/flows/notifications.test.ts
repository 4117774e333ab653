/** Notifications that arrive: by a real mail server and a real HTTP receiver on loopback. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { MailServer } from "../support/mail-server.ts";

/** In a text: the value of a property in words. */
const VALUE = "$" + "{Hall Ceiling.ST}";
const PASSWORD = "mail-password-4711";

let controller: TestController;
let mailServer: MailServer;
let receiver: Server;
const posts: { readonly path: string; readonly authorization: string; readonly body: Record<string, string> }[] = [];
let answers: number[] = [];

const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  mailServer = await MailServer.start(PASSWORD);
  receiver = createServer(async (request: IncomingMessage, response) => {
    const { url = "", headers } = request;
    posts.push({ path: url, authorization: headers.authorization ?? "", body: JSON.parse(await text(request)) });
    response.writeHead(answers.shift() ?? 200).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  controller = await startTestController();
  await controller.login();
});
afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  receiver.close();
  await mailServer[Symbol.asyncDispose]();
});
beforeEach(() => {
  mailServer.mails.length = 0;
  posts.length = 0;
  answers = [];
});

async function add(type: string, name: string, settings: object): Promise<string> {
  const answer = await controller.portal.post("/api/integrations", { type, name, settings });
  expect(answer.status).toBe(200);
  return answer.json<{ data: { id: string } }>().data.id;
}

const remove = (id: string) => controller.portal.delete(`/api/integrations/${id}`);
const send = (id: string, body: object = {}) => controller.portal.post(`/api/channels/${id}/test`, body);
const hookUrl = (path: string) => `http://127.0.0.1:${portOf(receiver)}${path}`;

async function state(id: string): Promise<{ readonly state: string; readonly reason: string }> {
  return (await controller.portal.get(`/api/integrations/${id}`)).json<{ data: { state: string; reason: string } }>()
    .data;
}

describe("a channel", () => {
  test.each([
    ["13:00-15:00", true],
    ["14:00-14:01", true],
    ["15:00-13:59", false],
    ["22:00-07:00", false],
    ["12:00-14:00", false],
    ["", false],
  ])("with the quiet hours %s is silent at 14:00: %s", async (quiet, isSilent) => {
    const id = await add("webhook", "hook", { url: hookUrl("/quiet"), quiet });
    expect((await send(id, { text: "x" })).status).toBe(200);
    expect(posts.at(-1)?.body.silent ?? false).toBe(isSilent);
    await remove(id);
  });

  test("delivers mail by SMTP with a login, and its password is in no answer and no log line", async () => {
    const server = `smtp://me:${PASSWORD}@127.0.0.1:${mailServer.port}`;
    const id = await add("email", "mail", { server, to: "owner@example.org" });
    const answer = await send(id, { subject: "Hello", text: `The hall is ${VALUE}.` });
    expect(answer.status).toBe(200);
    expect(mailServer.mails).toMatchObject([{ user: "me", text: expect.stringContaining("Subject: Hello") }]);
    expect(mailServer.mails[0]?.text).toContain("The hall is Off.");
    const shown = await controller.portal.get(`/api/integrations/${id}`);
    expect(shown.text).not.toContain(PASSWORD);
    expect(JSON.stringify(controller.lines)).not.toContain(PASSWORD);
    await remove(id);
  });

  test.each([
    ["smtp://me:p#ss%w@host", false],
    ["smtp://me:p%23ss%25w@host", true],
    ["smtp://me:p/ss@host:25", false],
    ["smtp://me:p?ss@host", false],
    ["smtp://me:100%@host", false],
    ["smtp://me:pass@host:25000000", false],
    ["smtp://me@example.org:pass@host", true],
    ["smtps://host/?tls.rejectUnauthorized=false", true],
    ["smtp://host?pool=true", false],
    ["smtp://[::1]:25", true],
  ])(
    "with the mail server %s is accepted: %s; a refusal says how to write it, and shows nothing of it",
    async (server, isGood) => {
      const warnings: string[] = [];
      const note = (warning: Error) => void warnings.push(warning.message);
      process.on("warning", note);
      const body = { type: "email", name: "odd", settings: { server, to: "owner@example.org" } };
      const answer = await controller.portal.post("/api/integrations", body);
      expect(answer.status).toBe(isGood ? 200 : 400);
      if (isGood) expect((await remove("odd")).status).toBe(200);
      else expect(answer.text).toContain("# is %23");
      expect(answer.text + JSON.stringify(controller.lines) + warnings.join()).not.toMatch(/ss%w|p\/ss|p\?ss|100%/);
      process.off("warning", note);
    },
  );

  test("reads addresses as mail programs do: the sender is the first one, also with a comma in the name", async () => {
    const server = `smtp://127.0.0.1:${mailServer.port}`;
    const to = '"Doe, Jane" <jane@example.org>, bob@example.org';
    const id = await add("email", "mail", { server, to });
    expect((await send(id)).status).toBe(200);
    const [mail] = mailServer.mails;
    expect(mail).toMatchObject({ from: "jane@example.org", to: ["jane@example.org", "bob@example.org"] });
    await remove(id);
  });

  test.each([
    ["says nothing", 1, ""],
    ["greets without end", 50, "220-hello\r\n"],
    ["sends an endless line", 50, "2".repeat(65_536)],
  ])("ends with its deadline at a mail server that %s, and closes the connection", async (_what, times, piece) => {
    const closed = Promise.withResolvers<void>();
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.on("close", () => closed.resolve());
      for (let sent = 0; sent < times; sent += 1) socket.write(piece);
      connected.resolve();
    });
    const connected = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const id = await add("email", "mail", { server: `smtp://127.0.0.1:${portOf(server)}`, to: "owner@example.org" });
    const answer = send(id);
    await connected.promise;
    await controller.clock.advance(30_000);
    await closed.promise;
    expect((await answer).status).toBe(503);
    server.close();
    await remove(id);
  });

  test("is known by its name wherever by its id", async () => {
    const id = await add("webhook", "Jane's phone", { url: hookUrl("/jane") });
    const one = `/api/integrations/${encodeURIComponent("Jane's phone")}`;
    expect((await controller.portal.get(one)).json<{ data: { id: string } }>().data.id).toBe(id);
    expect((await send(encodeURIComponent("Jane's phone"))).status).toBe(200);
    for (const verb of ["stop", "start", "restart"])
      expect((await controller.portal.post(`${one}/${verb}`)).status).toBe(200);
    const twin = await add("webhook", "Jane's phone", { url: hookUrl("/other") });
    expect((await controller.portal.get(one)).status).toBe(409);
    await remove(twin);
    expect((await controller.portal.delete(one)).status).toBe(200);
  });

  test("that a mail server refuses is degraded with the reason, and recovers after a delivery", async () => {
    const at = `127.0.0.1:${mailServer.port}`;
    const id = await add("email", "mail", { server: `smtp://me:wrong@${at}`, to: "owner@example.org" });
    const refused = await send(id);
    expect([refused.status, refused.json<{ code: string }>().code]).toEqual([503, "NOTIFICATION_FAILED"]);
    expect(await state(id)).toMatchObject({
      state: "degraded",
      reason: expect.stringContaining("it refused the user name or the password"),
    });
    await controller.portal.request("PATCH", `/api/integrations/${id}`, {
      headers: { ...controller.bearer(), "Content-Type": "application/json" },
      body: JSON.stringify({ settings: { server: `smtp://me:${PASSWORD}@${at}` } }),
    });
    expect((await send(id)).status).toBe(200);
    expect(await state(id)).toMatchObject({ state: "ready" });
    await remove(id);
  });

  test("posts to ntfy, Pushover, Telegram and web hooks in the form of each", async () => {
    const ids = [
      await add("ntfy", "phone", { url: hookUrl("/my-home"), token: "tk_secret" }),
      await add("pushover", "push", { url: hookUrl("/push"), token: "app", user: "user-key" }),
      await add("telegram", "chat", { url: hookUrl(""), token: "bot-token", chat: "42" }),
      await add("webhook", "hook", { url: hookUrl("/hook"), token: "hook-token" }),
    ];
    for (const id of ids) expect((await send(id, { subject: "S", text: "T" })).status).toBe(200);
    expect(posts).toEqual([
      { path: "/", authorization: "Bearer tk_secret", body: { topic: "my-home", title: "S", message: "T" } },
      { path: "/push", authorization: "", body: { token: "app", user: "user-key", title: "S", message: "T" } },
      { path: "/botbot-token/sendMessage", authorization: "", body: { chat_id: "42", text: "S\nT" } },
      {
        path: "/hook",
        authorization: "Bearer hook-token",
        body: { subject: "S", text: "T", time: expect.stringMatching(/^\d{4}-/) },
      },
    ]);
    for (const id of ids) await remove(id);
  });

  test("follows no redirect, and an unknown channel is 404", async () => {
    const id = await add("webhook", "hook", { url: hookUrl("/hook") });
    answers = [302];
    expect((await send(id)).status).toBe(503);
    expect(posts).toHaveLength(1);
    expect((await send("nobody")).status).toBe(404);
    await remove(id);
  });
});

describe("a program that notifies", () => {
  test("reaches the channel with its number, and a failed delivery is tried again", async () => {
    const id = await add("webhook", "hook", {
      url: hookUrl("/hook"),
      recipient: 2,
      contents: { 1: `Hall: ${VALUE}` },
    });
    answers = [500];
    const program = "Program 'Tell'\nIf\nThen\n    Send notification to 2 content 1\nElse\n";
    const written = await controller.portal.request("POST", "/api/programs/text", {
      headers: { ...controller.bearer(), "Content-Type": "application/json" },
      body: JSON.stringify({ text: program }),
    });
    expect(written.status).toBe(200);
    const { id: programId } = written.json<{ data: { id: string } }>().data;
    await controller.portal.get(`/rest/programs/${programId}/runThen`);
    // The failure is noted after the answer of the receiver; only then the clock may move to the next try.
    while ((await state(id)).state !== "degraded");
    const trace = await controller.portal.get(`/api/programs/${programId}/trace`);
    expect(trace.text).toContain("It is tried again. The log says whether it was delivered.");
    await controller.clock.advance(10_000);
    await until(() => posts.length === 2);
    expect(posts[1]?.body).toMatchObject({ subject: "Tell", text: "Hall: Off" });
    await until(() =>
      controller.lines.some(({ message }) => message === "A notification was delivered after another try."),
    );
    await remove(id);
  });

  test("has texts whose values are looked at when the channel is saved", async () => {
    const settings = { url: hookUrl("/hook"), contents: { 1: `Hall: ${VALUE}`, 2: "Attic: $" + "{Attic Lamp.ST}" } };
    const added = await controller.portal.post("/api/integrations", { type: "webhook", settings });
    const { id, unknownValues } = added.json<{ data: { id: string; unknownValues: unknown } }>().data;
    expect(unknownValues).toEqual(["Attic Lamp.ST"]);
    const patch = { settings: { contents: { 1: `Hall: ${VALUE}` } } };
    const changed = await controller.portal.request("PATCH", `/api/integrations/${id}`, {
      headers: { ...controller.bearer(), "Content-Type": "application/json" },
      body: JSON.stringify(patch),
    });
    expect(changed.json<{ data: { unknownValues: unknown } }>().data.unknownValues).toEqual([]);
    await remove(id);
  });

  test("has an address that is a secret, which an earlier version kept with the other settings", async () => {
    await using own = await startTestController();
    await own.login();
    const url = hookUrl("/hook");
    const { status } = await own.portal.post("/api/integrations", { type: "webhook", settings: { url } });
    const told = () => own.services.home.integrations.get("webhook");
    expect([status, told()?.settings.url, told()?.secrets]).toEqual([200, undefined, ["url"]]);
    const before = told();
    if (!before) throw new Error("There is no channel.");
    const earlier = { ...before, settings: { url }, secrets: [] };
    const cause = { kind: "system", id: "x", by: null } as const;
    own.services.feed.commit({ type: "integration-changed", integration: earlier, before }, cause);
    await own.restart();
    expect([told()?.settings.url, told()?.secrets]).toEqual([undefined, ["url"]]);
    posts.length = 0;
    own.services.log.error("The disk is full.");
    await until(() => posts.length === 1);
  });

  test("to an integration that is no channel is refused by its name, and has a finding by its id", async () => {
    const named = await controller.portal.post("/api/programs/text", {
      text: "Program 'Wrong'\nThen\n    Send notification 'Hello' to 'Virtual device'",
    });
    expect(named.text).toContain("There is no notification channel 'Virtual device'.");
    expect(named.text).not.toContain("Virtual devices");
    const text = "Program 'Wrong'\nThen\n    Send notification 'Hello' to [virtual]";
    const saved = await controller.portal.post("/api/programs/text", { text });
    expect(saved.text).toContain("CHANNEL_UNKNOWN");
  });
});

describe("a notification that waits for another try", () => {
  const failingHook = async (own: TestController) => {
    await own.login();
    const settings = { url: hookUrl("/hook"), token: "hook-token" };
    const added = await own.portal.post("/api/integrations", { type: "webhook", name: "hook", settings });
    expect(added.status).toBe(200);
    answers = Array.from({ length: 20 }, () => 500);
    own.services.log.error("The disk is full.");
    await until(() => posts.length === 1 && own.services.integrations.find("webhook").state === "degraded");
    posts.length = 0;
  };

  test("is delivered once after a restart, and then no more", async () => {
    await using own = await startTestController();
    await failingHook(own);
    await own.stop();
    answers = [];
    await own.clock.advance(10_000);
    expect(posts).toEqual([]);
    await own.restart();
    await own.clock.advance(1);
    await until(() => posts.length === 1 && own.services.integrations.find("webhook").state === "ready");
    expect(posts[0]).toMatchObject({ authorization: "Bearer hook-token", body: { text: "The disk is full." } });
    await own.restart();
    await own.clock.advance(3_600_000);
    expect(posts).toHaveLength(1);
  });

  const drops = (own: TestController) => own.lines.filter(({ message }) => message.endsWith("and is dropped."));
  const reason = (own: TestController) => own.services.integrations.find("webhook").reason;

  test("is given up after four more tries: the channel and the log say so", async () => {
    await using own = await startTestController();
    await failingHook(own);
    while (drops(own).length === 0) {
      await own.clock.advance(10_000);
      await new Promise(setImmediate);
    }
    expect(posts).toHaveLength(4);
    expect(reason(own)).toMatch(/^The notification of 2026-05-02T12:00:00.000Z was dropped: .* status 500/);
  });

  test("is given up at a start when it is older than a day: the channel and the log say so", async () => {
    await using own = await startTestController();
    await failingHook(own);
    await own.stop();
    await own.clock.advance(86_400_001);
    await own.restart();
    await own.clock.advance(3_600_000);
    expect([posts.length, drops(own).length]).toEqual([0, 1]);
    expect(reason(own)).toContain("was dropped: it waited too long");
  });

  test("is one of a bounded number for its channel", async () => {
    await using own = await startTestController({ notificationsWaitingPerChannelMax: 1 });
    await failingHook(own);
    const sender = { name: "Tell", programId: null, node: null };
    const late = await own.services.notifier.message("webhook", "More", sender);
    expect(late).toEqual({ outcome: "failed", detail: expect.stringContaining("Too many notifications wait") });
  });
});

describe("a program that says what to send", () => {
  const write = (text: string) =>
    controller.portal.request("POST", "/api/programs/text", {
      headers: { ...controller.bearer(), "Content-Type": "application/json" },
      body: JSON.stringify({ text: `Program 'Say'\nIf\nThen\n    ${text}\nElse\n` }),
    });

  test.each(["Jane", "'Jane'", "[hook]", "'Jane' [hook]"])("sends it to the channel %s", async (channel) => {
    const id = await add("webhook", "Jane", { url: hookUrl("/hook") });
    const { data } = (await write(`Send notification 'Hall: ${VALUE}' to ${channel.replace("hook", id)}`)).json<{
      data: { id: string };
    }>();
    await controller.portal.get(`/rest/programs/${data.id}/runThen`);
    await until(() => posts.length === 1);
    expect(posts[0]?.body).toMatchObject({ subject: "Say", text: "Hall: Off" });
    const tree = await controller.portal.get(`/api/triggers/${Number.parseInt(data.id, 16)}`);
    const { then } = tree.json<{ data: { then: readonly object[] } }>().data;
    expect(then).toEqual([{ type: "notify", to: id, text: `Hall: ${VALUE}` }]);
    await remove(id);
    await controller.portal.get(`/rest/programs/${data.id}/runThen`);
    const traced = await controller.portal.get(`/api/programs/${data.id}/trace`);
    expect(traced.text).toContain(`There is no notification channel \\"${id}\\" that runs.`);
  });

  test.each([
    ["Send notification 'x' to 'Nobody'", "There is no notification channel 'Nobody'."],
    ["Send notification to", "the number of a recipient"],
    ["Send notification '' to 'Jane'", "the text is expected"],
  ])("is refused: %s", async (line, problem) => {
    const answer = await write(line);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(problem)]);
  });
});

test("an error in the log is an alarm, the same one once an hour", async () => {
  const quiet = await add("webhook", "quiet", { url: hookUrl("/quiet"), alarms: false });
  const loud = await add("webhook", "loud", { url: hookUrl("/loud") });
  const { log } = controller.services;
  log.error("The disk is full.");
  log.error("The disk is full.");
  await until(() => posts.length > 0);
  expect(posts.map(({ path, body }) => [path, body.text])).toEqual([["/loud", "The disk is full."]]);
  await remove(quiet);
  await remove(loud);
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
}
