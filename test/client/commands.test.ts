/** How commands and changes go out, and what their answers mean. @see client/RULES.md */

import { describe, expect, test } from "vitest";
import { connectTo, failureOf, startStage } from "./support/connected.ts";
import { serveLocal } from "./support/local-home.ts";
import { json, type Scripted, text } from "./support/scripted-server.ts";

type Home = Awaited<ReturnType<typeof connectTo>>;

/** The request that is sent: method, path and body. */
async function sentBy(act: (home: Home) => Promise<unknown>, mode: "portal" | "local" = "portal"): Promise<string> {
  await using stage = await startStage();
  serveLocal(stage.server);
  stage.server.on("PUT /api/variables/2", json({ id: "9", name: "x" }));
  await using home = await connectTo(stage, { mode });
  const before = stage.server.seen.length;
  await act(home);
  const { method, path, body } = stage.server.seen[before] ?? { method: "", path: "", body: "" };
  return `${method} ${path} ${body}`.trim();
}

const FAILED = text(
  '<RestResponse succeeded="false"><status>404</status><reason code="DEVICE_TIMEOUT">It sleeps.</reason></RestResponse>',
);

describe("nodes and scenes", () => {
  test.each([
    ["without a value", ["DON"], "DON"],
    ["a level in the editor's unit", ["DON", 40], "DON/40/51"],
    ["the label of a choice", ["RR", "0.1 SECONDS"], "RR/31/25"],
    ["a value with its unit", ["DON", { value: 12, uom: 51 }], "DON/12/51"],
  ])("C1 C2 %s", async (_what, values, tail) => {
    const [command = "", ...rest] = values as [string, ...number[]];
    expect(await sentBy((home) => home.node("Porch Lantern").send(command, ...rest))).toBe(
      `GET /rest/nodes/5C%202%20D1%201/cmd/${tail}`,
    );
  });

  test("C2 several values, each in the unit of its parameter, and fractions without noise", async () => {
    expect(await sentBy((home) => home.node("Stairs").send("DON", 101, 3))).toBe(
      "GET /rest/nodes/ZW002_1/cmd/DON/101/51/3/58",
    );
    expect(await sentBy((home) => home.node("Greenhouse").send("SETT", 0.1 + 0.2))).toBe(
      "GET /rest/nodes/n007_meter/cmd/SETT/0.3/17",
    );
    expect(await sentBy((home) => home.node("Greenhouse").send("SETT", -12.5))).toContain("/SETT/-12.5/17");
  });

  test("C2 every command of the nodedef is a method in lower case", async () => {
    type Typed = { readonly don: (level: number) => Promise<void> };
    const act = (home: Home) => (home.node("Porch Lantern") as unknown as Typed).don(40);
    expect(await sentBy(act)).toBe("GET /rest/nodes/5C%202%20D1%201/cmd/DON/40/51");
  });

  test.each([
    ["a command that is not accepted", "Porch Lantern", ["BEEP"], "COMMAND_NOT_ACCEPTED"],
    ["a value out of range", "Porch Lantern", ["DON", 101], "BAD_PARAMETER"],
    ["a value that is not among the choices", "Porch Lantern", ["RR", 32], "BAD_PARAMETER"],
    ["an unknown label", "Porch Lantern", ["RR", "soon"], "BAD_PARAMETER"],
    ["another unit", "Porch Lantern", ["DON", { value: 1, uom: 17 }], "BAD_PARAMETER"],
    ["one value too many", "Porch Lantern", ["DON", 1, 2], "BAD_PARAMETER"],
    ["a value too few", "Porch Lantern", ["RR"], "BAD_PARAMETER"],
    ["no number at all", "Porch Lantern", ["DON", Number.NaN], "BAD_PARAMETER"],
  ])("C2 %s is refused before anything is sent", async (_what, name, values, code) => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    const before = stage.server.seen.length;
    const [command = "", ...rest] = values as [string, ...number[]];
    expect(await failureOf(home.node(name).send(command, ...rest))).toMatchObject({ code });
    expect(stage.server.seen).toHaveLength(before);
  });

  test("C3 without a nodedef numbers go out whole and without a unit, labels are refused", async () => {
    const unknown = json({ nodes: { node: [{ address: "X/1", nodeDefId: "Unknown" }], group: [], folder: [] } });
    await using stage = await startStage();
    stage.server.on("GET /api/nodes", unknown);
    await using home = await connectTo(stage);
    await home.node("X/1").send("DON", 40.9, 2);
    expect(stage.server.paths().at(-1)).toBe("GET /rest/nodes/X%2F1/cmd/DON/40/2");
    expect(await failureOf(home.node("X/1").send("DON", "On"))).toMatchObject({ code: "BAD_PARAMETER" });
  });

  test.each([
    ["DOF", [], "DOF"],
    ["DON", [40], "DON/40"],
    ["DON", [140], "DON/100"],
    ["DON", [-3], "DON/0"],
    ["CLIMD", [300], "CLIMD/300"],
  ])(
    "C4 a scene takes %s %j, with its level kept within 0 and 100 and nothing else checked",
    async (command, values, tail) => {
      expect(await sentBy((home) => home.group("Evening").send(command, ...values))).toBe(
        `GET /rest/nodes/31777/cmd/${tail}`,
      );
    },
  );

  test("C5 an answer that says that it failed is a failure, with the controller's reason", async () => {
    await using stage = await startStage();
    stage.server.on("GET /rest/nodes/5C%202%20D1%201/cmd/DOF", FAILED);
    await using home = await connectTo(stage);
    expect(await failureOf(home.node("Porch Lantern").send("DOF"))).toMatchObject({
      code: "REFUSED",
      reason: "DEVICE_TIMEOUT",
      status: 404,
      message: "It sleeps.",
    });
  });

  test.each(["", "OK", '<RestResponse status="200"/>', "<html>", '<RestResponse succeeded="true"/>'])(
    "C5 the answer %j is an acknowledgement",
    async (body) => {
      await using stage = await startStage();
      stage.server.on("GET /rest/nodes/5C%202%20D1%201/cmd/DOF", text(body));
      await using home = await connectTo(stage);
      await home.node("Porch Lantern").send("DOF");
      expect(stage.server.count("GET /rest/nodes/5C%202%20D1%201/cmd/DOF")).toBe(1);
    },
  );

  test("C6 a rename names the kind, in local mode it is the legacy one", async () => {
    expect(await sentBy((home) => home.node("Shed").rename("Hut"))).toBe(
      'POST /api/nodes/61%209%20B%201 {"name":"Hut","nodeType":"node"}',
    );
    expect(await sentBy((home) => home.group("Evening").rename("Dusk"))).toBe(
      'POST /api/nodes/31777 {"name":"Dusk","nodeType":"group"}',
    );
    expect(await sentBy((home) => home.folders.get("Beds").rename("Pots"))).toBe(
      'POST /api/nodes/31201 {"name":"Pots","nodeType":"folder"}',
    );
    expect(await sentBy((home) => home.node("Shed").rename("A & B"), "local")).toBe(
      "GET /rest/nodes/61%209%20B%201/change?name=A%20%26%20B",
    );
  });

  test("C12 enabling, disabling, and asking for states", async () => {
    expect(await sentBy((home) => home.node("Shed").enable())).toBe("GET /rest/nodes/61%209%20B%201/enable");
    expect(await sentBy((home) => home.node("Shed").disable())).toBe("GET /rest/nodes/61%209%20B%201/disable");
    expect(await sentBy((home) => home.node("Shed").query())).toBe("GET /rest/query/61%209%20B%201");
    expect(await sentBy((home) => home.query())).toBe("GET /rest/query");
  });

  test("C17 what a person does at a simulated device, and what can be done there", async () => {
    await using stage = await startStage();
    stage.server.on("GET /api/nodes/61%209%20B%201/act", json({ actions: ["DON", "DOF"] }));
    await using home = await connectTo(stage);
    expect(await home.node("Shed").actions()).toEqual(["DON", "DOF"]);
    const path = "POST /api/nodes/61%209%20B%201/act";
    expect(await sentBy((other) => other.node("Shed").act("DON"))).toBe(`${path} {"control":"DON"}`);
    expect(await sentBy((other) => other.node("Shed").act("CODE", 3))).toBe(`${path} {"control":"CODE","value":3}`);
  });

  test("C13 nothing here changes by sending", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    const before = JSON.stringify(home.snapshot());
    await home.node("Porch Lantern").send("DOF");
    await home.node("Shed").enable();
    await home.node("Shed").rename("Hut");
    await home.variable("Target").set(1);
    expect(JSON.stringify(home.snapshot())).toBe(before);
  });
});

