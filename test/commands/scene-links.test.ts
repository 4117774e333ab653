/** Members of scenes and their links: levels and ramps as people say them become what a node takes. */

import { describe, expect, test } from "vitest";
import {
  addMember,
  captureScene,
  createScene,
  nodeRoles,
  removeMember,
  setLink,
  setTarget,
} from "../../src/commands/edit-scenes.ts";
import { removeNode } from "../../src/commands/edit-tree.ts";
import { checkLink, linkTo, targetNow } from "../../src/commands/scene-links.ts";
import {
  type CommandServices,
  codeOf,
  command,
  createServices,
  nodedef,
  parameter,
  REQUEST,
  range,
  report,
  spec,
} from "./command-services.ts";

const SPEEDS = new Map([
  [28, "0.5 seconds"],
  [23, "2 seconds"],
  [2, "4 minutes"],
]);
const [FIRST, SECOND, THIRD] = ["ZW000_1", "ZW001_1", "ZW002_1"] as const;
const LEVEL = parameter("", "PERCENT");
const RAMP = parameter("RR", "SPEED");
const linkdef = (id: string, cmd: boolean, ...parameters: readonly ("OL" | "RR")[]) => ({
  ...{ id, name: id, protocol: "test", cmd, format: null },
  parameters: parameters.map((each) => ({ id: each, editor: each === "OL" ? "PERCENT" : "SPEED", name: each })),
});
const DEFINITIONS = {
  nodedefs: [
    nodedef("RELAY", command("DON"), command("DOF")),
    nodedef("LEVEL", command("DON", LEVEL), command("DOF")),
    nodedef("SPEED", command("DON", RAMP), command("DOF", RAMP)),
    nodedef("BOTH", command("DON", LEVEL, RAMP), command("DOF", RAMP)),
    nodedef("COVER", command("FDUP")),
    nodedef("SECONDS", command("DON", parameter("RR", "SECONDS")), command("DOF")),
    nodedef("SENSOR", command("QUERY")),
    { ...nodedef("LINKED"), controlLinks: ["LIST"] },
    { ...nodedef("BUTTON"), sends: [command("DON")] },
    { ...nodedef("KEYPAD", command("QUERY"), command("DON")), sends: [command("DON")] },
    { ...nodedef("DIMS", command("DON"), command("DOF")), respondLinks: ["LIST", "LEVELS"] },
    { ...nodedef("FADES", command("DON"), command("DOF")), respondLinks: ["FADE"] },
    nodedef("NEEDS", command("DON", LEVEL), command("DOF", RAMP), command("SET", { ...LEVEL, optional: false }, RAMP)),
  ],
  linkdefs: [linkdef("LIST", true), linkdef("LEVELS", false, "OL"), linkdef("FADE", false, "OL", "RR")],
  editors: [
    { id: "PERCENT", ranges: [range(51, 0, 100)] },
    { id: "SECONDS", ranges: [{ ...range(58, 0, 100), prec: 1 }] },
    { id: "SPEED", ranges: [{ ...range(25, 0, 31), names: SPEEDS }] },
  ],
};
const PLAIN = { kind: "default", node: SECOND } as const;
const level = (value: number) => ({ id: "", value, uom: 51, prec: 0 });
const ramp = (value: number) => ({ id: "RR", value, uom: 25, prec: 0 });

/** Nodes ZW000_1, ZW001_1, … */
async function servicesWith(...nodeDefIds: readonly string[]): Promise<CommandServices> {
  const services = await createServices();
  services.host.define(4, 2, DEFINITIONS, false);
  for (const [index, id] of nodeDefIds.entries()) services.host.node(spec(`ZW00${index}_1`, id, { instance: 2 }));
  return services;
}

