/** The library against the service: every change is accepted, and arrives as an event. @see client/RULES.md */

import { connect, type EventKind, type EventOf, type Home, login, type NodeOptions } from "@domovoi/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL, OWNER, startTestController, type TestController } from "../support/controller.ts";
import { failureOf } from "./support/connected.ts";

let controller: TestController;
let portal: Home;
let local: Home;

const account = ({ username: user, password }: { readonly username: string; readonly password: string }) => ({
  user,
  password,
});

function open(mode: "portal" | "local", options: Partial<NodeOptions> = {}): Promise<Home> {
  const { url } = controller[mode];
  const own = account(mode === "portal" ? OWNER : LOCAL);
  return connect({ url, mode, ...own, insecure: true, clock: controller.clock, ...options });
}

/** Makes the change and waits for its event. */
async function told<K extends EventKind>(
  home: Home,
  act: () => Promise<unknown>,
  kind: K,
  fits: (event: EventOf<K>) => boolean = () => true,
): Promise<EventOf<K>> {
  const event = new Promise<EventOf<K>>((resolve) => {
    const stop = home.on(kind, (each) => {
      if (!fits(each)) return;
      stop();
      resolve(each);
    });
  });
  await act();
  return event;
}

beforeAll(async () => {
  controller = await startTestController();
  [portal, local] = await Promise.all([open("portal", { stream: "api" }), open("local")]);
  // A heartbeat ends the burst; by now it may have come, then the next one will.
  const settled = [portal, local].map((home) => told(home, async () => {}, "heartbeat"));
  await Promise.all([...settled, controller.clock.advance(20_000)]);
}, 30_000);

afterAll(async () => {
  await portal.close();
  await local.close();
  await controller[Symbol.asyncDispose]();
});

const homes = { portal: () => portal, local: () => local } as const;

