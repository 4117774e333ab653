/**
 * A limited account and a guest link see and do their part of the home and nothing else. All other things in the home
 * have a marker in their names. The marker must be in no byte that such an account receives, for any request.
 */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change } from "../../src/home/change.ts";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/http/routes.ts";
import { startTestController, type TestController, type Tokens } from "../support/controller.ts";
import type { FrameStream } from "../support/frame-stream.ts";

const MARK = "Zqx";
const OWN = "1A 2B 3C 1";
const OWN_SCENE = "31001";
const OTHER = "ZW002_1";
const OTHER_SCENE = "31005";
const PASSWORD = "a password for everybody";
const CAUSE = { kind: "system", id: "test", by: null } as const;

type Headers = Readonly<Record<string, string>>;
type Holder = { readonly name: string; readonly listener: "portal" | "local"; readonly headers: Headers };

let controller: TestController;
let holders: readonly Holder[];
let ownProgram = 0;
let otherProgram = 0;
let hiddenAddresses: readonly string[] = [];

const commit = (change: Change) => controller.services.feed.commit(change, CAUSE);

async function owner<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  const answer = await controller.portal.request(method, path, { headers, body: JSON.stringify(body ?? {}) });
  if (answer.status !== 200) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
  return answer.json<{ data: T }>().data;
}

/** Every thing but the few that the limits name. */
function markEverythingElse(): void {
  const { home } = controller.services;
  const marked = (name: string) => `${MARK} ${name}`;
  for (const { address, name } of [...home.nodes.values()])
    if (address !== OWN) commit({ type: "node-renamed", address, name: marked(name) });
  for (const { address, name } of [...home.groups.values()])
    if (address !== OWN_SCENE) commit({ type: "group-renamed", address, name: marked(name) });
  for (const { address, name } of [...home.folders.values()])
    commit({ type: "folder-renamed", address, name: marked(name) });
  for (const program of [...home.programs.values()])
    if (program.id > 2 && program.id !== ownProgram)
      commit({ type: "program-changed", program: { ...program, name: marked(program.name) } });
  for (const { type, id, name } of [...home.variables[1].values(), ...home.variables[2].values()])
    if (type !== 2 || id !== 1) commit({ type: "variable-renamed", variableType: type, id, name: marked(name) });
  for (const resource of [...home.networkResources.values()])
    commit({ type: "network-resource-put", resource: { ...resource, name: marked(resource.name) } });
  for (const program of [...home.programs.values()])
    if (program.id === ownProgram && program.kind === "program")
      commit({ type: "program-changed", program: { ...program, comment: marked("comment") } });
}

async function bearerOf(login: string): Promise<Headers> {
  const body = JSON.stringify({ username: login, password: PASSWORD });
  const headers = { "Content-Type": "application/json" };
  const answer = await controller.portal.request("POST", "/api/login", { headers, body });
  return { Authorization: `Bearer ${answer.json<{ data: Tokens }>().data.accessToken}` };
}

beforeAll(async () => {
  controller = await startTestController({ localApi: true, virtualLatencyMs: 0 });
  await controller.login();
  const { home } = controller.services;
  const programs = [...home.programs.values()].filter(({ kind, id }) => kind === "program" && id > 2);
  [ownProgram = 0, otherProgram = 0] = programs.map(({ id }) => id);
  markEverythingElse();
  hiddenAddresses = [...home.nodes.keys(), ...home.groups.keys(), ...home.folders.keys()].filter(
    (address) => address !== OWN && address !== OWN_SCENE,
  );
  const limits = {
    nodes: [OWN],
    scenes: [OWN_SCENE],
    programs: [ownProgram.toString(16).padStart(4, "0")],
    variables: ["2/1"],
  };
  const account = { role: "user", password: PASSWORD, limits };
  await owner("POST", "/api/accounts", { ...account, kind: "local", login: "lodger" });
  await owner("POST", "/api/accounts", { ...account, kind: "portal", login: "lodger@example.org" });
  const guest = await owner<{ token: string }>("POST", "/api/guests", { name: "Walker", limits, seconds: 7200 });
  holders = [
    { name: "local", listener: "local", headers: basic("lodger") },
    { name: "portal", listener: "portal", headers: await bearerOf("lodger@example.org") },
    { name: "guest", listener: "portal", headers: { Authorization: `Bearer ${guest.token}` } },
  ];
});
afterAll(() => controller[Symbol.asyncDispose]());