describe("variables, programs, resources", () => {
  test("C7 exactly one member, numbers raw and whole, in local mode by the legacy paths", async () => {
    expect(await sentBy((home) => home.variable("Target").set(20.96))).toBe('POST /api/variables/2/7 {"value":210}');
    expect(await sentBy((home) => home.variable("Target").setInit(-1))).toBe('POST /api/variables/2/7 {"init":-10}');
    expect(await sentBy((home) => home.variable("Target").rename("Goal"))).toBe(
      'POST /api/variables/2/7 {"name":"Goal"}',
    );
    expect(await sentBy((home) => home.variable("Target").setPrecision(2))).toBe('POST /api/variables/2/7 {"prec":2}');
    expect(await sentBy((home) => home.variable("Target").remove())).toBe("DELETE /api/variables/2/7");
    expect(await sentBy((home) => home.variable("Boost").set(3), "local")).toBe("GET /rest/vars/set/1/7/3");
    expect(await sentBy((home) => home.variable("Boost").setInit(3), "local")).toBe("GET /rest/vars/init/1/7/3");
  });

  test("C8 a new variable has a name, and a precision only when it is not 0", async () => {
    expect(await sentBy((home) => home.variables.create(2, "Guests"))).toBe('PUT /api/variables/2 {"name":"Guests"}');
    expect(await sentBy((home) => home.variables.create(2, "Guests", 1))).toBe(
      'PUT /api/variables/2 {"name":"Guests","prec":1}',
    );
  });

  test("C8 its key is made of the id that the controller gave; without one it is a failure", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    stage.server.on("PUT /api/variables/1", json({ id: 12 }));
    expect(await home.variables.create(1, "Guests")).toBe("1.12");
    stage.server.on("PUT /api/variables/1", json(null));
    expect(await failureOf(home.variables.create(1, "Guests"))).toMatchObject({ code: "BAD_DOCUMENT" });
  });

  test("C8 a write that is answered 200 and says that it failed is a failure; an empty answer is none", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    stage.server.on("POST /api/variables/2/7", text('{"successful":false,"error":"No.","code":"BAD_VALUE"}'));
    expect(await failureOf(home.variable("Target").set(1))).toMatchObject({ code: "REFUSED", reason: "BAD_VALUE" });
    stage.server.on("POST /api/variables/2/7", { status: 204 });
    await home.variable("Target").set(1);
  });

  test.each([
    "run",
    "runIf",
    "runThen",
    "runElse",
    "stop",
    "enable",
    "disable",
    "enableRunAtStartup",
    "disableRunAtStartup",
  ] as const)("C9 the program command %s", async (command) => {
    expect(await sentBy((home) => home.program("Dusk")[command]())).toBe(`GET /rest/programs/001C/${command}`);
  });

  test("C10 firing a network resource", async () => {
    expect(await sentBy((home) => home.resource("Ring Chime").fire())).toBe("GET /rest/networking/resources/3");
  });

  test("C14 what local mode does not have is refused before anything is sent", async () => {
    await using stage = await startStage();
    serveLocal(stage.server);
    await using home = await connectTo(stage, { mode: "local" });
    const before = stage.server.seen.length;
    const asked = [
      home.variables.create(1, "x"),
      home.node("Shed").actions(),
      home.node("Shed").act("DON"),
      home.variable("Boost").rename("x"),
      home.variable("Boost").setPrecision(1),
      home.variable("Boost").remove(),
      home.programs.addFolder({ name: "x" }),
      home.programs.addTree({}),
      home.programs.replaceTree({}),
      home.programs.applyText("x"),
      home.programs.verify(),
      home.program("Dusk").tree(),
      home.program("Dusk").text(),
      home.program("Dusk").update({ name: "x" }),
      home.program("Dusk").remove(),
    ];
    const codes = await Promise.all(asked.map(async (each) => (await failureOf(each)).code));
    expect(new Set(codes)).toEqual(new Set(["NOT_IN_LOCAL_MODE"]));
    expect(stage.server.seen).toHaveLength(before);
  });
});

