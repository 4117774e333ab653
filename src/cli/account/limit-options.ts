/** The options that name what an account or a guest link reaches, and what they mean in the home. */

import type { GuestLink, Home, Limits } from "@domovoi/client";
import type { Command } from "commander";
import { folderNamed, groupNamed, nodeNamed, programNamed, resourceNamed, variableNamed } from "../home/find.ts";
import { usageFailure } from "../outcome.ts";

export type LimitOptions = {
  readonly folder?: readonly string[];
  readonly node?: readonly string[];
  readonly scene?: readonly string[];
  readonly program?: readonly string[];
  readonly variable?: readonly string[];
  readonly resource?: readonly string[];
  readonly command?: readonly string[];
};

const ALSO = "Can be repeated.";

/** Gives a command the options of `LimitOptions`. */
export function withLimits(command: Command): Command {
  return command
    .option("--node <node>", `A node. ${ALSO}`, several)
    .option("--scene <scene>", `A scene, which works with all of its members. ${ALSO}`, several)
    .option("--folder <folder>", `A folder, with everything in it. ${ALSO}`, several)
    .option("--program <program>", `A program, or a program folder with everything in it. ${ALSO}`, several)
    .option("--variable <variable>", `A variable. ${ALSO}`, several)
    .option("--resource <resource>", `A network resource. ${ALSO}`, several)
    .option("--command <id>", `The only command that may be sent, for example DON. ${ALSO}`, several);
}

/** @throws CommandFailure usage when nothing is named; notFound */
export function limitsOf(home: Home, options: LimitOptions): Limits {
  const { folder = [], node = [], scene = [], program = [], variable = [], resource = [], command } = options;
  const limits = {
    folders: folder.map((key) => folderNamed(home, key).address),
    nodes: node.map((key) => nodeNamed(home, key).address),
    scenes: scene.map((key) => groupNamed(home, key).address),
    programs: program.map((key) => programNamed(home, key).id),
    variables: variable.map((key) => variableNamed(home, key)).map(({ type, id }) => `${type}/${id}`),
    resources: resource.map((key) => Number(resourceNamed(home, key).id)),
  };
  if (Object.values(limits).every((keys) => keys.length === 0))
    throw usageFailure("Name at least one thing: --node, --scene, --folder, --program, --variable or --resource.");
  return command ? { ...limits, commands: command } : limits;
}

export function namesSomething({ folder, node, scene, program, variable, resource, command }: LimitOptions): boolean {
  return [folder, node, scene, program, variable, resource, command].some((given) => given !== undefined);
}

/** The names of the things, with the only commands that may be sent. */
export function reachText(home: Home, limits: GuestLink["limits"]): string {
  const { commands, folders, nodes, scenes, programs, variables, resources } = limits;
  const things = [
    ...folders.map((key) => home.folders.find(key)?.name ?? key),
    ...nodes.map((key) => home.nodes.find(key)?.name ?? key),
    ...scenes.map((key) => home.groups.find(key)?.name ?? key),
    ...programs.map((key) => home.programs.find(key)?.name ?? key),
    ...variables.map((key) => home.variables.find(key.replace("/", "."))?.name ?? key),
    ...resources.map((key) => home.resources.find(String(key))?.name ?? String(key)),
  ];
  const named = things.join(", ");
  return commands ? `${named} (only ${commands.join(", ")})` : named;
}

function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