function basic(user: string): Headers {
  return { Authorization: `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString("base64")}` };
}

type Object = "own" | "other" | "absent";
const OBJECTS: readonly Object[] = ["own", "other", "absent"];

/** Values for the parameters of paths. */
const VALUES: Readonly<Record<string, (object: Object, path: string) => string>> = {
  address: (object) => ({ own: OWN, other: OTHER, absent: "ZW999_1" })[object],
  group: (object) => ({ own: OWN_SCENE, other: OTHER_SCENE, absent: "39999" })[object],
  id: (object, path) => {
    if (path.includes("program") || path.includes("trigger"))
      return { own: hex(ownProgram), other: hex(otherProgram), absent: "0FFF" }[object];
    if (path.includes("var")) return { own: "1", other: "2", absent: "999" }[object];
    return { own: "1", other: "2", absent: "999" }[object];
  },
  type: () => "2",
  command: () => "QUERY",
  property: () => "ST",
  value: () => "1",
  verb: () => "stop",
  mode: () => "on",
  family: () => "1",
  instance: () => "1",
  folder: () => "nls",
  file: () => "en_us.txt",
  kind: () => "node",
  number: () => "1",
  size: () => "1",
  slot: () => "1",
  code: () => "1234",
  edit: () => "1",
  radio: () => "zwave",
};
const hex = (id: number) => id.toString(16).toUpperCase().padStart(4, "0");

function targetOf({ path }: Route, object: Object): string {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(VALUES[name]?.(object, path) ?? "x"),
  );
  const wild = path.startsWith("/api/uses") ? (VALUES.address?.(object, path) ?? "") : "51";
  return filled.replace("*", encodeURIComponent(wild));
}

async function ask({ listener, headers }: Holder, method: string, target: string) {
  const body = method === "GET" ? {} : { body: "{}" };
  const json = method === "GET" ? {} : { "Content-Type": "application/json" };
  return controller[listener].request(method, target, { headers: { ...headers, ...json }, ...body });
}

/** Everything but logging out, and the page, which is the same for everybody. */
const matrix = routes.filter(({ path, page }) => path !== "/api/jwt/logout" && page !== "page");

/** Texts that name something outside of the limits, except what the request itself named. */
function leaksIn(text: string, target: string): readonly string[] {
  const asked = decodeURIComponent(target);
  const found = hiddenAddresses.filter((address) => !asked.includes(address) && isNamed(text, address));
  return text.includes(MARK) ? [MARK, ...found] : found;
}

/** Between things that can be no part of an address or a number. */
function isNamed(text: string, address: string): boolean {
  const at = text.indexOf(address);
  if (at < 0) return false;
  return /[">,;]/.test(text.charAt(at - 1)) && /["<,;]/.test(text.charAt(at + address.length));
}

/** Parameters that the description does not name. */
const UNDECLARED = ["node", "nodes", "address", "property", "start", "end", "include", "name", "text", "search", "id"];

