/** S13: a secret goes where it belongs and nowhere else. Each input carries a canary that is then looked for everywhere. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NetworkResource } from "../../src/home/network-resources.ts";
import { routes } from "../../src/http/routes.ts";
import { createLog } from "../../src/util/log.ts";
import { LOCAL, OWNER, startTestController, type TestController } from "../support/controller.ts";
import type { FrameStream } from "../support/frame-stream.ts";
import type { Answer } from "../support/https-client.ts";

/** Everything received: answers unchanged, or other texts. */
type Came = Answer | string;
type Input = readonly [name: string, canary: string, send: (canary: string) => Promise<Came | readonly Came[]>];

const LOCK = "ZY007_1";
const SYSTEM = { kind: "system", id: "test", by: null } as const;

let controller: TestController;
let echo: Server;
let streams: readonly FrameStream[];
const came = new Map<string, string>();
const documents: string[] = [];
/** The support report, which is also among the documents. */
let report = "";
/** The content of every file of the data directory at the end. */
const files = new Map<string, Buffer>();

const JSON_BODY = { "Content-Type": "application/json" };
const loginWith = (body: string, headers: Readonly<Record<string, string>> = JSON_BODY) =>
  controller.portal.request("POST", "/api/login", { headers, body });
const asLocal = (headers: Readonly<Record<string, string>>) =>
  controller.local.request("GET", "/rest/nodes", { headers });
const asBearer = (headers: Readonly<Record<string, string>>) =>
  controller.portal.request("GET", "/api/nodes", { headers });
const base64 = (text: string) => Buffer.from(text).toString("base64");
const codePath = (code: string, address = LOCK, slot = 3) =>
  `/rest/zmatter/zwave/node/${address}/security/user/${slot}/set/code/${code}`;

const PASSWORDS: readonly Input[] = [
  ["a wrong password", "canary-password-x", (it) => loginWith(JSON.stringify({ ...OWNER, password: it }))],
  [
    "a password typed as name",
    "canary-2x@example.org",
    (it) => loginWith(JSON.stringify({ username: it, password: it })),
  ],
  ["a password as name without @", "canary-3x", (it) => loginWith(JSON.stringify({ username: it, password: it }))],
  ["a password in broken JSON", "canary-4x", (it) => loginWith(`{"username":"a@b","password":"${it}`)],
  ["a password in JSON with a bad escape", "canary-5x", (it) => loginWith(`{"username":"a@b","password":"${it}\\q"}`)],
  ["a password of another type", "canary-6x", (it) => loginWith(JSON.stringify({ username: "a@b", password: [it] }))],
  ["a key given twice", "canary-7x", (it) => loginWith(`{"${it}":1,"${it}":2}`)],
  ["a password too long", "canary-8x", (it) => loginWith(JSON.stringify({ ...OWNER, password: it.repeat(500) }))],
  ["a form", "canary-9x", (it) => loginWith(`password=${it}`, { "Content-Type": "application/x-www-form-urlencoded" })],
  ["a password beside credentials", "canary-10x", (it) => loginWith(it, { ...controller.bearer(), ...JSON_BODY })],
  ["a wrong basic password", "canary-11x", (it) => asLocal({ Authorization: `Basic ${base64(`admin:${it}`)}` })],
  ["a password as basic user", "canary-12x", (it) => asLocal({ Authorization: `Basic ${base64(`${it}:x`)}` })],
  ["a basic header without base64", "canary-13x", (it) => asLocal({ Authorization: `Basic ${it}` })],
  ["another scheme", "canary-14x", (it) => asLocal({ Authorization: `Token ${it}` })],
];

const asOwner = (path: string, body: object) => controller.portal.post(path, body);
const CHOSEN: readonly Input[] = [
  [
    "the passphrase of a backup",
    "canary-60x-canary",
    (it) => asOwner("/api/backup", { passphrase: it, history: true }),
  ],
  ["a passphrase too short", "canary-61x", (it) => asOwner("/api/backup", { passphrase: it })],
  ["a passphrase of another type", "canary-62x", (it) => asOwner("/api/backup", { passphrase: [it] })],
  [
    "the password of a new account",
    "canary-63x",
    (it) => asOwner("/api/accounts", { kind: "local", login: "lodger", role: "guest", password: it }),
  ],
  ["another password", "canary-64x", (it) => asOwner("/api/accounts/nobody/password", { password: it })],
  [
    "a password as a login",
    "canary-65x",
    (it) => asOwner("/api/accounts", { kind: "portal", login: it, role: "user" }),
  ],
];