describe("a link by level and ramp", () => {
  test.each([
    ["RELAY", 100, null, "DON", []],
    ["RELAY", 0, null, "DOF", []],
    ["LEVEL", 60, null, "DON", [level(60)]],
    ["LEVEL", 0, null, "DOF", []],
    ["SPEED", 100, null, "DON", []],
    ["SPEED", 100, 3, "DON", [ramp(23)]],
    ["SPEED", 0, 200, "DOF", [ramp(2)]],
    ["SPEED", 0, null, "DOF", []],
    ["BOTH", 60, null, "DON", [level(60)]],
    ["BOTH", 60, 0.1, "DON", [level(60), ramp(28)]],
    ["BOTH", 0, 2, "DOF", [ramp(23)]],
  ])("%s at %d % in %s s is %s %j", async (nodeDefId, levelPercent, rampS, id, parameters) => {
    const services = await servicesWith(nodeDefId);
    const link = linkTo(services, FIRST, { levelPercent, rampS });
    expect(link).toEqual({ kind: "cmd", node: FIRST, command: id, parameters });
  });

  test.each([
    [
      "of a command stays when only the level changes",
      "BOTH",
      30,
      null,
      { command: "DON", parameters: [level(30), ramp(23)] },
    ],
    ["of a command is removed with the command", "BOTH", 0, null, { command: "DOF", parameters: [] }],
    ["of a command is replaced by a new one", "BOTH", 30, 200, { command: "DON", parameters: [level(30), ramp(2)] }],
    [
      "of the device stays when only the level changes",
      "FADES",
      30,
      null,
      { parameters: [{ ...level(30), id: "OL" }, ramp(23)] },
    ],
  ])("the ramp %s", async (_claim, nodeDefId, levelPercent, rampS, expected) => {
    const services = await servicesWith(nodeDefId);
    const before = linkTo(services, FIRST, { levelPercent: 60, rampS: 2 });
    expect(linkTo(services, FIRST, { levelPercent, rampS }, before)).toMatchObject(expected);
  });

  test.each([
    ["DIMS", 60, null, "LEVELS", [{ ...level(60), id: "OL" }]],
    ["FADES", 60, null, "FADE", [{ ...level(60), id: "OL" }, ramp(28)]],
    ["FADES", 0, 3, "FADE", [{ ...level(0), id: "OL" }, ramp(23)]],
  ])("%s at %d % in %s s is a link %s of the device %j", async (nodeDefId, levelPercent, rampS, id, parameters) => {
    const services = await servicesWith(nodeDefId);
    const link = linkTo(services, FIRST, { levelPercent, rampS });
    expect(link).toEqual({ kind: "native", node: FIRST, linkdef: id, parameters });
  });

  test.each([
    ["a link of the device", "FADES", 60, 60],
    ["a command", "BOTH", 60, 60],
    ["a command that switches off", "BOTH", 0, 0],
  ])("the level of %s stays when only the ramp changes", async (_what, nodeDefId, levelPercent, expected) => {
    const services = await servicesWith(nodeDefId);
    const before = linkTo(services, FIRST, { levelPercent, rampS: null });
    const link = linkTo(services, FIRST, { levelPercent: null, rampS: 2 }, before);
    expect(link).toEqual(linkTo(services, FIRST, { levelPercent: expected, rampS: 2 }));
  });

  test("a link without a level before is fully on", async () => {
    const services = await servicesWith("BOTH");
    for (const before of [null, { kind: "default", node: FIRST } as const]) {
      const link = linkTo(services, FIRST, { levelPercent: null, rampS: null }, before);
      expect(link).toMatchObject({ command: "DON", parameters: [level(100)] });
    }
  });

  test("a ramp in seconds is that of the device in tenths", async () => {
    const services = await servicesWith("SECONDS");
    const parameters = [{ id: "RR", value: 25, uom: 58, prec: 1 }];
    const link = linkTo(services, FIRST, { levelPercent: 100, rampS: 2.5 });
    expect(link).toEqual({ kind: "cmd", node: FIRST, command: "DON", parameters });
  });

  test("the ramp of a command is not kept by a link of the device", async () => {
    const services = await servicesWith("FADES");
    const before = { kind: "cmd", node: FIRST, command: "DON", parameters: [ramp(23)] } as const;
    const link = linkTo(services, FIRST, { levelPercent: 30, rampS: null }, before);
    expect(link).toMatchObject({ kind: "native", parameters: [{ ...level(30), id: "OL" }, ramp(28)] });
  });

  test.each([
    ["RELAY", 50, null, "BAD_PARAMETER"],
    ["DIMS", 60, 2, "BAD_PARAMETER"],
    ["FADES", 101, null, "BAD_PARAMETER"],
    ["RELAY", 100, 2, "BAD_PARAMETER"],
    ["RELAY", 0, 2, "BAD_PARAMETER"],
    ["SPEED", 50, null, "BAD_PARAMETER"],
    ["LEVEL", 60, 2, "BAD_PARAMETER"],
    ["LEVEL", 101, null, "BAD_PARAMETER"],
    ["COVER", 100, null, "COMMAND_NOT_ACCEPTED"],
    ["UNKNOWN", 100, null, "COMMAND_NOT_ACCEPTED"],
  ])("%s takes neither %d % nor %s s: %s", async (nodeDefId, levelPercent, rampS, code) => {
    const services = await servicesWith(nodeDefId);
    const link = async () => linkTo(services, FIRST, { levelPercent, rampS });
    expect(await codeOf(link())).toBe(code);
  });
});

