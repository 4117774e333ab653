/** The modern client, emulated: a Python library whose every request and requirement is known, and played here. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { systemClock } from "../../src/util/clock.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { LOCAL, OWNER, START_MS, startTestController, type TestController } from "../support/controller.ts";
import { type ClientOptions, ModernClient } from "./modern-client/client.ts";
import { isGroupOn, type Node, programPath } from "./modern-client/home.ts";
import { commandLabel, findEditor, propertyLabel } from "./modern-client/profile.ts";
import { AuthError, HttpError } from "./modern-client/session.ts";

const HALL_CEILING = "1A 2B 3C 1";
const LIVING_CEILING = "1A 2F 90 1";
const MIRROR = "1A 51 34 1";
const THERMOSTAT = "15 E 20 1";
const READING_LAMP = "ZW002_1";
const BATHROOM_MORNING = "31006";
/** Its Then clause counts once and ends. */
const COUNT_DOOR_OPENINGS = "000F";
/** Longer than any lamp here takes to its level. */
const FADE_MS = 10_000;

const WRONG = { username: OWNER.username, password: "not this" };

const NINE = [
  "/rest/profiles?include=nodedefs,editors,linkdefs",
  "/api/nodes",
  "/rest/status",
  "/api/programs",
  "/api/triggers",
  "/api/variables/1",
  "/api/variables/2",
  "/rest/networking/resources",
  "/api/groups",
];
const labelsOf = (family: string) => `/rest/profiles/family/${family}/profile/1/download/nls/en_US.txt`;

function clientOf(controller: TestController, options: Partial<ClientOptions> = {}): ModernClient {
  const { portal, clock } = controller;
  return new ModernClient({ url: portal.url, mode: "portal", credentials: OWNER, clock, ...options });
}

/** The client takes a second without a frame for the end of the replay. */
async function synced({ clock }: TestController, client: ModernClient): Promise<void> {
  await client.heartbeats();
  await clock.advance(1000);
  await client.stream.becomes("connected");
}

/** Nodes without a nodedef, values without an editor, scenes and programs whose parts are not there. */
function unresolved(visitor: ModernClient): readonly string[] {
  const { nodes, groups, programs, profile } = visitor.home;
  const missing: string[] = [];
  for (const node of nodes.values()) {
    const nodedef = visitor.nodedef(node);
    if (!nodedef) missing.push(`nodedef ${node.nodeDefId} of ${node.address}`);
    const { properties = [], accepts = [], sends = [] } = nodedef ?? {};
    const parameters = [...accepts, ...sends].flatMap((command) => command.parameters);
    for (const { editor } of [...properties, ...parameters])
      if (!findEditor(profile, node.family, node.instance, editor)) missing.push(`editor ${editor} of ${node.address}`);
  }
  for (const { address, intents, members } of groups.values())
    if (!intents || members.some((member) => !nodes.has(member))) missing.push(`links of ${address}`);
  for (const { id, parentId } of programs.values()) {
    if (!/^[0-9A-F]{4}$/.test(id)) missing.push(`id ${id}`);
    if (id === "0001" ? parentId !== null : !programs.get(parentId ?? "")?.folder) missing.push(`folder of ${id}`);
  }
  return missing;
}

let controller: TestController;
let client: ModernClient;

beforeAll(async () => {
  controller = await startTestController();
  client = clientOf(controller);
  await client.connect();
  await synced(controller, client);
});

afterAll(async () => {
  await client.stop();
  await controller[Symbol.asyncDispose]();
});

const raw = (address: string) => controller.services.home.nodes.get(address)?.properties.get("ST")?.value;
const hearsState = (address: string, value: string) =>
  client.hears(
    (told) =>
      told.kind === "property" &&
      told.address === address &&
      client.node(address).properties.get("ST")?.value === value,
  );