const TOKENS: readonly Input[] = [
  ["a bearer", "canary-20x", (it) => asBearer({ Authorization: `Bearer ${it}` })],
  ["a bearer like a token", "canary-21x", (it) => asBearer({ Authorization: `Bearer ${base64(it)}.${it}.${it}` })],
  ["a bearer on the other listener", "canary-22x", (it) => asLocal({ Authorization: `Bearer ${it}` })],
  [
    "a refresh token",
    "canary-23x",
    (it) =>
      controller.portal.request("POST", "/api/jwt/refresh", { headers: JSON_BODY, body: `{"refreshToken":"${it}"}` }),
  ],
  [
    "the first message",
    "canary-24x",
    async (it) => {
      const page = await controller.subscribe("api", { headers: {} });
      page.send(JSON.stringify({ type: "auth", creds: { token: it } }));
      return [(await page.closed).reason, ...page.frames.map(({ raw }) => raw)];
    },
  ],
  [
    "a first message that is none",
    "canary-25x",
    async (it) => {
      const page = await controller.subscribe("api", { headers: {} });
      page.send(it);
      return (await page.closed).reason;
    },
  ],
  [
    "an upgrade",
    "canary-26x",
    (it) =>
      controller.subscribe("rest", { headers: { Authorization: `Bearer ${it}` } }).then(
        () => "opened",
        (error: Error) => error.message,
      ),
  ],
];

const REQUESTS: readonly Input[] = [
  [
    "headers",
    "canary-30x",
    (it) => asBearer({ ...controller.bearer(), Cookie: `sid=${it}`, "X-Api-Key": it, Referer: it }),
  ],
  ["a foreign origin", "canary-31x", (it) => asBearer({ ...controller.bearer(), Origin: `https://${it}.example` })],
  ["a foreign host", "canary-32x", (it) => asBearer({ Host: `${it}.example`, "User-Agent": "Mozilla/5.0" })],
  ["a query", "canary-33x", (it) => controller.portal.get(`/rest/nodes?token=${it}`)],
  ["a query of the stream", "canary-34x", (it) => controller.portal.get(`/rest/subscribe?token=${it}`)],
  ["an unknown path", "canary-35x", (it) => controller.portal.get(`/api/${it}`)],
  ["an unknown address", "canary-36x", (it) => controller.portal.get(`/rest/nodes/${it}`)],
  ["a broken path", "canary-37x", (it) => controller.portal.get(`/rest/${it}/%zz`)],
  [
    "the key of a device that may join",
    "canary-41x",
    (it) => controller.portal.put("/api/radios/zwave/provisioning", { dsk: it, security: [] }),
  ],
  [
    "a key in a path",
    "canary-42x",
    (it) =>
      controller.portal.request("DELETE", `/api/radios/zwave/provisioning/${it}`, { headers: controller.bearer() }),
  ],
  [
    "a PIN that is none",
    "canary-43x",
    (it) => controller.portal.post("/api/integrations/zwave/operation/answer", { kind: "pin", pin: it }),
  ],
  ["no HTTP at all", "canary-38x", (it) => controller.portal.raw(`${it}\r\n\r\n`)],
  [
    "a broken head",
    "canary-39x",
    (it) => controller.portal.raw(`GET /api/nodes HTTP/1.1\r\nHost: localhost\r\nX : ${it}\r\n\r\n`),
  ],
  [
    "a method that is none",
    "canary-40x",
    (it) => controller.portal.request("PATCH", `/api/nodes/${it}`, { headers: controller.bearer(), body: it }),
  ],
];