test.each([
  ["with what it needs", "SET", [level(60)], "none"],
  ["with more than that", "SET", [level(60), ramp(23)], "none"],
  ["without what it needs", "SET", [ramp(23)], "BAD_PARAMETER"],
  ["without what it may have", "DON", [], "none"],
  ["with a parameter twice", "DON", [level(60), level(60)], "BAD_PARAMETER"],
  ["with a parameter of another command", "DOF", [level(60)], "BAD_PARAMETER"],
  ["out of range", "DON", [level(101)], "BAD_PARAMETER"],
  ["that the node does not accept", "BEEP", [], "COMMAND_NOT_ACCEPTED"],
])("a link by a command %s: %s %j is %s", async (_claim, id, parameters, code) => {
  const services = await servicesWith("NEEDS");
  const check = async () => checkLink(services, { kind: "cmd", node: FIRST, command: id, parameters });
  expect(await codeOf(check())).toBe(code);
});

test.each([
  [[level(60), level(60)], 'The parameter "" is given twice.'],
  [[level(60), { ...level(60), id: "XX" }], 'The parameter "XX" is unknown to this link.'],
])("the error of a link with %j", async (parameters, message) => {
  const services = await servicesWith("NEEDS");
  const check = () => checkLink(services, { kind: "cmd", node: FIRST, command: "DON", parameters });
  expect(check).toThrow(message);
});

test("a link to a node of an unknown kind may have any command", async () => {
  const services = await servicesWith("UNKNOWN");
  const link = { kind: "cmd", node: FIRST, command: "BEEP", parameters: [level(101)] } as const;
  expect(() => checkLink(services, link)).not.toThrow();
});

test.each([
  ["RELAY", false, true],
  ["COVER", false, true],
  ["SENSOR", false, false],
  ["BUTTON", true, false],
  ["KEYPAD", true, true],
  ["LINKED", true, false],
  ["DIMS", false, true],
  ["UNKNOWN", true, true],
])("a %s may be a controller of a scene: %s; a responder: %s", async (nodeDefId, controls, responds) => {
  const services = await servicesWith(nodeDefId);
  const { address } = await createScene(services, { name: "Evening", parent: null }, REQUEST);
  expect(nodeRoles(services, FIRST)).toEqual({ availableAsController: controls, availableAsResponder: responds });
  const add = (isController: boolean) =>
    codeOf(addMember(services, address, { address: FIRST, isController, target: null }, REQUEST));
  const code = (may: boolean) => (may ? "none" : "BAD_REQUEST");
  expect([await add(true), await add(false)]).toEqual([code(controls), code(responds)]);
});

test("a node controls one scene and responds in any number", async () => {
  const services = await servicesWith("KEYPAD", "RELAY");
  const scene = async (name: string) => (await createScene(services, { name, parent: null }, REQUEST)).address;
  const [evening, night] = [await scene("Evening"), await scene("Night")];
  const add = (address: string, node: string, isController: boolean) =>
    codeOf(addMember(services, address, { address: node, isController, target: null }, REQUEST));
  expect(await add(evening, SECOND, false)).toBe("none");
  expect(await add(evening, FIRST, true)).toBe("none");
  expect(nodeRoles(services, FIRST).availableAsController).toBe(false);
  expect([await add(night, FIRST, true), await add(night, FIRST, false), await add(evening, FIRST, true)]).toEqual([
    "CONFLICT",
    "none",
    "none",
  ]);
  expect(await codeOf((async () => nodeRoles(services, "nowhere"))())).toBe("NODE_NOT_FOUND");
});