describe.each(["portal", "local"] as const)("in %s mode", (mode) => {
  const home = () => homes[mode]();

  test("C15 the demo home loads without a problem", () => {
    expect(home().problems).toEqual([]);
    expect(home().nodes.size).toBe(controller.services.home.nodes.size);
    expect([...home().nodes].filter(({ nodedef }) => nodedef === null).map(({ address }) => address)).toEqual([]);
    expect(home().name).toBe("Domovoi");
  });

  test("C15 a device that falls asleep or is lost is so at once, without reading the home again", async () => {
    const node = home().node("Hall Motion");
    const { feed, home: own } = controller.services;
    const moveTo = async (link: "asleep" | "unreachable" | "online") => {
      const before = own.nodes.get(node.address)?.link ?? "unknown";
      feed.commit(
        { type: "node-link-changed", address: node.address, link, before },
        { kind: "system", id: "", by: null },
      );
    };
    for (const link of ["asleep", "unreachable", "online"] as const) {
      const event = await told(
        home(),
        () => moveTo(link),
        "lifecycle",
        ({ verb }) => verb === "LS",
      );
      expect([event.needsRefresh, node.linkState]).toEqual([false, link]);
    }
  });

  test("C15 a lamp takes a level, a label and a method", async () => {
    const lamp = home().node("Hall Ceiling");
    const status = ({ address, property }: EventOf<"property">) => address === lamp.address && property.id === "ST";
    await told(home(), () => lamp.send("DON", 75), "property", status);
    expect(lamp.value("ST")).toBe(75);
    await told(home(), () => lamp.send("DOF"), "property", status);
    expect(lamp.label("ST")).toBe("Off");
    // 28 or 29: half a second or less, so that no ramp takes its time.
    const rate = 57 - (lamp.value("RR") ?? 0);
    const isRate = ({ property }: EventOf<"property">) => property.id === "RR";
    await told(home(), () => lamp.send("RR", rate), "property", isRate);
    expect(lamp.value("RR")).toBe(rate);
  });

  test("C15 a scene switches its members", async () => {
    const { groups } = home();
    const scene = [...groups].find(({ hasDimmableMembers }) => hasDimmableMembers);
    await told(
      home(),
      async () => scene?.send("DON"),
      "property",
      () => scene?.anyOn === true,
    );
    await told(
      home(),
      async () => scene?.send("DOF"),
      "property",
      () => scene?.anyOn === false,
    );
  });

  test("C15 a node is disabled, enabled, renamed and queried", async () => {
    const node = home().node("Hall Keypad");
    await told(home(), () => node.disable(), "lifecycle");
    expect(node.enabled).toBe(false);
    expect(await failureOf(node.send("DON"))).toMatchObject({
      code: "HTTP_STATUS",
      status: 409,
      reason: "NODE_DISABLED",
    });
    await told(home(), () => node.enable(), "lifecycle");
    expect(node.enabled).toBe(true);
    for (const name of ["Küche & Co", "Hall Keypad"]) {
      expect(await told(home(), () => node.rename(name), "lifecycle")).toMatchObject({
        verb: "NN",
        info: { newName: name },
      });
    }
    await node.query();
    await home().query();
  });

  test("C15 scenes and folders are renamed", async () => {
    for (const thing of [...[...home().groups].slice(0, 1), ...[...home().folders].slice(0, 1)]) {
      const { name } = thing;
      await told(home(), () => thing.rename("Other"), "lifecycle");
      await home().refresh();
      expect(thing.name).toBe("Other");
      await told(home(), () => thing.rename(name), "lifecycle");
      await home().refresh();
      expect(thing.name).toBe(name);
    }
  });

  test("C15 a variable is written", async () => {
    const [variable] = home().variables;
    const { value = 0, init = 0 } = variable ?? {};
    await told(
      home(),
      async () => variable?.set(value + 3),
      "variable",
      ({ what }) => what === "value",
    );
    expect(variable?.value).toBe(value + 3);
    await told(
      home(),
      async () => variable?.setInit(init + 1),
      "variable",
      ({ what }) => what === "init",
    );
    expect(variable?.init).toBe(init + 1);
    await told(
      home(),
      async () => variable?.set(value),
      "variable",
      ({ what }) => what === "value",
    );
    await told(
      home(),
      async () => variable?.setInit(init),
      "variable",
      ({ what }) => what === "init",
    );
  });

  test("C15 a program takes its nine commands", async () => {
    const program = home().program("Morning Mirror");
    const own = ({ id }: EventOf<"program">) => id === program.id;
    // A command may bring several events, and those of the one before may come while the next is under way.
    const until = (isSo: () => boolean) => (event: EventOf<"program">) => own(event) && isSo();
    const disabled = until(() => program.enabled === false);
    await told(home(), () => program.disable(), "program", disabled);
    const enabled = until(() => program.enabled === true);
    await told(home(), () => program.enable(), "program", enabled);
    const atStartup = until(() => program.runAtStartup === true);
    await told(home(), () => program.enableRunAtStartup(), "program", atStartup);
    const notAtStartup = until(() => program.runAtStartup === false);
    await told(home(), () => program.disableRunAtStartup(), "program", notAtStartup);
    await told(
      home(),
      () => program.runThen(),
      "program",
      (event) => own(event) && program.running === "running then",
    );
    await told(
      home(),
      () => program.stop(),
      "program",
      (event) => own(event) && program.running === "idle",
    );
    expect(program.lastRunTime).toBe(new Date(controller.clock.now()).toISOString());
    await told(home(), () => program.runElse(), "program", own);
    await program.run();
    await program.runIf();
  });

  test("C15 a network resource is fired", async () => {
    const [resource] = home().resources;
    await resource?.fire();
    expect(await failureOf((async () => home().resource("Nothing").fire())())).toMatchObject({ code: "NOT_FOUND" });
  });

  test("C15 a radio device's parameters are read and written, a lock's codes set and deleted", async () => {
    const radio = home().node("ZW002_1").radio;
    expect(await radio?.readParameter(3)).toEqual({ size: 1, value: -1 });
    const event = await told(home(), async () => radio?.writeParameter(3, 1, 1), "parameter");
    expect(event).toMatchObject({ address: "ZW002_1", number: 3, size: 1, value: 1 });
    await radio?.writeParameter(3, -1, 1);
    const lock = [...home().nodes].find(({ nodedef }) => nodedef?.accepts.some(({ id }) => id === "SECMD"));
    await lock?.radio?.setUserCode(2, "471199");
    await lock?.radio?.deleteUserCode(2);
    expect(await failureOf((async () => radio?.setUserCode(2, "471199"))())).toMatchObject({ code: "HTTP_STATUS" });
  });

  test("C15 what the service refuses comes with its code and its sentence", async () => {
    const failure = await failureOf(
      home()
        .group([...home().groups][0]?.name ?? "")
        .send("BOGUS"),
    );
    expect(failure).toMatchObject({ code: "HTTP_STATUS", reason: "COMMAND_NOT_ACCEPTED" });
    expect(failure.message).toContain("BOGUS");
  });
});

describe("certificates", () => {
  const portalWith = (tls: Partial<NodeOptions>) =>
    connect({ url: controller.portal.url, ...account(OWNER), clock: controller.clock, ...tls });

  test("G4 the controller's authority is trusted when it is given, on every request and on the stream", async () => {
    await using home = await portalWith({ ca: controller.controller.caCertificate });
    await told(home, () => controller.clock.advance(20_000), "heartbeat");
    expect(home.stream.lastEventAtMs).not.toBeNull();
  });

  test("G4 without it the connection fails, and the failure says why", async () => {
    expect(await failureOf(portalWith({}))).toMatchObject({
      code: "CONNECTION_FAILED",
      reason: "SELF_SIGNED_CERT_IN_CHAIN",
    });
  });
});