describe("S1: an account with limits and a guest link", () => {
  test("are compared with an owner, who reads the marks", async () => {
    const owned = await controller.portal.get("/api/nodes");
    expect(leaksIn(owned.text, "/api/nodes").length).toBeGreaterThan(50);
  });

  test("get no name and no address of another thing on any path, and no other answer than for one that is not there", async () => {
    let answers = 0;
    for (const holder of holders) {
      for (const route of matrix) {
        const told = new Map<Object, string>();
        for (const object of OBJECTS) {
          const target = targetOf(route, object);
          const answer = await ask(holder, route.method, target);
          answers += 1;
          const place = `${holder.name} ${route.method} ${target}`;
          expect([place, leaksIn(answer.text, target)]).toEqual([place, []]);
          expect([place, answer.status]).not.toEqual([place, 500]);
          const without = answer.text.replaceAll(OTHER, "ZW999_1").replaceAll(OTHER_SCENE, "39999");
          told.set(object, `${answer.status} ${without.replaceAll(hex(otherProgram), "0FFF")}`);
        }
        if (route.path.includes(":"))
          expect([holder.name, route.path, told.get("other")]).toEqual([holder.name, route.path, told.get("absent")]);
      }
    }
    expect(answers).toBeGreaterThan(1000);
  });

  test("are refused by every route that does not say what it does with limits", async () => {
    const closed = matrix.filter(({ limited, access }) => !limited && access !== "public" && access !== "optional");
    for (const holder of holders) {
      for (const route of closed) {
        const { status } = await ask(holder, route.method, targetOf(route, "own"));
        const isAway = holder.listener === "local" && route.listener === "portal" && status === 404;
        expect([holder.name, route.method, route.path, isAway ? 403 : status]).toEqual([
          holder.name,
          route.method,
          route.path,
          403,
        ]);
      }
    }
    expect(closed.length).toBeGreaterThan(50);
  });

  test("get no name by a parameter of a query, and no other answer than for a thing that is not there", async () => {
    const [guest] = holders.filter(({ name }) => name === "guest");
    if (!guest) throw new Error("There is a guest link.");
    const open = matrix.filter(({ limited, method }) => limited && method === "GET");
    const parameters = [...new Set([...routes.flatMap(({ query = {} }) => Object.keys(query)), ...UNDECLARED])];
    let answers = 0;
    const askWith = async (route: (typeof open)[number], name: string) => {
      const shown: string[] = [];
      for (const value of [OTHER, "ZW999_1", "ZW002_"]) {
        const target = `${targetOf(route, "own")}?${name}=${encodeURIComponent(value)}`;
        const answer = await ask(guest, "GET", target);
        answers += 1;
        const allowed = expect.not.toBeOneOf([500]);
        expect([target, leaksIn(answer.text, target), answer.status]).toEqual([target, [], allowed]);
        // Numbers are of time and memory.
        shown.push(`${answer.status} ${answer.text.replaceAll(value, "").replaceAll(/\d+/g, "")}`);
      }
      expect([route.path, name, shown[0]]).toEqual([route.path, name, shown[1]]);
    };
    for (const route of open) await Promise.all(parameters.map((name) => askWith(route, name)));
    expect(answers).toBeGreaterThan(1000);
  }, 60_000);

  test("read nothing of the past, nor why, traces, replays, history, uses, findings and reports", async () => {
    const at = encodeURIComponent(new Date(controller.clock.now()).toISOString());
    for (const holder of holders) {
      for (const route of matrix.filter(({ past }) => past === "at")) {
        const target = `${targetOf(route, "own")}?at=${at}`;
        const { status, text } = await ask(holder, route.method, target);
        const isAway = holder.listener === "local" && route.listener === "portal" && status === 404;
        expect([holder.name, target, isAway ? 403 : status, leaksIn(text, target)]).toEqual([
          holder.name,
          target,
          403,
          [],
        ]);
      }
    }
    const whole =
      /^\/api\/(past|why|trace|replays|edits|uses|verify|history|samples|series|report|guests|accounts|backups?)\b/;
    const found = matrix.filter(
      ({ path }) => whole.test(path) || /\/(why|trace|verify|text|series|events)$/.test(path),
    );
    expect(found.filter(({ limited }) => limited).map(({ path }) => path)).toEqual([]);
    expect(found.length).toBeGreaterThan(15);
  });

  test("read what is theirs", async () => {
    for (const holder of holders) {
      const { text } = await ask(holder, "GET", "/rest/nodes");
      expect(text).toContain("Hall Ceiling");
      expect(text).toContain(`<address>${OWN_SCENE}</address>`);
      expect((await ask(holder, "GET", `/rest/nodes/${encodeURIComponent(OWN)}`)).status).toBe(200);
      expect((await ask(holder, "GET", "/rest/status")).text).toContain(`<node id="${OWN}">`);
      expect((await ask(holder, "GET", "/rest/programs?subfolders=true")).text).toContain(`id="${hex(ownProgram)}"`);
      expect((await ask(holder, "GET", "/rest/vars/definitions/2")).text.match(/<e id=/g)).toHaveLength(1);
    }
  });

  test("send no command of the whole profile to a node of others, and reach no driver by it", async () => {
    const { home, profile, queue } = controller.services;
    const accepts = [...home.nodes.values()].flatMap(
      ({ nodeDefId, family, instance }) => profile.nodedef(nodeDefId, family, instance)?.accepts ?? [],
    );
    const commands = [...new Set(accepts.map(({ id }) => id))];
    const ofOther = () => queue.lives.recent().filter(({ address }) => address === OTHER).length;
    const before = ofOther();
    for (const holder of holders) {
      for (const command of commands) {
        const { status } = await ask(holder, "GET", `/rest/nodes/${OTHER}/cmd/${command}/1`);
        expect([holder.name, command, status]).toEqual([holder.name, command, 404]);
      }
    }
    expect(ofOther()).toBe(before);
    expect(commands.length).toBeGreaterThan(20);
  });

  test("command what is theirs, a scene with all of its members, and nothing else", async () => {
    for (const holder of holders) {
      const status = async (path: string) => (await ask(holder, "GET", `/rest/${path}`)).status;
      expect(await status(`nodes/${encodeURIComponent(OWN)}/cmd/DON`)).toBe(200);
      expect(await status(`nodes/${OWN_SCENE}/cmd/DOF`)).toBe(200);
      expect(await status(`nodes/${OTHER}/cmd/DON`)).toBe(404);
      expect(await status(`nodes/${OTHER_SCENE}/cmd/DON`)).toBe(404);
      expect(await status(`nodes/${controller.services.home.controller.uuid}/cmd/DON`)).toBe(404);
      const isGuest = holder.name === "guest";
      expect(await status(`programs/${hex(ownProgram)}/stop`)).toBe(isGuest ? 403 : 200);
      expect(await status(`programs/${hex(otherProgram)}/stop`)).toBe(isGuest ? 403 : 404);
      expect(await status("programs/0001/run")).toBe(isGuest ? 403 : 404);
      expect(await status("vars/set/2/1/7")).toBe(isGuest ? 403 : 200);
      expect(await status("vars/set/2/2/7")).toBe(isGuest ? 403 : 404);
    }
    const commanded = controller.services.queue.lives.recent().map(({ address }) => address);
    expect(commanded).toContain("1A 60 A 1");
  });
});

