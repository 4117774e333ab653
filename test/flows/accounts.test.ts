/** Accounts looked after by an owner: made, revised, removed; who got in before is out. */

import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { LOCAL, OWNER, startTestController, type TestController, type Tokens } from "../support/controller.ts";

type Account = { readonly id: string; readonly kind: string; readonly login: string; readonly role: string };

type Session = { readonly id: string; readonly client: string | null; readonly isCurrent: boolean };

const PASSWORD = "a key under the mat";
const OTHER = "a key in the shed";

async function start(settings: Partial<Config> = {}): Promise<TestController> {
  const controller = await startTestController(settings);
  onTestFinished(() => controller[Symbol.asyncDispose]());
  await controller.login();
  return controller;
}

const list = async ({ portal }: TestController) =>
  (await portal.get("/api/accounts")).json<{ data: readonly Account[] }>().data;

async function idOf(controller: TestController, login: string): Promise<string> {
  return (await list(controller)).find((account) => account.login === login)?.id ?? "";
}

async function add(controller: TestController, kind: string, login: string, role = "user"): Promise<string> {
  const answer = await controller.portal.post("/api/accounts", { kind, login, role, password: PASSWORD });
  expect(answer.status).toBe(200);
  return answer.json<{ data: Account }>().data.id;
}

