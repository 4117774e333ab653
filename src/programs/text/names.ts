/** The names of a home for its programs' text: directories of nodes, programs, variables, and of what a node has and does. */

import type { Home } from "../../home/home.ts";
import type { SyntaxValue } from "../../home/program-syntax.ts";
import { foldersAbove, hexId, type ProgramFolder, ROOT_PROGRAM_ID } from "../../home/programs.ts";
import type { VariableType } from "../../home/variables.ts";
import { CONTROLS, commonLabel } from "../../profile/builtin/command-ids-table.ts";
import type { EditorRange } from "../../profile/editor.ts";
import type { CommandDefinition, Nodedef } from "../../profile/nodedef.ts";
import { type NodedefKey, SCENE_NODEDEF } from "../../profile/predicates.ts";
import type { Profile } from "../../profile/profile.ts";
import { findUom, UOM } from "../../profile/uom.ts";
import { type DirectoryEntry, NameDirectory } from "./directory.ts";
import { printDecimal, printQuantity } from "./quantity.ts";

export type ProgramNames = {
  /** Nodes and scenes, the whole controller among them. */
  readonly nodes: NameDirectory;
  /** Folders of nodes. */
  readonly folders: NameDirectory;
  /** Commands that any device may send, by their general labels. */
  readonly commands: NameDirectory;
  /** Scenes only. */
  readonly scenes: NameDirectory;
  /** Programs and folders; ids are four hex digits, as everywhere below. */
  readonly programs: NameDirectory;
  readonly resources: NameDirectory;
  /** Notification channels are integrations. */
  readonly channels: NameDirectory;
  variables(type: VariableType): NameDirectory;
  /** Values that have a name; ids are displayed numbers as they are printed. */
  variableValues(type: VariableType, id: number): NameDirectory;
  properties(node: string): NameDirectory;
  /** Commands that the node sends. */
  sends(node: string): NameDirectory;
  accepts(node: string): NameDirectory;
  parameters(node: string, command: string): NameDirectory;
  linkdefs(node: string): NameDirectory;
  linkParameters(node: string, linkdef: string): NameDirectory;
  /** Values that have a word; ids are quantities as they are printed. */
  propertyValues(node: string, property: string): NameDirectory;
  parameterValues(node: string, command: string, parameter: string): NameDirectory;
  linkValues(node: string, linkdef: string, parameter: string): NameDirectory;
  /** The folders above a folder and itself, without the root folder; null for what is no folder. */
  pathOf(folderId: number): readonly string[] | null;
  /** Folders whose path ends so, by id. */
  foldersAt(path: readonly string[]): readonly number[];
  folderNames(): Iterable<string>;
};

/** @param isChannel whether integrations of a type are notification channels; a text is read with it, printing needs none */
export function createProgramNames(
  home: Home,
  profile: Profile,
  isChannel: (type: string) => boolean = () => true,
): ProgramNames {
  const kinds = nodeKinds(home, profile);
  return {
    ...homeDirectories(home, isChannel),
    ...kinds,
    pathOf: (folderId) => pathOf(home, folderId),
    foldersAt: (path) => foldersAt(home, path),
    folderNames: () => [...home.programs.values()].filter(({ kind }) => kind === "folder").map(({ name }) => name),
  };
}

const COMMANDS = controls(
  "command",
  CONTROLS.filter(({ kind }) => kind !== "property").map(({ id, label }) => ({ id, name: label })),
);

function homeDirectories(home: Home, isChannel: (type: string) => boolean) {
  const root = (): readonly DirectoryEntry[] => [[home.controller.uuid, home.controller.name]];
  const scenes = () => [...named(home.groups)];
  const sceneName = (id: string) => (id === home.controller.uuid ? home.controller.name : home.groups.get(id)?.name);
  return {
    nodes: new NameDirectory(
      "node or scene",
      (id) => home.nodes.get(id)?.name ?? sceneName(id) ?? null,
      () => [...named(home.nodes), ...scenes(), ...root()],
    ),
    scenes: new NameDirectory(
      "scene",
      (id) => sceneName(id) ?? null,
      () => [...scenes(), ...root()],
    ),
    folders: new NameDirectory(
      "folder",
      (id) => home.folders.get(id)?.name ?? null,
      () => [...named(home.folders)],
    ),
    commands: COMMANDS,
    programs: new NameDirectory(
      "program",
      (id) => home.programs.get(Number.parseInt(id, 16))?.name ?? null,
      () => [...home.programs.values()].map(({ id, name }) => [hexId(id), name]),
    ),
    resources: numbered("network resource", home.networkResources),
    channels: new NameDirectory(
      "notification channel",
      (id) => home.integrations.get(id)?.name ?? null,
      () => [...home.integrations].flatMap(([id, { type, name }]) => (isChannel(type) ? [[id, name] as const] : [])),
    ),
    variables: perKey((type: VariableType) =>
      numbered(type === 1 ? "integer variable" : "state variable", home.variables[type]),
    ),
    variableValues: perKey((type: VariableType, id: number) => {
      const { valueNames = {}, prec = 0 } = home.variables[type].get(id) ?? {};
      const shown = (raw: string) => printDecimal({ value: Number(raw), prec });
      return NameDirectory.of(
        "value",
        Object.entries(valueNames).map(([raw, name]) => [shown(raw), name]),
      );
    }),
  };
}

