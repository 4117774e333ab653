/** S1: every route × role × object, on both listeners and both streams. The table is written out here, apart from the policy. */

import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../../src/auth/principal.ts";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/http/routes.ts";
import { addAccounts } from "../support/accounts.ts";
import { startTestController, type TestController, type Tokens } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";
import { LOWEST } from "./lowest-roles-table.ts";

type Who = Role | "nobody";
type Asked = { readonly name: string; readonly target: string; readonly method: string; readonly body?: string };

const EVERYBODY: readonly Who[] = ["owner", "user", "guest", "nobody"];
const MAY: Readonly<Record<"public" | "guest" | "user" | "owner", readonly Who[]>> = {
  public: EVERYBODY,
  guest: ["owner", "user", "guest"],
  user: ["owner", "user"],
  owner: ["owner"],
};
const PASSWORD = "a password for everybody";
/** Only for accounts that log in, which those of the local listener do not. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  "POST /api/me/second-factor/options",
  "DELETE /api/me/second-factor",
  "POST /api/me/recovery-codes",
]);

/** Commanding is for guests too; nothing else that acts is. */
const GUESTS_ACT = /^GET \/rest\/(?:nodes\/:address\/(?:cmd|set)\/|query)/;

/** Paths whose decision depends on more than the path, spelled out. */
function askedOf({ method, path }: Route): readonly Asked[] {
  const target = path.replace(/:\w+/g, "x").replace("*", "x");
  if (method === "POST" && path === "/api/variables/:type/:id") {
    return ["value", "init", "name", "prec"].map((key) => ({
      name: `${method} ${path} ${key}`,
      target,
      method,
      body: JSON.stringify({ [key]: key === "name" ? "x" : 1 }),
    }));
  }
  if (path === "/rest/programs/:id/:verb") {
    const named = Object.keys(LOWEST).filter((name) => name.startsWith(`GET ${path} `));
    return named.map((name) => ({ name, target: `/rest/programs/x/${name.split(" ").at(-1)}`, method }));
  }
  return [{ name: `${method} ${path}`, target, method, ...(method === "GET" ? {} : { body: "{}" }) }];
}

function mayAsk(name: string): readonly Who[] {
  return MAY[LOWEST[name] ?? "guest"];
}

let controller: TestController;
let bearers: Readonly<Record<Who, Readonly<Record<string, string>>>>;

const basics: typeof bearers = {
  owner: basic("admin-2"),
  user: basic("lodger"),
  guest: basic("visitor"),
  nobody: {},
};