const CODES: readonly Input[] = [
  ["the code of a lock", "4815162342", (it) => controller.local.get(codePath(it))],
  ["a code that is none", "12canary3456", (it) => controller.local.get(codePath(it))],
  ["a code too long", "48151623424815162342", (it) => controller.local.get(codePath(it))],
  ["a code for no slot", "9042711631", (it) => controller.local.get(codePath(it, LOCK, 999))],
  ["a code for a lamp", "9042711632", (it) => controller.local.get(codePath(it, "ZW002_1"))],
  ["a code for nobody", "9042711633", (it) => controller.local.get(codePath(it, "ZW099_1"))],
  ["a code by another method", "9042711634", (it) => controller.local.request("PUT", codePath(it))],
  ["a code without credentials", "9042711635", (it) => controller.local.request("GET", codePath(it), { headers: {} })],
  [
    "a code behind a slash",
    "9042711636",
    (it) => controller.local.get(`/rest//zwave/node/${LOCK}/security/user/2/set/code/${it}/`),
  ],
  [
    "a code for a lock that does not answer",
    "9042711637",
    async (it) => {
      const { driver } = controller.services.drivers.list()[0] ?? {};
      driver?.simulation?.act("ZW010_1", "UNPLUG", null);
      return controller.local.get(codePath(it, "ZW010_1"));
    },
  ],
];

/** They are kept, for they are sent; but only where they are needed. */
const RESOURCES: readonly Input[] = [
  ["a resource to a refused target", "canary-50x", (it) => fire(101, it, { host: "169.254.169.254" })],
  ["a resource to nobody", "canary-51x", (it) => fire(102, it, { port: 1 })],
  ["a resource whose target echoes it", "canary-52x", (it) => fire(103, it, {})],
  [
    "a resource with a broken header",
    "canary-53x",
    (it) => fire(104, it, { headers: [{ name: "X", value: `${it}\r\nY: ${it}` }] }),
  ],
  ["a resource with a broken path", "canary-54x", (it) => fire(105, it, { path: `${it} ${it}` })],
];

async function fire(id: number, canary: string, differing: Partial<NetworkResource>): Promise<readonly Came[]> {
  const { port } = echo.address() as AddressInfo;
  const resource: NetworkResource = {
    id,
    name: `Resource ${id}`,
    protocol: "http",
    host: "127.0.0.1",
    port,
    method: "POST",
    path: `/${canary}?key=${canary}`,
    headers: [{ name: "Authorization", value: `Bearer ${canary}` }],
    body: canary,
    timeoutMs: 2000,
    ...differing,
  };
  controller.services.feed.commit({ type: "network-resource-put", resource }, SYSTEM);
  const fired = new Promise<void>((resolve) => {
    const end = controller.services.feed.listen(({ change }) => {
      if (change.type !== "network-resource-fired" || change.id !== id) return;
      end();
      resolve();
    });
  });
  const answer = await controller.local.get(`/rest/networking/resources/${id}`);
  if (answer.status === 200) await fired;
  return [answer, await controller.local.get("/rest/networking/resources")];
}

const KEPT_NOWHERE = [...PASSWORDS, ...CHOSEN, ...TOKENS, ...REQUESTS, ...CODES];
const INPUTS = [...KEPT_NOWHERE, ...RESOURCES];

/** Names of the inputs whose canary is in the text. */
function leaks(text: string, inputs: readonly Input[] = INPUTS): readonly string[] {
  return inputs
    .filter(([, canary]) => [canary, base64(canary).replace(/=+$/, "")].some((form) => text.includes(form)))
    .map(([name]) => name);
}

function textOf(answer: Came): string {
  return typeof answer === "string" ? answer : `${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`;
}

/** Every document of both surfaces. */
async function readEverything(): Promise<void> {
  for (const { method, path, access } of routes) {
    if (method !== "GET" || (access !== "read" && access !== "public")) continue;
    const target = path
      .replace(/:type|:id/, "1")
      .replace(/:address/, LOCK)
      .replace(/:\w+/g, "1");
    documents.push((await controller.portal.get(target)).text);
  }
  report = (await controller.portal.get("/api/report")).text;
  documents.push(report);
}

function readFiles(directory: string): void {
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const path = join(directory, name);
    if (statSync(path).isFile()) files.set(name, readFileSync(path));
  }
}