async function follow(holder: Holder, surface: "rest" | "api"): Promise<FrameStream> {
  const stream = await controller.subscribe(surface, { listener: holder.listener, headers: holder.headers });
  await stream.next(({ control }) => control === "_0");
  return stream;
}

/** Changes of every kind at things that are not theirs, then one at theirs. */
async function happen(): Promise<void> {
  const { home } = controller.services;
  const other = home.nodes.get(OTHER);
  const property = other?.properties.get("ST");
  if (!other || !property) throw new Error("The demo home has another node with a state.");
  const { id: variable = 2 } = [...home.variables[2].values()][1] ?? {};
  commit({ type: "property-changed", address: OTHER, property: { ...property, value: 77 } });
  commit({ type: "control-sent", address: OTHER, control: "DON", value: 0 });
  commit({ type: "node-link-changed", address: OTHER, link: "unreachable", before: other.link });
  commit({ type: "node-renamed", address: OTHER, name: `${MARK} again` });
  commit({ type: "write-progress", address: OTHER, phase: "pending", active: true });
  commit({ type: "device-parameter", address: OTHER, number: 1, size: 1, value: 1 });
  commit({ type: "variable-written", variableType: 2, id: variable, value: 4711, before: 0, writtenAtMs: 0 });
  const folder = await owner<{ address: string }>("POST", "/api/nodes", { name: `${MARK} Den`, nodeType: "folder" });
  const scene = await owner<{ address: string }>("POST", "/api/nodes", { name: `${MARK} Party`, nodeType: "group" });
  hiddenAddresses = [...hiddenAddresses, folder.address, scene.address];
  await owner("POST", `/api/groups/members/${scene.address}`, { nodeAddress: OWN });
  await owner("POST", `/api/groups/members/${scene.address}`, { nodeAddress: OTHER });
  await owner("POST", `/api/groups/members/${OWN_SCENE}`, { nodeAddress: OTHER });
  const path = `/api/nodes/${encodeURIComponent(OWN)}`;
  await owner("PATCH", path, { nodeType: "node", parentAddress: folder.address, parentNodeType: "folder" });
  await owner("PATCH", `/api/nodes/${OTHER}`, { enabled: false, nodeType: "node", reason: MARK });
  await controller.portal.get(`/rest/programs/${hex(otherProgram)}/runThen`);
  await controller.portal.get(`/rest/programs/${hex(ownProgram)}/runThen`);
  await controller.portal.get("/rest/networking/resources/1");
  await controller.portal.get("/rest/nodes/ZW010_1/cmd/QUERY");
  const own = home.nodes.get(OWN)?.properties.get("ST");
  if (own) commit({ type: "property-changed", address: OWN, property: { ...own, value: own.value === 33 ? 34 : 33 } });
}