describe("radio devices", () => {
  test.each([
    ["4", "/rest/zwave"],
    ["12", "/rest/zmatter/zwave"],
  ])("C11 of family %s are under %s", async (family, prefix) => {
    await using stage = await startStage();
    stage.server.on("GET /api/nodes", json({ nodes: { node: [{ address: "Z 1", family }], group: [], folder: [] } }));
    stage.server.on(`GET ${prefix}/node/Z%201/config/query/7`, text('<config paramNum="7" size="2" value="-5"/>'));
    stage.server.on(`GET ${prefix}/node/Z%201/config/set/3/-1/1`, text("<RestResponse/>"));
    stage.server.on(`GET ${prefix}/node/Z%201/security/user/2/set/code/4711`, text("<RestResponse/>"));
    stage.server.on(`GET ${prefix}/node/Z%201/security/user/2/delete`, text("<RestResponse/>"));
    await using home = await connectTo(stage);
    const radio = home.node("Z 1").radio;
    expect(await radio?.readParameter(7)).toEqual({ size: 2, value: -5 });
    await radio?.writeParameter(3, -1, 1);
    await radio?.setUserCode(2, "4711");
    await radio?.deleteUserCode(2);
  });

  test("C11 other nodes have no radio", async () => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    expect(home.node("Porch Lantern").radio).toBeNull();
  });

  test.each([0, 3, 8])("C11 a size of %i bytes is refused before anything is sent", async (size) => {
    await using stage = await startStage();
    await using home = await connectTo(stage);
    const failure = await failureOf((async () => home.node("Stairs").radio?.writeParameter(1, 1, size))());
    expect(failure).toMatchObject({ code: "BAD_PARAMETER" });
  });

  const unreadable: readonly (readonly [string, Scripted, string])[] = [
    ["refused", FAILED, "REFUSED"],
    ["an acknowledgement without the value", text("<RestResponse/>"), "BAD_DOCUMENT"],
    ["without a value", text('<config paramNum="7" size="2"/>'), "BAD_DOCUMENT"],
    ["half", text("<config"), "BAD_DOCUMENT"],
  ];

  test.each(unreadable)("C11 a parameter whose answer is %s cannot be read", async (_what, answer, code) => {
    await using stage = await startStage();
    stage.server.on("GET /rest/zwave/node/ZW002_1/config/query/7", answer);
    await using home = await connectTo(stage);
    expect(await failureOf((async () => home.node("Stairs").radio?.readParameter(7))())).toMatchObject({ code });
  });
});