beforeAll(async () => {
  echo = createServer((request, response) => {
    response.statusCode = 500;
    response.setHeader("X-Echo", String(request.headers.authorization));
    request.pipe(response);
  }).listen(0, "127.0.0.1");
  controller = await startTestController({ networkTargets: ["127.0.0.1"], loginFailuresPerHour: 100 });
  await controller.login();
  streams = await Promise.all([controller.subscribe("rest", { listener: "portal" }), controller.subscribe("api")]);
  for (const [name, canary, send] of INPUTS) came.set(name, [await send(canary)].flat().map(textOf).join("\n"));
  await readEverything();
  await controller.stop();
  readFiles(controller.data);
});

afterAll(async () => {
  echo.close();
  await controller[Symbol.asyncDispose]();
});

describe("S13: a secret", () => {
  test("was really sent: each input was answered, the right code was taken", () => {
    expect([...came].filter(([, text]) => text === "")).toEqual([]);
    expect(came.get("the code of a lock")).toMatch(/^200 /);
    expect(came.get("a resource whose target echoes it")).toMatch(/^200 /);
  });

  test("stands in no answer", () => {
    const leaking = INPUTS.filter((input) => leaks(came.get(input[0]) ?? "", [input]).length > 0);
    expect(leaking.map(([name]) => name)).toEqual([]);
  });

  test("stands in no document", () => {
    expect(documents.length).toBeGreaterThan(30);
    expect(leaks(documents.join("\n"))).toEqual([]);
  });

  test("is not handed on with the support report, and neither is a name", () => {
    const { home, auth } = controller.services;
    const things = [
      ...home.nodes.values(),
      ...home.groups.values(),
      ...home.folders.values(),
      ...home.programs.values(),
    ];
    const names = [...things.map(({ name }) => name), ...auth.accounts.list().map(({ login }) => login)];
    // Shorter ones are words that stand in any text.
    const telling = names.filter((name) => name.includes(" ") || name.includes("@"));
    expect(telling.length).toBeGreaterThan(40);
    expect(telling.filter((name) => report.includes(name))).toEqual([]);
    expect(report).toContain("A network resource did not reach its target.");
    expect(report).not.toMatch(/127\.0\.0\.1:\d|169\.254/);
  });

  test("stands in no frame of a stream", () => {
    const frames = streams.flatMap((stream) => stream.frames.map(({ raw }) => raw));
    expect(frames.length).toBeGreaterThan(200);
    expect(leaks(frames.join("\n"))).toEqual([]);
  });

  test("stands in no line of the log, nor among what the log was given", () => {
    const written: string[] = [];
    const log = createLog("debug", { write: (line: string) => void written.push(line) });
    for (const { message, fields } of controller.lines) log.error(message, fields);
    expect(written.length).toBeGreaterThan(INPUTS.length);
    expect(leaks(written.join("\n"))).toEqual([]);
    expect(leaks(inspect(controller.lines, { depth: 8, maxArrayLength: null, maxStringLength: null }))).toEqual([]);
  });

  test("stands in no file of the data directory, unless it is sent from there", () => {
    const inFiles = [...files].flatMap(([name, bytes]) =>
      leaks(bytes.toString("latin1"), KEPT_NOWHERE).map((input) => `${name}: ${input}`),
    );
    expect(inFiles).toEqual([]);
    const database = files.get("domovoi.sqlite")?.toString("latin1") ?? "";
    expect(leaks(database)).toEqual(RESOURCES.map(([name]) => name));
  });

  test("that is correct is stored and logged nowhere either: passwords and tokens of logins", () => {
    const told = [
      ...documents,
      ...streams.flatMap((stream) => stream.frames.map(({ raw }) => raw)),
      ...[...files.values()].map((bytes) => bytes.toString("latin1")),
      inspect(controller.lines, { depth: 8, maxArrayLength: null, maxStringLength: null }),
    ].join("\n");
    const token = controller.bearer().Authorization?.slice("Bearer ".length) ?? "";
    const signature = token.split(".")[2] ?? "";
    for (const secret of [OWNER.password, LOCAL.password, token, signature]) {
      expect([secret.length > 10, told.includes(secret)]).toEqual([true, false]);
    }
  });
});