describe("S1: the streams of an account with limits and of a guest link", () => {
  test.each(["rest", "api"] as const)(
    "carry on /%s what is theirs, and no name or address of anything else",
    async (surface) => {
      const streams = await Promise.all(holders.map((holder) => follow(holder, surface)));
      const whole = await controller.subscribe(surface, { listener: "portal" });
      await happen();
      const isLast = ({ control, node, action }: { control: string; node: string; action: string }) =>
        control === "ST" && node === OWN && (action === "33" || action === "34");
      await whole.next(isLast);
      expect(leaksIn(whole.frames.map(({ raw }) => raw).join(), "").length).toBeGreaterThan(50);
      for (const [at, stream] of streams.entries()) {
        await stream.next(isLast);
        const frames = stream.frames.map(({ raw }) => raw.replaceAll('\\"', '"'));
        expect([holders[at]?.name, frames.flatMap((raw) => leaksIn(raw, ""))]).toEqual([holders[at]?.name, []]);
        expect(frames.join()).not.toContain("4711");
        const seqnums = stream.frames.flatMap(({ seqnum }) => seqnum ?? []);
        expect(seqnums).toEqual(seqnums.map((_seqnum, index) => index));
        await stream.close();
      }
      await whole.close();
      const address = [...controller.services.home.groups.values()].filter(({ name }) => name === `${MARK} Party`);
      for (const scene of address) await owner("DELETE", `/api/nodes/${scene.address}`, { nodeType: "group" });
      await owner("DELETE", `/api/groups/members/${OWN_SCENE}`, { nodeAddress: OTHER });
      await owner("PATCH", `/api/nodes/${OTHER}`, { enabled: true, nodeType: "node" });
    },
  );

  test("carry once that a variable was added when it is theirs, and not otherwise", async () => {
    const { home } = controller.services;
    const [own, other] = home.variables[2].values();
    const lamp = home.nodes.get(OWN)?.properties.get("ST");
    if (!own || !other || !lamp) throw new Error("The demo home has two state variables and this node.");
    for (const holder of holders) {
      const stream = await follow(holder, "rest");
      const before = stream.frames.length;
      commit({ type: "variable-added", variable: other });
      commit({ type: "variable-added", variable: own });
      const value = home.nodes.get(OWN)?.properties.get("ST")?.value === 41 ? 42 : 41;
      commit({ type: "property-changed", address: OWN, property: { ...lamp, value } });
      await stream.next(({ control, node, action }) => control === "ST" && node === OWN && action === String(value));
      const tables = stream.frames.slice(before).filter(({ control, action }) => control === "_1" && action === "9");
      expect([holder.name, tables.length]).toEqual([holder.name, 1]);
      await stream.close();
    }
  });
});