test("a new level of a member keeps its own ramp", async () => {
  const services = await servicesWith("BOTH", "BOTH");
  const { address } = await createScene(services, { name: "Evening", parent: null }, REQUEST);
  for (const [node, rampS] of [
    [SECOND, 200],
    [FIRST, 2],
  ] as const) {
    const target = { levelPercent: 60, rampS };
    await addMember(services, address, { address: node, isController: false, target }, REQUEST);
  }
  const target = { levelPercent: 30, rampS: null };
  const { blocks } = await setTarget(services, address, address, { node: FIRST, target }, REQUEST);
  const link = (node: string, percent: number, speed: number) => {
    return { kind: "cmd", node, command: "DON", parameters: [level(percent), ramp(speed)] };
  };
  expect(blocks).toEqual([{ controller: address, links: [link(SECOND, 60, 2), link(FIRST, 30, 23)] }]);
});

test("a scene that there is not cannot be edited", async () => {
  const services = await servicesWith("RELAY");
  const refusal = { code: "NODE_NOT_FOUND", message: 'There is no scene with the address "31777".' };
  await expect(captureScene(services, "31777", REQUEST)).rejects.toMatchObject(refusal);
  await expect(removeMember(services, "31777", FIRST, REQUEST)).rejects.toMatchObject(refusal);
});

test("a controller has links of its own, which go when it only responds", async () => {
  const services = await servicesWith("KEYPAD", "RELAY", "BUTTON");
  const { address } = await createScene(services, { name: "Evening", parent: null }, REQUEST);
  const add = (node: string, isController: boolean) =>
    addMember(services, address, { address: node, isController, target: null }, REQUEST);
  const own = (node: string) => ({ kind: "default", node }) as const;
  await add(SECOND, false);
  await add(FIRST, true);
  const links = [own(SECOND), own(FIRST)];
  expect(services.home.groups.get(address)?.blocks).toEqual([
    { controller: FIRST, links: [own(FIRST), own(SECOND)] },
    { controller: address, links },
  ]);
  await add(THIRD, true);
  expect(services.home.groups.get(address)?.blocks.map(({ controller }) => controller)).toEqual([
    FIRST,
    THIRD,
    address,
  ]);
  // A button takes no commands, so commands to the scene do not reach it.
  expect(services.home.groups.get(address)?.blocks.find(({ controller }) => controller === address)?.links).toEqual(
    links,
  );
  await add(FIRST, false);
  expect(services.home.groups.get(address)?.blocks.map(({ controller }) => controller)).toEqual([THIRD, address]);
  expect(services.home.groups.get(address)?.members).toEqual([
    { address: SECOND, isController: false },
    { address: FIRST, isController: false },
    { address: THIRD, isController: true },
  ]);
});

test("a link has members at both ends", async () => {
  const services = await servicesWith("RELAY", "RELAY", "RELAY");
  const members = [FIRST, SECOND].map((address) => ({ address, isController: true }));
  const group = { address: "31777", name: "Evening", parent: null, deviceGroup: 1, members, blocks: [] };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  const set = (controller: string, node: string) =>
    codeOf(setLink(services, "31777", controller, { kind: "default", node }, REQUEST));
  expect([
    await set("31777", THIRD),
    await set(FIRST, THIRD),
    await set(THIRD, FIRST),
    await set(SECOND, FIRST),
  ]).toEqual(["NODE_NOT_FOUND", "NODE_NOT_FOUND", "NODE_NOT_FOUND", "none"]);
});

test("a change of the link of a node that a scene links twice replaces both links", async () => {
  const services = await servicesWith("RELAY", "RELAY");
  const members = [FIRST, SECOND].map((address) => ({ address, isController: false }));
  const command = (id: string) => ({ kind: "cmd", node: FIRST, command: id, parameters: [] }) as const;
  const other = { kind: "default", node: SECOND } as const;
  const blocks = [{ controller: "31777", links: [command("DON"), other, command("DOF")] }];
  const group = { address: "31777", name: "Evening", parent: null, deviceGroup: 1, members, blocks };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  const changed = { kind: "ignore", node: FIRST } as const;
  await setLink(services, "31777", "31777", changed, REQUEST);
  expect(services.home.groups.get("31777")?.blocks).toEqual([{ controller: "31777", links: [changed, other] }]);
});