describe("in portal mode", () => {
  test("C15 a variable is made, renamed, given another precision and removed", async () => {
    let key = "";
    await told(portal, async () => (key = await portal.variables.create(2, "Guests Today", 1)), "variables");
    const variable = portal.variable("Guests Today");
    expect(variable).toMatchObject({ key, value: 0, init: 0, prec: 1 });
    await told(portal, () => variable.set(2.5), "variable");
    expect(variable).toMatchObject({ value: 2.5, raw: 25 });
    await told(portal, () => variable.rename("Visitors"), "variables");
    expect(portal.variable("Visitors")).toBe(variable);
    await told(portal, () => variable.setPrecision(2), "variables");
    expect(variable.value).toBe(0.25);
    await told(portal, () => variable.remove(), "variables");
    expect(portal.variables.find("Visitors")).toBeNull();
  });

  test("C15 folders and programs are made, changed, moved and removed", async () => {
    const folderId = await portal.programs.addFolder({ name: "Winter" });
    const { tree, findings } = await portal.programs.addTree({
      name: "Frost",
      parent: Number.parseInt(folderId, 16),
      if: [],
      then: [{ type: "wait", minutes: 1 }],
      else: [],
    });
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([["NEVER_STARTS", "hint"]]);
    await portal.refresh();
    const program = portal.program("Winter/Frost");
    expect(Number.parseInt(program.id, 16)).toBe(tree.id);
    expect(portal.programs.trees.some(({ id }) => id === tree.id)).toBe(true);
    const then = [{ type: "wait", minutes: 2 }];
    expect((await portal.programs.replaceTree({ id: tree.id, if: [], then, else: [] })).tree.then).toEqual(then);
    expect((await program.tree()).then).toEqual(then);
    await program.update({ name: "Hard Frost", comment: "Pipes.", enabled: false });
    await portal.refresh();
    expect(portal.program("Winter/Hard Frost")).toMatchObject({ enabled: false });
    expect(await failureOf(program.update({ name: "x", version: 1 }))).toMatchObject({
      reason: "CONFLICT",
      status: 409,
    });
    await program.remove();
    await portal.program("Winter").remove();
    await portal.refresh();
    expect(portal.programs.find("Winter")).toBeNull();
  });

  test("C15 a program as text is read, tried, applied and verified", async () => {
    const text = await portal.program("Morning Mirror").text();
    const changed = text.replace("70%", "60%");
    const tried = await portal.programs.applyText(changed, { dryRun: true });
    expect(tried).toMatchObject({ id: portal.program("Morning Mirror").id, before: text });
    expect(await portal.program("Morning Mirror").text()).toBe(text);
    await portal.programs.applyText(changed);
    expect(await portal.program("Morning Mirror").text()).toContain("60%");
    expect(await portal.programs.verify()).toEqual([]);
    const loop = "Program 'Loop'\nThen\n  Set 'Porch Light' 'On' 50%";
    expect((await portal.programs.verify({ text: loop })).map(({ code }) => code)).toContain("PARAMETER_REFUSED");
    expect(await failureOf(portal.programs.applyText("nonsense"))).toMatchObject({ reason: "BAD_PROGRAM_TEXT" });
    await portal.programs.applyText(text);
  });

  test("G5 a session without a home logs in, asks, and is refused without good credentials", async () => {
    const options = { url: controller.portal.url, ...account(OWNER), insecure: true, clock: controller.clock };
    await using session = await login(options);
    expect(session.config.version).toBe(portal.config.version);
    expect(await session.request("GET", "/api/variables/2")).toMatchObject({ successful: true });
    expect(await session.document("/rest/ping")).toContain("RestResponse");
    expect(await failureOf(session.document("/rest/nothing"))).toMatchObject({ reason: "PATH_UNKNOWN" });
    const refused = await failureOf(login({ ...options, password: "a guess at random" }));
    expect(refused).toMatchObject({ code: "AUTH_FAILED", reason: "LOGIN_FAILED", status: 401 });
  });

  test("C15 a token that ended is renewed", async () => {
    await using home = await open("portal", { stream: "off" });
    await controller.clock.advance(3_600_000);
    await home.query();
  });

  test("C15 who follows the stream has what a fresh load has", async () => {
    await told(portal, () => controller.clock.advance(20_000), "heartbeat");
    await using fresh = await open("portal", { stream: "off" });
    expect(portal.snapshot()).toEqual(fresh.snapshot());
  });
});