function basic(user: string): Readonly<Record<string, string>> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString("base64")}` };
}

async function bearerOf(login: string): Promise<Readonly<Record<string, string>>> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ username: login, password: PASSWORD });
  const answer = await controller.portal.request("POST", "/api/login", { headers, body });
  return { Authorization: `Bearer ${answer.json<{ data: Tokens }>().data.accessToken}` };
}

beforeAll(async () => {
  controller = await startTestController({ localApi: true, virtualLatencyMs: 0 });
  await addAccounts(controller, [
    { kind: "portal", login: "owner-2@example.org", password: PASSWORD, role: "owner" },
    { kind: "portal", login: "user@example.org", password: PASSWORD, role: "user" },
    { kind: "portal", login: "guest@example.org", password: PASSWORD, role: "guest" },
    { kind: "local", login: "admin-2", password: PASSWORD, role: "owner" },
    { kind: "local", login: "lodger", password: PASSWORD, role: "user" },
    { kind: "local", login: "visitor", password: PASSWORD, role: "guest" },
  ]);
  bearers = {
    owner: await bearerOf("owner-2@example.org"),
    user: await bearerOf("user@example.org"),
    guest: await bearerOf("guest@example.org"),
    nobody: {},
  };
});
afterAll(() => controller[Symbol.asyncDispose]());

type Decision = "allowed" | "forbidden" | "unknown";

function decisionOf({ status }: Answer): Decision {
  if (status === 401) return "unknown";
  return status === 403 ? "forbidden" : "allowed";
}

const wanted = (who: Who, may: readonly Who[]): Decision =>
  may.includes(who) ? "allowed" : who === "nobody" ? "unknown" : "forbidden";

async function decide(listener: "portal" | "local", who: Who, { method, target, body }: Asked): Promise<Decision> {
  const credentials = (listener === "portal" ? bearers : basics)[who];
  const headers = body === undefined ? credentials : { ...credentials, "Content-Type": "application/json" };
  const answer = await controller[listener].request(method, target, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  // A login that finds no account is the handler's own refusal, not the policy's.
  return target.startsWith("/api/login") || target.startsWith("/api/jwt/refresh") ? "allowed" : decisionOf(answer);
}

const asked = routes.flatMap(askedOf).filter(({ target }) => target !== "/api/jwt/logout");

describe("S1: the policy", () => {
  test("is written out here for every route, and for nothing that is none", () => {
    const names = new Set(routes.flatMap(askedOf).map(({ name }) => name));
    expect(Object.keys(LOWEST).filter((name) => !names.has(name))).toEqual([]);
    const acting = routes.filter(({ changes }) => changes).flatMap(askedOf);
    expect(acting.filter(({ name }) => !(name in LOWEST) && !GUESTS_ACT.test(name))).toEqual([]);
  });

  test.each(["portal", "local"] as const)("holds at the %s listener, for every route and role", async (listener) => {
    for (const one of asked) {
      for (const who of EVERYBODY) {
        const found = await decide(listener, who, one);
        const may = listener === "local" && FOR_PEOPLE.has(one.name) ? [] : mayAsk(one.name);
        expect([listener, one.name, who, found]).toEqual([listener, one.name, who, wanted(who, may)]);
      }
    }
  });

  test("is the same for HEAD, which is answered as GET where that only reads", async () => {
    const reading = routes.filter(({ method, changes }) => method === "GET" && !changes);
    for (const one of reading.flatMap(askedOf)) {
      for (const who of EVERYBODY) {
        const found = await decide("local", who, { ...one, method: "HEAD" });
        expect([one.name, who, found]).toEqual([one.name, who, wanted(who, mayAsk(one.name))]);
      }
    }
  });

  test("is the same for existing and missing objects, so a refusal reveals nothing", async () => {
    for (const [there, notThere] of [
      ["/rest/nodes/1A%202B%203C%201/disable", "/rest/nodes/nobody/disable"],
      ["/rest/nodes/31001/change?name=x", "/rest/nodes/39999/change?name=x"],
      ["/rest/programs/0007/disable", "/rest/programs/FFFF/disable"],
      ["/rest/programs/0007/run", "/rest/programs/FFFF/run"],
      ["/rest/vars/set/1/1/5", "/rest/vars/set/1/999/5"],
      ["/rest/networking/resources/1", "/rest/networking/resources/999"],
      ["/rest/zwave/node/ZW010_1/security/user/1/set/code/1234", "/rest/zwave/node/x/security/user/1/set/code/1234"],
    ] as const) {
      const answers = await Promise.all(
        [there, notThere].map((path) => controller.portal.request("GET", path, { headers: bearers.guest })),
      );
      expect(answers.map(({ status }) => status)).toEqual([403, 403]);
      expect(answers[0]?.text).toBe(answers[1]?.text);
    }
  });

  test("is the same for every spelling of a path: none is let through that the plain one is not", async () => {
    const plain = "/rest/nodes/1A%202B%203C%201/disable";
    for (const target of [
      plain,
      `${plain}/`,
      `//rest//nodes//1A%202B%203C%201//disable//`,
      "/rest/rest/nodes/1A%202B%203C%201/disable",
      "/%72est/nodes/1A%202B%203C%201/disable",
      "/rest/n%6fdes/1A%202B%203C%201/disabl%65",
      "/rest/nodes/%31%41%20%32%42%20%33%43%20%31/disable",
      `${plain}?x=/rest/nodes`,
    ]) {
      for (const who of EVERYBODY) {
        const found = await decide("local", who, { name: target, method: "GET", target });
        expect([target, who, found]).toEqual([target, who, wanted(who, MAY.owner)]);
      }
    }
    await controller.local.get("/rest/nodes/1A%202B%203C%201/enable");
  });

  test.each(["rest", "api"] as const)("lets every role follow /%s, and nobody else", async (surface) => {
    for (const who of ["owner", "user", "guest"] as const) {
      const stream = await controller.subscribe(surface, { listener: "portal", headers: bearers[who] });
      await stream.next(({ control }) => control === "_0");
      await stream.close();
      const local = await controller.subscribe(surface, { listener: "local", headers: basics[who] });
      await local.next(({ control }) => control === "_0");
      await local.close();
    }
    const opened = controller.subscribe("rest", { listener: "portal", headers: {} });
    await expect(opened).rejects.toMatchObject({ status: 401 });
  });

  test("lets guests switch lamps, but not open doors, in any spelling and also not by a scene", async () => {
    const nodes = (await controller.local.get("/rest/nodes")).text;
    const root = /<group flag="12"><address>([^<]+)/.exec(nodes)?.[1] ?? "";
    const guarded = [
      "ZW010_1/cmd/SECMD/0",
      "ZW010_1/cmd/UNLOCK",
      "ZW010_1/cmd/secmd/0",
      "ZW010_1/set/ST/0",
      "31005/cmd/DON",
      `${root}/cmd/DOF`,
    ];
    for (const target of guarded.map((path) => `/rest/nodes/${path}`)) {
      expect([target, (await controller.local.request("GET", target, { headers: basics.guest })).status]).toEqual([
        target,
        403,
      ]);
    }
    const statuses = ["ZW010_1/cmd/SECMD/1", "31005/cmd/DON"].map((path) =>
      controller.local.request("GET", `/rest/nodes/${path}`, { headers: basics.user }),
    );
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200]);
    for (const path of ["1A%202B%203C%201/cmd/DON", "31001/cmd/DON", "ZW010_1/cmd/QUERY"])
      expect((await controller.local.request("GET", `/rest/nodes/${path}`, { headers: basics.guest })).status).toBe(
        200,
      );
  });

  test("lets only an owner write into a device, by a command either", async () => {
    const paths = [
      "ZW002_1/cmd/CONFIG/3/107/5/107",
      "ZW002_1/cmd/CONFIG?NUM.uom107=3&VAL.uom107=5",
      "31001/cmd/CONFIG/3/5",
    ];
    for (const headers of [basics.guest, basics.user]) {
      const answers = paths.map((path) => controller.local.request("GET", `/rest/nodes/${path}`, { headers }));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 403, 403]);
    }
    expect((await controller.local.get(`/rest/nodes/${paths[0]}`)).status).toBe(200);
  });

  test("takes tokens on the portal listener only, and basic authentication on both", async () => {
    for (const who of ["owner", "user", "guest"] as const) {
      const [bearerAtLocal, basicAtPortal] = [
        await controller.local.request("GET", "/rest/nodes", { headers: bearers[who] }),
        await controller.portal.request("GET", "/rest/nodes", { headers: basics[who] }),
      ];
      expect([bearerAtLocal.status, basicAtPortal.status]).toEqual([401, 200]);
    }
  });

  test("refuses a guest before anything of the body is read, also where the right depends on the body", async () => {
    for (const line of ["POST /api/variables/1/1", "PUT /api/variables/1", "POST /api/programs/text"]) {
      const socket = await controller.portal.socket();
      const { Authorization } = bearers.guest;
      socket.write(
        `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${Authorization}\r\nContent-Length: 9999\r\n\r\n`,
      );
      const [answer] = (await once(socket, "data")) as [Buffer];
      expect(answer.toString("latin1")).toMatch(/^HTTP\/1.1 403 /);
      socket.destroy();
    }
  });

  test("shows guests what was commanded, but not by whom", async () => {
    const path = "/rest/nodes/1A%202B%203C%201/cmd/DON";
    expect((await controller.portal.request("GET", path, { headers: bearers.owner })).status).toBe(200);
    const listed = async (who: "owner" | "guest") => {
      const answer = await controller.portal.request("GET", "/api/commands", { headers: bearers[who] });
      return answer.json<{ data: readonly { id: string; cause: { kind: string; by: string | null } }[] }>().data;
    };
    const [seen] = await listed("owner");
    const [hidden] = await listed("guest");
    expect([seen?.cause.by === null, hidden?.id, hidden?.cause]).toEqual([
      false,
      seen?.id,
      { ...seen?.cause, by: null },
    ]);
    const one = await controller.portal.request("GET", `/api/commands/${seen?.id}`, { headers: bearers.guest });
    expect(one.json<{ data: object }>().data).toMatchObject({ cause: { by: null } });
  });

  test("refuses a body with two members where one is expected, and says that there are too many", async () => {
    const headers = { ...bearers.owner, "Content-Type": "application/json" };
    const body = JSON.stringify({ value: 1, init: 2 });
    const answer = await controller.portal.request("POST", "/api/variables/1/1", { headers, body });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("at most 1 member")]);
    expect(answer.text).not.toContain("at least");
  });

  test("lets every role log out, and that ends the role's own session alone", async () => {
    for (const login of ["owner-2@example.org", "user@example.org", "guest@example.org"]) {
      const headers = await bearerOf(login);
      expect((await controller.portal.request("POST", "/api/jwt/logout", { headers })).status).toBe(200);
      expect((await controller.portal.request("GET", "/api/nodes", { headers })).status).toBe(401);
    }
    for (const who of ["owner", "user", "guest"] as const)
      expect((await controller.portal.request("GET", "/api/nodes", { headers: bearers[who] })).status).toBe(200);
  });
});
