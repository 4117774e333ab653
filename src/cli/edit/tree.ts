/** The commands that edit the tree: folder, move, delete, enable, disable, mark, replace, uses. */

import { ClientError, type FolderContents, type Home, type UsedKind } from "@domovoi/client";
import { NODE_USES } from "../../profile/node-uses.ts";
import { ask } from "../connection/ask-password.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import {
  findPlaced,
  folderNamed,
  groupNamed,
  nodeNamed,
  programFolderNamed,
  programNamed,
  resourceNamed,
  variableNamed,
} from "../home/find.ts";
import { printList } from "../home/list.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { editNote, meaningNote, sameNameNote } from "./edit-output.ts";

/** How the top of the tree is written. */
const TOP = "/";
const USES_SHOWN = 5;

type FolderOptions = ConnectionOptions & { readonly in?: string; readonly programs?: boolean };

export async function addFolder(home: Home, name: string, options: FolderOptions): Promise<Done> {
  const { in: above, programs = false } = options;
  if (programs) {
    const parent = above === undefined ? {} : { parentId: programFolderNamed(home, above).id };
    const id = await home.programs.addFolder({ name, ...parent });
    return done(`Created the program folder "${name}" (${id}).`, { id, name });
  }
  const made = await home.edits.createFolder(name, above === undefined ? undefined : folderNamed(home, above).address);
  const note = sameNameNote(home.folders, name);
  return done(`Created the folder "${name}" (${made.address})${editNote(made.edit)}.${note}`, { ...made, name });
}

type DeleteFolderOptions = ConnectionOptions & { readonly withContents?: boolean; readonly keepContents?: boolean };

export async function deleteFolder(home: Home, key: string, options: DeleteFolderOptions): Promise<Done> {
  const { withContents = false, keepContents = false } = options;
  if (withContents && keepContents) throw usageFailure("Give either --with-contents or --keep-contents, not both.");
  const contents: FolderContents = withContents ? "delete" : keepContents ? "keep" : "refuse";
  const { name, address } = folderNamed(home, key);
  const made = await home.edits.remove(address, { contents }).catch(explainContents);
  return done(`Removed the folder "${name}"${editNote(made.edit)}.`, made);
}

function explainContents(error: unknown): never {
  if (!(error instanceof ClientError) || error.reason !== "FOLDER_NOT_EMPTY") throw error;
  const ways = "--with-contents removes that too, --keep-contents moves it to where the folder is.";
  throw new CommandFailure("failed", `${error.message} ${ways}`, error);
}

/** Nodes, groups and folders into a folder, programs and program folders into a program folder. */
export async function moveIntoFolder(home: Home, key: string, folder: string): Promise<Done> {
  const isInTree = [home.nodes, home.groups, home.folders].some((things) => things.find(key) !== null);
  if (!isInTree && home.programs.find(key)) return moveProgram(home, key, folder);
  const { address } = findPlaced(home, key);
  const target = folder === TOP ? null : folderNamed(home, folder);
  const made = await home.edits.move(address, target?.address ?? null);
  const sentence = `Moved "${key}" to ${target ? `"${target.name}"` : "the top"}${editNote(made.edit)}.`;
  return done(sentence + meaningNote(made.programs), made);
}

const ROOT_PROGRAM_FOLDER = "0001";

async function moveProgram(home: Home, key: string, folder: string): Promise<Done> {
  const program = programNamed(home, key);
  const target = programFolderNamed(home, folder === TOP ? ROOT_PROGRAM_FOLDER : folder);
  await program.update({ parentId: target.id });
  return done(`Moved the program "${program.name}" to "${target.name}".`, { id: program.id, parentId: target.id });
}

const DELETED_KINDS = ["node", "scene", "folder", "program", "variable", "resource"] as const;
type DeletedKind = (typeof DELETED_KINDS)[number];
type DeleteOptions = ConnectionOptions & { readonly yes?: boolean };

type Doomed = {
  readonly name: string;
  readonly used: UsedKind;
  readonly key: string;
  readonly remove: () => Promise<{ readonly edit: number | null } | undefined>;
};

/** @param kind node, scene, folder, program, variable or resource */
export async function deleteThing(home: Home, kind: string, key: string, options: DeleteOptions): Promise<Done> {
  const doomed = doomedOf(home, kind, key);
  if (!options.yes) await confirm(home, kind, doomed);
  const made = await doomed.remove();
  const { name } = doomed;
  const note = made ? editNote(made.edit) : "";
  return done(`Removed the ${wordsOf(kind)} "${name}"${note}.`, { kind, key: doomed.key, name, ...made });
}

function wordsOf(kind: string): string {
  return kind === "resource" ? "network resource" : kind;
}

/** @throws CommandFailure usage for another kind. */
export function doomedOf(home: Home, written: string, key: string): Doomed {
  const kind = DELETED_KINDS.find((each) => each === written);
  if (!kind) throw usageFailure(`"${written}" is not a kind of thing. The kinds are ${DELETED_KINDS.join(", ")}.`);
  return doomedOfKind(home, kind, key);
}