function numbered(what: string, things: ReadonlyMap<number, { readonly name: string }>): NameDirectory {
  return new NameDirectory(
    what,
    (id) => things.get(Number(id))?.name ?? null,
    () => [...named(things)],
  );
}

function* named<K>(things: ReadonlyMap<K, { readonly name: string }>): Iterable<DirectoryEntry> {
  for (const [id, { name }] of things) yield [String(id), name];
}

/** Directories by what they are of, made once. */
function perKey<K extends readonly unknown[]>(make: (...key: K) => NameDirectory): (...key: K) => NameDirectory {
  const made = new Map<string, NameDirectory>();
  return (...key) => {
    const text = JSON.stringify(key);
    const directory = made.get(text) ?? make(...key);
    made.set(text, directory);
    return directory;
  };
}

function nodeKinds(home: Home, profile: Profile) {
  const keyOf = (address: string): NodedefKey => home.nodes.get(address) ?? SCENE_NODEDEF;
  const nodedefOf = (address: string): Nodedef | null => {
    const { nodeDefId, family, instance } = keyOf(address);
    return profile.nodedef(nodeDefId, family, instance);
  };
  const editorValues = (address: string, editor: string | undefined) => {
    const { family, instance } = keyOf(address);
    const ranges = editor === undefined ? [] : (profile.editor(editor, family, instance)?.ranges ?? []);
    return NameDirectory.of("value", labelled(ranges));
  };
  const command = (address: string, id: string) => nodedefOf(address)?.accepts.find((each) => each.id === id);
  const linkdef = (address: string, id: string) => {
    const { family, instance } = keyOf(address);
    return profile.instance(family, instance)?.linkdefs.get(id);
  };
  return {
    properties: perKey((address: string) => controls("property", nodedefOf(address)?.properties ?? [])),
    sends: perKey((address: string) => controls("command", nodedefOf(address)?.sends ?? [])),
    accepts: perKey((address: string) => controls("command", nodedefOf(address)?.accepts ?? [])),
    parameters: perKey((address: string, id: string) => controls("parameter", parametersOf(command(address, id)))),
    linkdefs: perKey((address: string) => {
      const { family, instance } = keyOf(address);
      return controls("kind of link", [...(profile.instance(family, instance)?.linkdefs.values() ?? [])]);
    }),
    linkParameters: perKey((address: string, id: string) =>
      controls("parameter", linkdef(address, id)?.parameters ?? []),
    ),
    propertyValues: perKey((address: string, id: string) =>
      editorValues(address, nodedefOf(address)?.properties.find((each) => each.id === id)?.editor),
    ),
    linkValues: perKey((address: string, linkdefId: string, id: string) =>
      editorValues(address, linkdef(address, linkdefId)?.parameters.find((each) => each.id === id)?.editor),
    ),
    parameterValues: perKey((address: string, commandId: string, id: string) =>
      editorValues(address, parametersOf(command(address, commandId)).find((each) => each.id === id)?.editor),
    ),
  };
}

function parametersOf(command: CommandDefinition | undefined) {
  return command?.parameters ?? [];
}

/** A name without a label in the nodedef has the general label of its id, if there is one. */
function controls(what: string, labelled: readonly { readonly id: string; readonly name: string }[]): NameDirectory {
  const entries = labelled.filter(({ name }) => name !== "").map(({ id, name }): DirectoryEntry => [id, name]);
  const names = new Map(entries);
  const nameOf = (id: string) => names.get(id) ?? (commonLabel(id) || null);
  return new NameDirectory(what, nameOf, () => entries);
}

function labelled(ranges: readonly EditorRange[]): readonly DirectoryEntry[] {
  const entry = (name: string, value: SyntaxValue): DirectoryEntry => [printQuantity(value), name];
  const own = ranges.flatMap(({ uom, prec, names }) =>
    [...names].map(([value, name]) => entry(name, { value, prec, uom })),
  );
  const known = new Set(own.map(([id]) => id));
  const ofUnit = ranges.flatMap(({ uom }) =>
    uom === UOM.none ? [] : [...findUom(uom).names].map(([value, name]) => entry(name, { value, prec: 0, uom })),
  );
  return [...own, ...ofUnit.filter(([id]) => !known.has(id))];
}

function pathOf(home: Home, folderId: number): readonly string[] | null {
  const folder = home.programs.get(folderId);
  return folder?.kind === "folder" ? pathOfFolder(home, folder) : null;
}

function pathOfFolder(home: Home, folder: ProgramFolder): readonly string[] {
  if (folder.id === ROOT_PROGRAM_ID) return [folder.name];
  return [...foldersAbove(home, folder).filter(({ id }) => id !== ROOT_PROGRAM_ID), folder].map(({ name }) => name);
}

/** The root folder may stand at the beginning. */
function foldersAt(home: Home, written: readonly string[]): readonly number[] {
  const [first, ...below] = written;
  const isFromRoot =
    below.length > 0 && first?.normalize("NFC") === home.programs.get(ROOT_PROGRAM_ID)?.name.normalize("NFC");
  const path = isFromRoot ? below : written;
  return [...home.programs.values()].flatMap((entry) => {
    if (entry.kind !== "folder") return [];
    const whole = pathOfFolder(home, entry);
    const end = whole.slice(-path.length);
    return end.length === path.length && end.every((name, at) => name.normalize("NFC") === path[at]?.normalize("NFC"))
      ? [entry.id]
      : [];
  });
}
