import { expect, test } from "vitest";
import { usesOf } from "../../src/commands/where-used.ts";
import { EMPTY_TREE } from "../../src/home/program-syntax.ts";
import { program } from "../support/programs.ts";
import { createServices, REQUEST, spec } from "./command-services.ts";

const [SWITCH, LAMP, SCENE, FOLDER] = ["ZW001_1", "ZW002_1", "31777", "31200"] as const;
const [ROOT, PROGRAM, CALLED, RESOURCE] = [1, 2, 3, 4];

/** A scene, a folder with a lamp, and a program that names one thing of each kind. */
async function usedHome() {
  const { home, feed, host } = await createServices();
  for (const address of [SWITCH, LAMP]) host.node(spec(address));
  const members = [SWITCH, LAMP].map((address) => ({ address, isController: address === SWITCH }));
  const group = { address: SCENE, name: "Evening", parent: null, deviceGroup: 1, members, blocks: [] };
  feed.commit({ type: "group-added", group }, REQUEST);
  feed.commit({ type: "folder-added", folder: { address: FOLDER, name: "Hall", parent: null } }, REQUEST);
  for (const [kind, address] of [
    ["node", LAMP],
    ["group", SCENE],
  ] as const) {
    feed.commit({ type: "parent-changed", kind, address, parent: { kind: "folder", address: FOLDER } }, REQUEST);
  }
  const greeting = program(PROGRAM, {
    name: "Greeting",
    tree: {
      ...EMPTY_TREE,
      then: [
        { kind: "command", node: LAMP, command: "DON", parameters: [] },
        { kind: "command", node: SCENE, command: "DON", parameters: [] },
        { kind: "variable", type: 2, id: 7, operator: "EQ", operand: { kind: "value", value: 1, prec: 0 } },
        { kind: "program", id: CALLED, control: "runthen" },
        { kind: "resource", id: RESOURCE },
      ],
    },
  });
  for (const entry of [greeting, program(CALLED, { name: "Called" })]) {
    feed.commit({ type: "program-added", program: entry }, REQUEST);
  }
  return home;
}

const NAMED = [`program ${PROGRAM} reference: is named by the program "Greeting"`];
type Kind = Parameters<typeof usesOf>[1];

test.each<[Kind, string, readonly string[]]>([
  ["node", SWITCH, [`group ${SCENE} member: controls the scene "Evening"`]],
  ["node", LAMP, [`group ${SCENE} member: responds in the scene "Evening"`, ...NAMED]],
  ["group", SCENE, NAMED],
  ["variable", "2/7", NAMED],
  ["variable", "1/7", []],
  ["variable", "2/8", []],
  ["program", String(CALLED), NAMED],
  ["resource", String(CALLED), []],
  ["resource", String(RESOURCE), NAMED],
  ["program", String(RESOURCE), []],
  [
    "folder",
    FOLDER,
    [`node ${LAMP} child: holds the node "Device ${LAMP}"`, `group ${SCENE} child: holds the scene "Evening"`],
  ],
  [
    "program",
    String(ROOT),
    [`program ${PROGRAM} child: holds the program "Greeting"`, `program ${CALLED} child: holds the program "Called"`],
  ],
  ["program", String(PROGRAM), []],
])("%s %s is used as %j", async (kind, key, expected) => {
  const uses = usesOf(await usedHome(), kind, key);
  expect(uses.map((use) => `${use.kind} ${use.key} ${use.as}: ${use.text}`)).toEqual(expected);
});
