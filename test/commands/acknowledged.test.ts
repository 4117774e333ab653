/** An edit is answered when it is on disk. While the disk rejects writes, every edit fails with that reason. */

import { expect, test } from "vitest";
import { readDeviceParameter, writeDeviceParameter } from "../../src/commands/device-parameters.ts";
import { renameThing, setNodeEnabled } from "../../src/commands/edit-nodes.ts";
import { editPlace } from "../../src/commands/edit-place.ts";
import { createProgram, createProgramFolder, removeProgram, reviseProgram } from "../../src/commands/edit-programs.ts";
import { changeResource, createResource, removeResource } from "../../src/commands/edit-resources.ts";
import { addMember, createScene, removeScene } from "../../src/commands/edit-scenes.ts";
import { createFolder, moveThing, removeFolder, removeNode, restoreNode } from "../../src/commands/edit-tree.ts";
import { changeVariable, createVariable, deleteVariable, writeVariable } from "../../src/commands/edit-variables.ts";
import type { CommandPorts } from "../../src/commands/ports.ts";
import { runProgram } from "../../src/commands/run-program.ts";
import { setSwitches } from "../../src/commands/settings.ts";
import { undoEdit } from "../../src/commands/undo-edit.ts";
import { ControllerError } from "../../src/errors.ts";
import { EMPTY_TREE } from "../../src/home/program-syntax.ts";
import { programFolder } from "../support/programs.ts";
import { codeOf, createServices, REQUEST, spec, UUID } from "./command-services.ts";

const [LAMP, OTHER] = ["ZW002_1", "ZW003_1"] as const;
const PARAMETER = { number: 3, size: 1, value: 1 };
const [SCENE, FOLDER] = ["31777", "31200"] as const;
/** The first program of a home is built in. */
const [ROOT, PROGRAM] = [1, 3] as const;
const WRITTEN = {
  ...{ name: "Evening", parentId: ROOT, comment: "", enabled: true, runAtStartup: false },
  tree: EMPTY_TREE,
};

const RESOURCE = {
  name: "Chime",
  protocol: "http",
  host: "127.0.0.1",
  port: 9,
  method: "GET",
  path: "/",
  headers: [],
  body: "",
  timeoutMs: 0,
} as const;

type Edit = readonly [what: string, edit: (ports: CommandPorts) => Promise<unknown>];

const EDITS: readonly Edit[] = [
  ["a node's name", (ports) => renameThing(ports, LAMP, "node", "Porch", REQUEST)],
  ["a scene's name", (ports) => renameThing(ports, SCENE, "group", "Night", REQUEST)],
  ["a folder's name", (ports) => renameThing(ports, FOLDER, "folder", "Attic", REQUEST)],
  ["the controller's name", (ports) => renameThing(ports, UUID, null, "Villa", REQUEST)],
  ["a new folder", (ports) => createFolder(ports, { name: "Attic", parent: null }, REQUEST)],
  ["a removed folder", (ports) => removeFolder(ports, FOLDER, "keep", REQUEST)],
  ["a node in a folder", (ports) => moveThing(ports, "node", LAMP, { kind: "folder", address: FOLDER }, REQUEST)],
  ["a removed node", (ports) => removeNode(ports, LAMP, REQUEST)],
  ["a new scene", (ports) => createScene(ports, { name: "Night", parent: null }, REQUEST)],
  ["a restored node", (ports) => restoreNode(ports, OTHER, REQUEST)],
  ["an undo", (ports) => undoEdit(ports, null, REQUEST)],
  ["a parameter that is read", (ports) => readDeviceParameter(ports, LAMP, 3, REQUEST)],
  ["a parameter that is written", (ports) => writeDeviceParameter(ports, LAMP, PARAMETER, REQUEST)],
  ["a removed scene", (ports) => removeScene(ports, SCENE, REQUEST)],
  ["a node that takes no part", (ports) => setNodeEnabled(ports, LAMP, false, null, REQUEST)],
  [
    "a member of a scene",
    (ports) => addMember(ports, SCENE, { address: LAMP, isController: false, target: null }, REQUEST),
  ],
  ["a new network resource", (ports) => createResource(ports, RESOURCE, REQUEST)],
  ["a network resource", (ports) => changeResource(ports, 1, { name: "Bell" }, REQUEST)],
  ["a removed network resource", (ports) => removeResource(ports, 1, REQUEST)],
  ["the place of the home", (ports) => editPlace(ports, { elevationM: 34 }, REQUEST)],
  ["batch mode", (ports) => setSwitches(ports, { batchMode: true }, REQUEST)],
  ["battery writes", (ports) => setSwitches(ports, { batteryWrites: false }, REQUEST)],
  ["a new variable", (ports) => createVariable(ports, 1, { name: "v", prec: 0 }, REQUEST)],
  ["a removed variable", (ports) => deleteVariable(ports, 1, 1, REQUEST)],
  ["a variable's value", (ports) => writeVariable(ports, 1, 1, 5, REQUEST)],
  ["a variable's initial value", (ports) => changeVariable(ports, 1, 1, { init: 5 }, REQUEST)],
  ["a variable's name", (ports) => changeVariable(ports, 1, 1, { name: "w" }, REQUEST)],
  ["a variable's precision", (ports) => changeVariable(ports, 1, 1, { prec: 2 }, REQUEST)],
  ["a new program", (ports) => createProgram(ports, WRITTEN, REQUEST)],
  [
    "a new program folder",
    (ports) => createProgramFolder(ports, { name: "Lights", parentId: ROOT, conditions: [] }, REQUEST),
  ],
  ["a program that is written anew", (ports) => reviseProgram(ports, PROGRAM, { name: "Night" }, null, REQUEST)],
  ["a removed program", (ports) => removeProgram(ports, PROGRAM, null, REQUEST)],
  ["a disabled program", (ports) => runProgram(ports, PROGRAM, "disable", REQUEST)],
];

