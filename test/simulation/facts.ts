/**
 * A client's knowledge of a home as one flat table of facts, so that documents and streams can be compared at once.
 * This file reads the documents.
 */

import type { HttpsClient } from "../support/https-client.ts";
import { children, readXml, textOf, type XmlElement } from "../support/read-xml.ts";

export type Facts = Map<string, string>;

/** Keys; no address contains "|". */
export const FACT = {
  name: (kind: "node" | "group" | "folder", address: string) => `${kind}|${address}|name`,
  enabled: (address: string) => `node|${address}|enabled`,
  value: (address: string, property: string) => `node|${address}|${property}`,
  program: (id: string) => `program|${id}`,
  variable: (type: string, id: string) => `variable|${type}/${id}`,
  definition: (type: string, id: string) => `definition|${type}/${id}`,
} as const;

export type ProgramFacts = {
  readonly enabled: string;
  readonly runAtStartup: string;
  readonly running: string;
  readonly status: string;
  readonly lastRun: string;
  readonly lastFinish: string;
};

export const programText = (program: ProgramFacts): string => JSON.stringify(program, Object.keys(program).sort());

/** Names and switches, which a client reads when it connects. */
export async function readTree(client: HttpsClient): Promise<Facts> {
  const tree = await read(client, "/rest/nodes");
  const facts: Facts = new Map();
  for (const kind of ["node", "group", "folder"] as const) {
    for (const element of children(tree, kind)) {
      facts.set(FACT.name(kind, textOf(element, "address")), textOf(element, "name"));
      if (kind === "node") facts.set(FACT.enabled(textOf(element, "address")), textOf(element, "enabled"));
    }
  }
  return facts;
}

/** Names and precisions of variables, read again whenever the stream says that they are others. */
export async function readDefinitions(client: HttpsClient, type: string): Promise<Facts> {
  const list = await read(client, `/rest/vars/definitions/${type}`);
  return new Map(
    children(list, "e").map(({ attributes, children: [prec] }) => [
      FACT.definition(type, attributes.id ?? ""),
      `${attributes.name} at ${prec?.text}`,
    ]),
  );
}

/** Program folders, of which the streams only announce that there is something to read. */
export async function readProgramFolders(client: HttpsClient): Promise<Facts> {
  const folders = await readProgramElements(client, true);
  return new Map(
    folders.map((folder) => [
      FACT.program(folder.attributes.id ?? ""),
      `${textOf(folder, "name")}: ${folder.attributes.status}`,
    ]),
  );
}

/** Everything that a client knows which has read the documents just now. */
export async function readFacts(client: HttpsClient): Promise<Facts> {
  const parts = await Promise.all([
    readTree(client),
    readDefinitions(client, "1"),
    readDefinitions(client, "2"),
    readStatus(client),
    readPrograms(client),
    readProgramFolders(client),
    readVariables(client, "1"),
    readVariables(client, "2"),
  ]);
  return new Map(parts.flatMap((part) => [...part]));
}

async function readStatus(client: HttpsClient): Promise<Facts> {
  const facts: Facts = new Map();
  for (const node of children(await read(client, "/rest/status"), "node")) {
    for (const { attributes } of children(node, "property")) {
      const { id = "", value = "", uom = "", prec = "0", formatted, name } = attributes;
      if (value === "") continue;
      // The communication-error flag is a plain number on the streams, and a number without a unit is sent as a raw
      // one.
      const text = id === "ERR" ? value : `${value} ${uom === "0" ? "56" : uom} ${prec} ${formatted} ${name}`;
      facts.set(FACT.value(node.attributes.id ?? "", id), text);
    }
  }
  return facts;
}

/** Without the next run, because the streams do not report a canceled one. */
async function readPrograms(client: HttpsClient): Promise<Facts> {
  const programs = await readProgramElements(client, false);
  return new Map(
    programs.map((program) => {
      const { id = "", enabled = "", runAtStartup = "", running = "", status = "" } = program.attributes;
      const times = { lastRun: textOf(program, "lastRunTime"), lastFinish: textOf(program, "lastFinishTime") };
      return [FACT.program(id), programText({ enabled, runAtStartup, running, status, ...times })];
    }),
  );
}

async function readProgramElements(client: HttpsClient, isFolder: boolean): Promise<readonly XmlElement[]> {
  const programs = children(await read(client, "/rest/programs?subfolders=true"), "program");
  return programs.filter(({ attributes }) => attributes.folder === String(isFolder));
}

async function readVariables(client: HttpsClient, type: string): Promise<Facts> {
  const variables = children(await read(client, `/rest/vars/get/${type}`), "var");
  return new Map(
    variables.map((variable) => [
      FACT.variable(type, variable.attributes.id ?? ""),
      `${textOf(variable, "val")} from ${textOf(variable, "init")}, ${textOf(variable, "ts")}`,
    ]),
  );
}

async function read(client: HttpsClient, path: string): Promise<XmlElement> {
  const answer = await client.get(path);
  if (answer.status !== 200) throw new Error(`${path} is answered ${answer.status}: ${answer.text}`);
  return readXml(answer.text);
}
