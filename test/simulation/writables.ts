/**
 * Everything that can be written in a home over HTTP, and how to read it back. A new kind of thing needs a function
 * here and a line in `writablesOf`; the load then writes it and the kill tests check it.
 */

import type { Documents } from "./documents.ts";

export type Write = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  /** The value to read back after the write. */
  readonly value: string;
};

export type Writable = {
  readonly key: string;
  /** @param number differs with every write. @param dice 0 … 1. */
  write(number: number, dice: number): Write;
  /** As it is seen from outside; undefined when the thing is gone. */
  seen(documents: Documents): string | undefined;
};

/** Nodes that are disabled and enabled. */
const SWITCHED_NODES = 6;

/** @param variables "type/id" of variables that no other client writes. */
export function writablesOf(documents: Documents, variables: readonly string[]): readonly Writable[] {
  const programs = [...documents.programs.values()];
  // The programs of one folder are switched together only, to see that no such request is half done.
  const together = programs.findLast(({ folder }) => folder === "true")?.id ?? "";
  const alone = programs.filter(({ folder, parentId }) => folder === "false" && parentId !== together);
  const nodes = [...documents.nodes.keys()];
  return [
    ...variables.flatMap((variable) => [
      variableField(variable, "val", "value", (number) => number),
      variableField(variable, "init", "init", (number) => -number),
      variableField(variable, "prec", "prec", (_number, dice) => Math.floor(dice * 10)),
      variableField(variable, "name", "name", (number) => `Variable ${number} & ${variable}`),
    ]),
    ...nodes.map((address) => name("node", address)),
    ...Array.from(documents.groups.keys(), (address) => name("group", address)),
    ...Array.from(documents.folders.keys(), (address) => name("folder", address)),
    ...nodes
      .filter((address) => !isLamp(documents, address))
      .slice(-SWITCHED_NODES)
      .map(nodeSwitch),
    ...alone.flatMap(({ id = "" }) => [
      programSwitch(id, "enabled", "enable", "disable"),
      programSwitch(id, "runAtStartup", "enableRunAtStartup", "disableRunAtStartup"),
    ]),
    folderSwitch(together),
  ];
}

/** Lamps are what the load commands; they stay enabled. */
export function isLamp({ nodes }: Documents, address: string): boolean {
  return nodes.get(address)?.nodeDefId === "DimmerLampSwitch_ADV";
}

function variableField(
  variable: string,
  seenAs: "val" | "init" | "prec" | "name",
  field: string,
  next: (number: number, dice: number) => number | string,
): Writable {
  return {
    key: `variable ${variable} ${field}`,
    write(number, dice) {
      const value = next(number, dice);
      return { method: "POST", path: `/api/variables/${variable}`, body: { [field]: value }, value: String(value) };
    },
    seen: ({ variables }) => variables.get(variable)?.[seenAs],
  };
}

/** Both listeners that write the same name. */
function name(nodeType: "node" | "group" | "folder", address: string): Writable {
  const path = encodeURIComponent(address);
  return {
    key: `name of ${nodeType} ${address}`,
    write(number, dice) {
      const value = `${nodeType} <${number}> "ü"`;
      if (dice < 0.3) {
        return { method: "GET", path: `/rest/nodes/${path}/change?name=${encodeURIComponent(value)}`, value };
      }
      return { method: "POST", path: `/api/nodes/${path}`, body: { name: value, nodeType }, value };
    },
    seen: (documents) => documents[`${nodeType}s`].get(address)?.name,
  };
}

function nodeSwitch(address: string): Writable {
  return {
    key: `node ${address} enabled`,
    write(_number, dice) {
      const verb = dice < 0.5 ? "enable" : "disable";
      return {
        method: "GET",
        path: `/rest/nodes/${encodeURIComponent(address)}/${verb}`,
        value: String(verb === "enable"),
      };
    },
    seen: ({ nodes }) => nodes.get(address)?.enabled,
  };
}

function programSwitch(id: string, field: string, on: string, off: string): Writable {
  return {
    key: `program ${id} ${field}`,
    write: (_number, dice) => programVerb(id, dice < 0.5, on, off),
    seen: ({ programs }) => programs.get(id)?.[field],
  };
}

/** One request, an entry for each program in it: all or nothing. */
function folderSwitch(id: string): Writable {
  return {
    key: `programs of folder ${id} enabled`,
    write: (_number, dice) => programVerb(id, dice < 0.5, "enable", "disable"),
    seen({ programs }) {
      const inside = [...programs.values()].filter((program) => program.parentId === id);
      return [...new Set(inside.map(({ enabled }) => enabled))].join(" and ");
    },
  };
}

function programVerb(id: string, isOn: boolean, on: string, off: string): Write {
  return { method: "GET", path: `/rest/programs/${id}/${isOn ? on : off}`, value: String(isOn) };
}