describe("loading", () => {
  test("connect() succeeds with eleven requests when no radio node is unresolved", async () => {
    await using services = await startTestController({ demo: false });
    const visitor = clientOf(services);
    await visitor.connect();
    const gets = ["/api/config", ...NINE].map((path) => `GET ${path}`);
    expect(visitor.session.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /api/login", ...gets]);
    expect(unresolved(visitor)).toEqual([]);
    await visitor.stop();
  });

  test("radio nodes need no further request: the profile has their nodedefs", () => {
    expect(client.session.sent).toHaveLength(11);
  });

  test("without them in the profile, radio networks are asked for nodedefs and labels, one after the other", async () => {
    const visitor = clientOf(controller, { hidesRadio: true });
    await visitor.connect();
    expect(visitor.session.sent.slice(11).map(({ path }) => path)).toEqual([
      ...["/rest/zwave/node/0/def/get", labelsOf("-1"), labelsOf("4")],
      ...["/rest/zmatter/zwave/node/0/def/get", labelsOf("-1"), labelsOf("12")],
    ]);
    expect(unresolved(visitor)).toEqual([]);
    const { radio, labels } = visitor.home;
    const unnamed = [...radio.values()].flatMap((nodedef) => [
      ...[...nodedef.accepts, ...nodedef.sends].filter(({ id }) => commandLabel(labels, nodedef, id) === id),
      ...nodedef.properties.filter(({ id }) => propertyLabel(labels, nodedef, id) === id),
    ]);
    expect(radio.size).toBeGreaterThan(0);
    expect(unnamed).toEqual([]);
    await visitor.stop();
  });

  test("no header is needed but what aiohttp sends", () => {
    const [login, ...others] = client.session.sent.map(({ headers }) => headers.join(" "));
    expect(login).toBe("Host Accept Accept-Encoding User-Agent Content-Length Content-Type");
    expect(new Set(others)).toEqual(new Set(["Host Authorization Accept Accept-Encoding User-Agent"]));
  });

  test("nothing of the demo home is left unresolved", () => {
    expect(unresolved(client)).toEqual([]);
  });

  test.each<[string, Partial<Config>]>([
    ["with placeholders", { legacyPadding: true, demo: false }],
    ["of 400 nodes", { demoNodes: 400 }],
  ])("nothing of a home %s is left unresolved", async (_name, settings) => {
    await using services = await startTestController(settings);
    const visitor = clientOf(services);
    await visitor.connect();
    expect(unresolved(visitor)).toEqual([]);
    await visitor.stop();
  });

  test("every node has the values that its device last reported", () => {
    const differing = [...controller.services.home.nodes.values()].flatMap(({ address, properties }) =>
      [...properties.values()].filter(({ id, value, prec }) => {
        const read = client.node(address).properties.get(id);
        return read?.value !== (value === null ? "" : String(value)) || read.prec !== prec;
      }),
    );
    expect(differing).toEqual([]);
  });

  test("lamps with a level are dimmable, relays and sensors are not", () => {
    const dimmable = [HALL_CEILING, "1E 4 A0 1", READING_LAMP, "ZY003_1", "21 0 6D 1"];
    const others = ["1A 30 1 1", "3B 9 12 1", "2C 10 5 1", THERMOSTAT, "ZW010_1", "ZW005_1", "n020_station"];
    expect(dimmable.filter((address) => !client.isDimmable(address))).toEqual([]);
    expect(others.filter((address) => client.isDimmable(address))).toEqual([]);
  });

  test("programs know the folders above them", () => {
    const program = client.home.programs.get("000A");
    expect(program && programPath(client.home.programs, program)).toEqual(["Lights"]);
  });

  test("the client's name is the root group's", () => {
    expect(client.name).toBe("Domovoi");
    expect(client.config).toEqual({
      uuid: controller.services.home.controller.uuid,
      version: "6.0.3",
      portalHost: null,
    });
  });
});

describe("commands", () => {
  test("a dimmer at raw 191 reads 75 percent", async () => {
    const seen = hearsState(LIVING_CEILING, "191");
    await client.command(LIVING_CEILING, "DON", 75);
    await controller.clock.advance(FADE_MS);
    await seen;
    expect(client.session.sent.at(-1)?.path).toBe("/rest/nodes/1A%202F%2090%201/cmd/DON/75/51");
    expect(client.reading(LIVING_CEILING, "ST")).toEqual({ value: 75, uom: "51" });
    expect(raw(LIVING_CEILING)).toBe(191);
  });

  test("a node accepts every command of its nodedef", async () => {
    await using services = await startTestController();
    const visitor = clientOf(services);
    await visitor.connect();
    const refused: string[] = [];
    // CONFIG names a parameter of the device, and none has the number that is tried here.
    const tried = (node: Node) => (visitor.nodedef(node)?.accepts ?? []).filter(({ id }) => id !== "CONFIG");
    const wishes = [...visitor.home.nodes.values()].flatMap((node) =>
      tried(node).map(async ({ id, parameters }) => {
        const values = parameters.map(({ editor }) => visitor.anyValue(node.address, editor));
        await visitor.command(node.address, id, ...values).catch((error) => {
          refused.push(`${node.address} ${node.nodeDefId} ${id} ${values}: ${error.message}`);
        });
      }),
    );
    await Promise.all(wishes);
    expect(wishes.length).toBeGreaterThan(300);
    expect(refused).toEqual([]);
    await visitor.stop();
  });

  test("a setpoint is written through the value that it changes", async () => {
    const seen = client.hears((told) => told.kind === "property" && told.id === "CLISPH");
    await client.command(THERMOSTAT, "CLISPH", 66);
    await seen;
    expect(client.node(THERMOSTAT).properties.get("CLISPH")).toMatchObject({ value: "132", uom: "101" });
  });

  test("a scene is on when a member that it switches on is", async () => {
    const scene = client.home.groups.get(BATHROOM_MORNING);
    if (!scene) throw new Error("There is no such scene.");
    expect(isGroupOn(client.home, scene)).toBe(false);
    const seen = hearsState(MIRROR, "255");
    await client.commandGroup(BATHROOM_MORNING, "DON");
    await controller.clock.advance(FADE_MS);
    await seen;
    expect(isGroupOn(client.home, scene)).toBe(true);
  });

  test("a radio parameter is read as integers", async () => {
    expect(await client.readParameter(READING_LAMP, 1)).toEqual({ size: 1, value: expect.any(Number) });
  });

  test("a rename is published, and is there when the client loads again", async () => {
    const told = client.hears(({ kind }) => kind === "lifecycle");
    await client.rename(MIRROR, "node", "Mirror & Shelf");
    expect(await told).toMatchObject({ verb: "NN", address: MIRROR, requiresReload: true });
    await client.refresh();
    expect(client.node(MIRROR).name).toBe("Mirror & Shelf");
  });
});

describe("variables and programs", () => {
  test("after a value is set, client and controller have the same number", async () => {
    const told = client.hears(({ kind }) => kind === "variable");
    await client.setVariable(2, "4", 17);
    expect(await told).toEqual({ kind: "variable", type: 2, id: "4" });
    expect([client.home.variables[2].get("4")?.value, controller.services.home.variables[2].get(4)?.value]).toEqual([
      17, 17,
    ]);
  });

  test("a float is a displayed value, also when it is whole, and published when nothing changed", async () => {
    const variable = client.home.variables[2].get("3");
    for (const [displayed, stored] of [
      [21.5, 215],
      [22, 220],
      [22, 220],
    ] as const) {
      const told = client.hears(({ kind }) => kind === "variable");
      await client.session.writeFloat("/api/variables/2/3", "value", displayed);
      await told;
      expect([variable?.prec, variable?.value]).toEqual([1, stored]);
    }
  });

  test("a new variable is there once its table was announced", async () => {
    const told = client.hears(({ kind }) => kind === "variable-table");
    const id = await client.createVariable(1, "Rainy Days", 1);
    expect(await told).toEqual({ kind: "variable-table", type: 1 });
    expect(client.home.variables[1].get(id)).toMatchObject({ name: "Rainy Days", value: 0, init: 0, prec: 1 });
  });

  test("a run is reported as THEN, then as IDLE", async () => {
    const since = client.told.length;
    const idle = client.hears((told) => told.kind === "program" && told.run === "IDLE");
    await client.session.get(`/rest/programs/${COUNT_DOOR_OPENINGS}/runThen`);
    await idle;
    const runs = client.told.slice(since).flatMap((told) => (told.kind === "program" ? [told] : []));
    expect(runs.map(({ program, run }) => [program.name, run])).toEqual([
      ["Count Door Openings", "THEN"],
      ["Count Door Openings", "IDLE"],
    ]);
    expect(client.home.programs.get(COUNT_DOOR_OPENINGS)).toMatchObject({ status: true, running: "21" });
  });
});

describe("sessions", () => {
  test("a token that is about to end is refreshed once for nine requests; an expired one after nine refusals", async () => {
    await using services = await startTestController();
    const clock = new VirtualClock(START_MS);
    const visitor = clientOf(services, { clock });
    await visitor.connect();
    // It would be cut, for it can answer no pings while an hour passes at once.
    await visitor.stream.close();
    const ask = async () => {
      const before = visitor.session.sent.length;
      await visitor.refresh();
      const paths = visitor.session.sent.slice(before).map(({ path }) => path);
      return paths.filter((path) => NINE.includes(path) || path === "/api/jwt/refresh");
    };
    await Promise.all([clock.advance(3_590_000), services.clock.advance(3_590_000)]);
    expect(await ask()).toEqual(["/api/jwt/refresh", ...NINE]);
    // The client's clock is stopped, so it does not notice.
    await services.clock.advance(7_200_000);
    expect((await ask()).sort()).toEqual(["/api/jwt/refresh", ...NINE, ...NINE].sort());
    await visitor.stop();
  });

  test("stop() closes the stream, logs out with 200 and leaves nothing behind", async () => {
    const visitor = clientOf(controller);
    await visitor.connect();
    await synced(controller, visitor);
    expect(controller.services.subscribers()).toHaveLength(2);
    expect(await visitor.stop()).toBe(200);
    expect(visitor.session.sent.at(-1)).toEqual({
      method: "POST",
      path: "/api/jwt/logout",
      headers: ["Host", "Authorization", "Accept", "Accept-Encoding", "User-Agent", "Content-Length", "Content-Type"],
    });
    expect(controller.services.subscribers()).toHaveLength(1);
  });

  test("in local mode it loads and follows where localApi is on", async () => {
    await using services = await startTestController({ localApi: true, demo: false });
    const local = { url: services.local.url, mode: "local" } as const;
    const visitor = clientOf(services, { ...local, credentials: LOCAL });
    await visitor.connect();
    await synced(services, visitor);
    expect(visitor.session.sent.map(({ path }) => path)).toEqual(["/api/config", ...NINE]);
    await visitor.stop();
    // The configuration is public; the following documents are not.
    await expect(clientOf(services, { ...local, credentials: WRONG }).connect()).rejects.toThrow(AuthError);
  });

  test("where localApi is off its first request is answered 404, as intended", async () => {
    const visitor = clientOf(controller, { url: controller.local.url, mode: "local", credentials: LOCAL });
    await expect(visitor.connect()).rejects.toMatchObject(new HttpError("/api/config", 404));
    await visitor.stop();
  });

  test("a wrong password is an AuthError, at once", async () => {
    await expect(clientOf(controller, { credentials: WRONG }).connect()).rejects.toThrow(AuthError);
  });
});

describe("the stream", () => {
  test("connected after a second of silence", async () => {
    const clock = {
      now: () => controller.clock.now(),
      elapsed: () => controller.clock.elapsed(),
      setTimer: systemClock.setTimer,
    };
    const visitor = clientOf(controller, { clock });
    const startedAtMs = performance.now();
    await visitor.connect();
    await visitor.stream.becomes("connected");
    expect(performance.now() - startedAtMs).toBeLessThan(3000);
    await visitor.stop();
  });

  test("seqnums begin at 0 and have no gaps, and no momentary command is replayed", async () => {
    const visitor = clientOf(controller);
    await visitor.connect();
    await synced(controller, visitor);
    expect(visitor.events.map(({ seqnum }) => seqnum)).toEqual(visitor.events.map((_, index) => index));
    const controls = new Set(visitor.events.map(({ control }) => control));
    expect(["DON", "DOF", "DFON", "DFOF"].filter((control) => controls.has(control))).toEqual([]);
    await visitor.stop();
  });

  test("the JSON stream works with the header alone", async () => {
    const visitor = clientOf(controller, { streamPath: "/api/events/subscribe" });
    await visitor.connect();
    await synced(controller, visitor);
    expect(visitor.events.length).toBeGreaterThan(200);
    await visitor.stop();
  });

  test.each([
    ["/rest/subscribe", "1A 44 7 1"],
    ["/api/events/subscribe", "1A 60 22 1"],
  ])("on %s a lost socket is opened again after a second, and the replay is all it needs", async (streamPath, lamp) => {
    const visitor = clientOf(controller, { streamPath });
    await visitor.connect();
    await synced(controller, visitor);
    visitor.stream.socket?.terminate();
    await visitor.stream.becomes("disconnected");
    const sent = visitor.session.sent.length;
    controller.services.drivers.of("virtual").simulation?.act(lamp, "DON", null);
    await controller.clock.advance(999);
    expect(visitor.stream.status).toBe("disconnected");
    await controller.clock.advance(FADE_MS);
    await visitor.heartbeats(2);
    await controller.clock.advance(1000);
    await visitor.stream.becomes("connected");
    expect(visitor.reading(lamp, "ST")).toEqual({ value: 100, uom: "51" });
    expect(visitor.session.sent.slice(sent)).toEqual([]);
    await visitor.stop();
  });
});