test.each([
  [0, 78, 0],
  [100, 78, 100],
  [1, 2, 100],
  [0, 2, 0],
  [45, 51, 45],
  [128, 100, 50],
  [101, 51, null],
  [-1, 51, null],
  [20, 17, null],
])("the present value %d of unit %d is the level %s", async (value, uom, levelPercent) => {
  const services = await servicesWith("LEVEL");
  services.host.report([report(FIRST, value, { uom })]);
  const node = services.home.nodes.get(FIRST);
  expect(node && targetNow(node)).toEqual(levelPercent === null ? null : { levelPercent, rampS: null });
});

test("a member that is added again keeps its link, unless a new one is given", async () => {
  const services = await servicesWith("LEVEL");
  const { address } = await createScene(services, { name: "Evening", parent: null }, REQUEST);
  const add = async (levelPercent: number | null) => {
    const target = levelPercent === null ? null : { levelPercent, rampS: null };
    const { blocks } = await addMember(services, address, { address: FIRST, isController: false, target }, REQUEST);
    return blocks[0]?.links;
  };
  const link = (percent: number) => [{ kind: "cmd", node: FIRST, command: "DON", parameters: [level(percent)] }];
  expect([await add(60), await add(null), await add(30)]).toEqual([link(60), link(60), link(30)]);
});

test("a scene stores the present levels; members without a level keep their link and are listed", async () => {
  const services = await servicesWith("LEVEL", "LEVEL", "COVER", "RELAY");
  const { feed, home, host } = services;
  const addresses = [FIRST, SECOND, THIRD, "ZW003_1"];
  const members = addresses.map((address) => ({ address, isController: false }));
  const before = linkTo(services, SECOND, { levelPercent: 30, rampS: null });
  const blocks = [
    { controller: FIRST, links: [PLAIN] },
    { controller: "31777", links: [before, { kind: "default", node: "ZW003_1" } as const] },
  ];
  const group = { address: "31777", name: "Evening", parent: null, deviceGroup: 1, members, blocks };
  feed.commit({ type: "group-added", group }, REQUEST);
  host.report([report(FIRST, 60), report(THIRD, 50), report("ZW003_1", 0)]);
  const { skipped } = await captureScene(services, "31777", REQUEST);
  // The second node has not reported yet, and the third one cannot be switched.
  expect(skipped).toEqual([SECOND, THIRD]);
  expect(home.groups.get("31777")?.blocks).toEqual([
    { controller: FIRST, links: [PLAIN] },
    {
      controller: "31777",
      links: [
        before,
        { kind: "cmd", node: "ZW003_1", command: "DOF", parameters: [] },
        { kind: "cmd", node: FIRST, command: "DON", parameters: [level(60)] },
      ],
    },
  ]);
});

test("a member whose node does not exist any more is removed, under its address", async () => {
  const services = await createServices();
  const members = [{ address: "GONE", isController: false }];
  const group = { address: "31777", name: "Evening", parent: null, deviceGroup: 1, members, blocks: [] };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  await removeMember(services, "31777", "GONE", REQUEST);
  expect(services.home.groups.get("31777")?.members).toEqual([]);
  expect([...services.home.edits.values()].map(({ title }) => title)).toEqual([
    'Remove "GONE" from the scene "Evening"',
  ]);
});

type Removal = (services: CommandServices) => Promise<unknown>;

test.each<[string, Removal]>([
  ["a removed node leaves its scenes", (services) => removeNode(services, FIRST, REQUEST)],
  ["a removed member leaves its scene", (services) => removeMember(services, "31777", FIRST, REQUEST)],
])("%s, with the links to it and those that it controlled", async (_what, remove) => {
  const services = await servicesWith("RELAY", "LEVEL", "BOTH");
  const links = [FIRST, SECOND].map((node) => ({ kind: "default", node }) as const);
  const members = [FIRST, SECOND, THIRD].map((address) => ({ address, isController: address !== SECOND }));
  const blocks = ["31777", FIRST, THIRD].map((controller) => ({ controller, links }));
  const group = { address: "31777", name: "Evening", parent: null, deviceGroup: 1, members, blocks };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  await remove(services);
  const left = [{ kind: "default", node: SECOND }];
  expect(services.home.groups.get("31777")).toMatchObject({
    members: members.slice(1),
    blocks: [
      { controller: "31777", links: left },
      { controller: THIRD, links: left },
    ],
  });
});