function doomedOfKind(home: Home, kind: DeletedKind, key: string): Doomed {
  switch (kind) {
    case "node":
    case "folder":
    case "scene": {
      const find = { node: nodeNamed, folder: folderNamed, scene: groupNamed }[kind];
      const { name, address } = find(home, key);
      const used = kind === "scene" ? "group" : kind;
      // The confirmation showed what is in the folder.
      const how = kind === "folder" ? ({ contents: "delete" } as const) : {};
      return { name, used, key: address, remove: () => home.edits.remove(address, how) };
    }
    case "program": {
      const program = programNamed(home, key);
      const remove = async () => {
        await program.remove();
        return undefined;
      };
      return { name: program.name, used: kind, key: program.id, remove };
    }
    case "variable": {
      const variable = variableNamed(home, key);
      const remove = async () => {
        await variable.remove();
        return undefined;
      };
      return { name: variable.name, used: kind, key: `${variable.type}/${variable.id}`, remove };
    }
    case "resource": {
      const { name, id } = resourceNamed(home, key);
      return { name, used: kind, key: id, remove: () => home.edits.removeResource(id) };
    }
  }
}

/** @throws CommandFailure when the person declines, or without a terminal. */
async function confirm(home: Home, kind: string, { name, used, key }: Doomed): Promise<void> {
  const uses = await home.edits.uses(used, key);
  if (uses.length === 0) return;
  const listed = uses.slice(0, USES_SHOWN).map(({ text }) => text);
  const more = uses.length > USES_SHOWN ? `, and ${uses.length - USES_SHOWN} more` : "";
  const sentence = `The ${wordsOf(kind)} "${name}" ${listed.join(", ")}${more}.`;
  const otherwise = `${sentence} To remove it all the same, run the command again with --yes.`;
  const answer = await ask(`${sentence} Remove it? [y/N] `, otherwise);
  if (!/^y(es)?$/i.test(answer)) throw new CommandFailure("failed", "Nothing was removed.");
}

type EnableOptions = ConnectionOptions & { readonly reason?: string };

/** @param kind `node` or `program`; a name alone is a node's */
export async function setEnabled(
  home: Home,
  isEnabled: boolean,
  kind: string,
  key: string | undefined,
  options: EnableOptions,
): Promise<Done> {
  const isKind = kind === "program" || kind === "node";
  const verb = isEnabled ? "enable" : "disable";
  if (key !== undefined && !isKind) throw usageFailure(`Only a node or a program can be ${verb}d, not a "${kind}".`);
  if (key === undefined && isKind)
    throw usageFailure(`The name of the ${kind} is missing: domovoi ${verb} ${kind} NAME`);
  const isProgram = kind === "program";
  if (isProgram && options.reason !== undefined) throw usageFailure("--reason is for nodes only.");
  const name = isProgram
    ? await setProgramEnabled(home, key ?? "", isEnabled)
    : await setNodeEnabled(home, key ?? kind, isEnabled, options.reason);
  return done(`${name} is ${isEnabled ? "enabled" : "disabled"}.`, { name, enabled: isEnabled });
}

async function setProgramEnabled(home: Home, key: string, isEnabled: boolean): Promise<string> {
  const program = programNamed(home, key);
  if (home.mode === "portal" && !program.isFolder) await program.update({ enabled: isEnabled });
  else await program.command(isEnabled ? "enable" : "disable");
  return program.name;
}

async function setNodeEnabled(home: Home, key: string, isEnabled: boolean, reason?: string): Promise<string> {
  const node = nodeNamed(home, key);
  if (isEnabled) await node.enable();
  else if (reason === undefined) await node.disable();
  else await home.edits.disable(node.address, reason);
  return node.name;
}

/** Programs by room and role find the node by it. */
export async function markUse(home: Home, key: string, written: string): Promise<Done> {
  const node = nodeNamed(home, key);
  const use = NODE_USES.find((each) => each === written) ?? null;
  if (use === null && written !== "none") throw usageFailure(`A node is used as ${NODE_USES.join(", ")}, or none.`);
  const made = await home.edits.setUse(node.address, use);
  const sentence = use === null ? `"${node.name}" has no use now` : `"${node.name}" is used as ${use}`;
  return done(`${sentence}${editNote(made.edit)}.${meaningNote(made.programs)}`, { address: node.address, use });
}

type ReplaceOptions = ConnectionOptions & {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly programsOnly?: boolean;
};

export async function replaceDevice(
  home: Home,
  oldKey: string,
  newKey: string,
  options: ReplaceOptions,
): Promise<Done> {
  const [old, by] = [nodeNamed(home, oldKey), nodeNamed(home, newKey)];
  const { force = false, dryRun = false, programsOnly = false } = options;
  const made = await home.edits.replace(old.address, by.address, { force, dryRun, programsOnly });
  const verb = dryRun ? "would take" : "has taken";
  const where = programsOnly ? " in programs" : "";
  const sentence = `${by.address} ${verb} the place of "${old.name}"${where}${dryRun ? "" : editNote(made.edit)}.`;
  return done([sentence, ...made.misfits.map((misfit) => `  ${misfit}`)], made);
}

export async function showUses(
  home: Home,
  kind: string,
  key: string,
  options: ConnectionOptions,
): Promise<Done | undefined> {
  const { used, key: id, name } = doomedOf(home, kind, key);
  const uses = await home.edits.uses(used, id);
  if (uses.length === 0) return done(`The ${wordsOf(kind)} "${name}" is not used.`, []);
  printList(uses, options, "", {
    KIND: (use) => use.kind,
    NAME: (use) => use.name,
    HOW: (use) => use.text,
  });
  return undefined;
}