async function furnished() {
  const parameters = { get: async () => PARAMETER.value, set: async () => ({ kind: "acked" as const }) };
  const services = await createServices({}, { parameters: parameters as never });
  for (const address of [LAMP, OTHER]) services.host.node(spec(address));
  await removeNode(services, OTHER, REQUEST);
  const group = { address: SCENE, name: "Evening", parent: null, deviceGroup: 1, members: [], blocks: [] };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  services.feed.commit({ type: "folder-added", folder: { address: FOLDER, name: "Hall", parent: null } }, REQUEST);
  await createResource(services, RESOURCE, REQUEST);
  await createVariable(services, 1, { name: "v", prec: 0 }, REQUEST);
  services.feed.commit({ type: "program-added", program: programFolder(ROOT, null) }, REQUEST);
  for (const name of ["Query All", "Evening"]) await createProgram(services, { ...WRITTEN, name }, REQUEST);
  return services;
}

test.each(EDITS)("%s is refused while the disk takes nothing", async (_what, edit) => {
  const services = await furnished();
  const refuse = () => Promise.reject(new ControllerError("STORE_UNAVAILABLE"));
  expect(await codeOf(edit({ ...services, durability: { committed: refuse } }))).toBe("STORE_UNAVAILABLE");
});

test.each(EDITS)("%s is answered once its own entry is on disk", async (_what, edit) => {
  const services = await furnished();
  let waitsFor = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const committed = (seq: number) => {
    waitsFor = seq;
    return promise;
  };
  const before = services.feed.lastSeq;
  let isAnswered = false;
  const answer = edit({ ...services, durability: { committed } }).then(() => (isAnswered = true));
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((next) => setImmediate(next));
  expect({ isAnswered, isOwn: waitsFor > before }).toEqual({ isAnswered: false, isOwn: true });
  resolve();
  await answer;
});

test.each([
  ["renames it", { name: "Night" }, 'Rename the program "Evening" to "Night"'],
  ["disables it", { enabled: false }, 'Disable the program "Evening"'],
  ["changes more than that", { comment: "By night", enabled: false }, 'Change the program "Evening"'],
])("an edit of a program that %s says so in its title", async (_what, revision, title) => {
  const services = await furnished();
  await reviseProgram(services, PROGRAM, revision, null, REQUEST);
  expect([...services.home.edits.values()].at(-1)?.title).toBe(title);
});