const basic = (login: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`,
});

async function bearer({ portal }: TestController, username: string, password: string) {
  const answer = await portal.request("POST", "/api/login", {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  return { Authorization: `Bearer ${answer.json<{ data: Tokens | null }>().data?.accessToken}` };
}

const codeOf = (answer: { json<T>(): T }) => answer.json<{ code: string }>().code;

test("one that is made can log in with its role, over a restart too, and is listed without a secret", async () => {
  const controller = await start();
  await add(controller, "portal", "lodger@example.org");
  await add(controller, "local", "lodger", "guest");
  await controller.restart();
  await controller.login();
  const listed = (await list(controller)).map(({ id: _id, ...account }) => account);
  const createdAt = "2026-05-02T12:00:00.000Z";
  expect(listed).toEqual([
    { kind: "portal", login: OWNER.username, role: "owner", limits: null, hours: null, createdAt },
    { kind: "local", login: LOCAL.username, role: "owner", limits: null, hours: null, createdAt },
    { kind: "portal", login: "lodger@example.org", role: "user", limits: null, hours: null, createdAt },
    { kind: "local", login: "lodger", role: "guest", limits: null, hours: null, createdAt },
  ]);
  const headers = await bearer(controller, "lodger@example.org", PASSWORD);
  expect((await controller.portal.request("GET", "/api/nodes", { headers })).status).toBe(200);
  expect((await controller.portal.request("GET", "/api/accounts", { headers })).status).toBe(403);
  const asGuest = { headers: basic("lodger", PASSWORD) };
  expect((await controller.local.request("GET", "/rest/nodes", asGuest)).status).toBe(200);
  expect((await controller.local.request("GET", "/rest/programs/0007/run", asGuest)).status).toBe(403);
});

test("another role holds at once, for tokens that were given before", async () => {
  const controller = await start();
  const id = await add(controller, "portal", "lodger@example.org");
  const headers = await bearer(controller, "lodger@example.org", PASSWORD);
  const mayList = async () => (await controller.portal.request("GET", "/api/accounts", { headers })).status;
  expect(await mayList()).toBe(403);
  const answer = await controller.portal.post(`/api/accounts/${id}`, { role: "owner" });
  expect(answer.json<{ data: Account }>().data.role).toBe("owner");
  expect(await mayList()).toBe(200);
});

test("a generated password is returned once and never stored; a given one is never returned", async () => {
  const controller = await start();
  const wanted = { kind: "local", login: "lodger", role: "user" };
  const made = (await controller.portal.post("/api/accounts", wanted)).json<{
    data: { id: string; password: string };
  }>();
  const { id, password } = made.data;
  expect(password).toMatch(/^\w{24}$/);
  const nodes = (secret: string) =>
    controller.local.request("GET", "/rest/nodes", { headers: basic("lodger", secret) });
  expect((await nodes(password)).status).toBe(200);
  const given = await controller.portal.post(`/api/accounts/${id}/password`, { password: OTHER });
  expect(given.json<{ data: unknown }>().data).toEqual({ password: null });
  expect([(await nodes(password)).status, (await nodes(OTHER)).status]).toEqual([401, 200]);
  const again = (await controller.portal.post(`/api/accounts/${id}/password`)).json<{ data: { password: string } }>();
  expect([(await nodes(OTHER)).status, (await nodes(again.data.password)).status]).toEqual([401, 200]);
  const told = [JSON.stringify(await list(controller)), JSON.stringify(controller.lines)].join();
  for (const secret of [password, OTHER, again.data.password, PASSWORD, "argon2"]) expect(told).not.toContain(secret);
});

const ENDINGS = [
  ["another password", (id: string) => ["POST", `/api/accounts/${id}/password`] as const],
  ["removal", (id: string) => ["DELETE", `/api/accounts/${id}`] as const],
] as const;

test.each(ENDINGS)(
  "%s ends the account's sessions and all its open streams, and no other account's",
  async (_name, call) => {
    const controller = await start();
    const [portalId, localId] = [
      await add(controller, "portal", "lodger@example.org"),
      await add(controller, "local", "lodger"),
    ];
    const headers = await bearer(controller, "lodger@example.org", PASSWORD);
    const session = { listener: "portal", headers } as const;
    const local = { listener: "local", headers: basic("lodger", PASSWORD) } as const;
    const theirs = await Promise.all([
      controller.subscribe("rest", session),
      controller.subscribe("api", session),
      controller.subscribe("rest", local),
    ]);
    const others = await Promise.all([
      controller.subscribe("rest", { listener: "portal" }),
      controller.subscribe("rest", { listener: "local", headers: controller.basic() }),
    ]);
    for (const stream of [...theirs, ...others]) await stream.next(({ control }) => control === "_0");
    for (const id of [portalId, localId]) {
      const [method, path] = call(id);
      expect((await controller.portal.request(method, path, { headers: controller.bearer() })).status).toBe(200);
    }
    expect((await Promise.all(theirs.map((stream) => stream.closed))).map(({ code }) => code)).toEqual([
      1008, 1008, 1008,
    ]);
    const asked = [
      controller.portal.request("GET", "/api/nodes", { headers }),
      controller.local.request("GET", "/rest/nodes", { headers: local.headers }),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([401, 401]);
    await controller.portal.post("/api/variables/1/1", { value: 77 });
    for (const stream of others) await stream.next(({ control }) => control === "_1");
  },
);

test("the last owner of a kind can neither be removed nor get another role", async () => {
  const controller = await start();
  await add(controller, "portal", "lodger@example.org");
  for (const login of [OWNER.username, LOCAL.username]) {
    const id = await idOf(controller, login);
    const refused = [
      await controller.portal.delete(`/api/accounts/${id}`),
      await controller.portal.post(`/api/accounts/${id}`, { role: "user" }),
    ];
    expect(refused.map((answer) => [answer.status, codeOf(answer)])).toEqual([
      [409, "LAST_OWNER"],
      [409, "LAST_OWNER"],
    ]);
  }
  await add(controller, "portal", "pat@example.org", "owner");
  const id = await idOf(controller, OWNER.username);
  expect((await controller.portal.post(`/api/accounts/${id}`, { role: "guest" })).status).toBe(200);
});

test("two owners who demote one another at the same time leave one", async () => {
  const controller = await start();
  const ids = [await idOf(controller, OWNER.username), await add(controller, "portal", "pat@example.org", "owner")];
  const answers = await Promise.all(ids.map((id) => controller.portal.post(`/api/accounts/${id}`, { role: "guest" })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, expect.toBeOneOf([403, 409])]);
});

test("of two requests at the same moment for one login, or for the last place, one creates an account", async () => {
  const controller = await start({ accountsMax: 4 });
  const post = (login: string) =>
    controller.portal.post("/api/accounts", { kind: "local", login, role: "user", password: PASSWORD });
  const codes = async (...logins: readonly string[]) =>
    (await Promise.all(logins.map(post))).map((answer) => (answer.status === 200 ? "made" : codeOf(answer))).toSorted();
  expect(await codes("lodger", "LODGER")).toEqual(["ACCOUNT_EXISTS", "made"]);
  expect(await codes("another", "third")).toEqual(["LIMIT_REACHED", "made"]);
  expect(await list(controller)).toHaveLength(4);
});

test("logins, passwords and ids that cannot be used are refused, and nothing is changed", async () => {
  const controller = await start({ accountsMax: 3 });
  const before = await list(controller);
  const refusal = async (body: object, path = "/api/accounts") => codeOf(await controller.portal.post(path, body));
  const lodger = { kind: "local", login: "lodger", role: "user", password: PASSWORD };
  expect(await refusal({ ...lodger, login: "ADMIN" })).toBe("ACCOUNT_EXISTS");
  expect(await refusal({ ...lodger, login: "a:b" })).toBe("BAD_VALUE");
  expect(await refusal({ ...lodger, login: "" })).toBe("BAD_VALUE");
  expect(await refusal({ ...lodger, kind: "portal" })).toBe("BAD_VALUE");
  expect(await refusal({ ...lodger, password: "short" })).toBe("BAD_VALUE");
  expect(await refusal({ ...lodger, role: "king" })).toBe("BAD_BODY");
  expect(await refusal({ ...lodger, kind: "cloud" })).toBe("BAD_BODY");
  expect(await refusal({ ...lodger, admin: true })).toBe("BAD_BODY");
  expect(await refusal({ role: "user" }, "/api/accounts/nobody")).toBe("ACCOUNT_NOT_FOUND");
  expect(await refusal({ password: PASSWORD }, "/api/accounts/nobody/password")).toBe("ACCOUNT_NOT_FOUND");
  expect(codeOf(await controller.portal.delete("/api/accounts/nobody"))).toBe("ACCOUNT_NOT_FOUND");
  expect(await list(controller)).toEqual(before);
  await add(controller, "local", "lodger");
  expect(await refusal({ ...lodger, login: "another" })).toBe("LIMIT_REACHED");
});

test("sessions are listed with the program that logged in; ending one signs it out and leaves the others", async () => {
  const controller = await start();
  const { portal } = controller;
  const id = await idOf(controller, OWNER.username);
  const phone = await portal.request("POST", "/api/login", {
    headers: { "Content-Type": "application/json", "User-Agent": `Phone ${"x".repeat(300)}` },
    body: JSON.stringify(OWNER),
  });
  const headers = { Authorization: `Bearer ${phone.json<{ data: Tokens }>().data.accessToken}` };
  const sessions = async (as?: Record<string, string>) => {
    const answer = await portal.request("GET", `/api/accounts/${id}/sessions`, as ? { headers: as } : undefined);
    return answer.json<{ data: readonly Session[] }>().data;
  };
  const [own, other] = (await sessions(headers)).map(({ isCurrent }) => isCurrent);
  expect([own, other].toSorted()).toEqual([false, true]);
  const listed = await sessions();
  const stranger = listed.find(({ isCurrent }) => !isCurrent);
  expect(stranger?.client).toBe(`Phone ${"x".repeat(194)}`);
  const times = { createdAt: "2026-05-02T12:00:00.000Z", renewedAt: "2026-05-02T12:00:00.000Z" };
  expect(listed).toMatchObject([times, times]);

  expect((await portal.request("DELETE", `/api/accounts/${id}/sessions/${stranger?.id}`)).status).toBe(200);
  expect((await portal.request("GET", "/api/nodes", { headers })).status).toBe(401);
  expect(await sessions()).toMatchObject([{ isCurrent: true }]);
  expect((await portal.request("DELETE", `/api/accounts/${id}/sessions/${stranger?.id}`)).status).toBe(200);
});

test("a session of another account is not ended under the wrong one, and only owners see sessions", async () => {
  const controller = await start();
  const { portal } = controller;
  const id = await add(controller, "portal", "lodger@example.org");
  const headers = await bearer(controller, "lodger@example.org", PASSWORD);
  const path = `/api/accounts/${id}/sessions`;
  expect((await portal.request("GET", path, { headers })).status).toBe(403);
  const [session] = (await portal.get(path)).json<{ data: readonly Session[] }>().data;
  const owner = await idOf(controller, OWNER.username);
  await portal.request("DELETE", `/api/accounts/${owner}/sessions/${session?.id}`);
  expect((await portal.request("GET", "/api/nodes", { headers })).status).toBe(200);
  const unknown = await portal.request("DELETE", `/api/accounts/nobody/sessions/${session?.id}`);
  expect([unknown.status, codeOf(unknown)]).toEqual([404, "ACCOUNT_NOT_FOUND"]);
});
