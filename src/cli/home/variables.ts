/** `domovoi variables` and `domovoi resources`. */

import type { Home, Resource, Variable } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { usageFailure } from "../outcome.ts";
import type { Column } from "../show/table.ts";
import { readableTime } from "../show/time.ts";
import { shownVariable } from "./act.ts";
import { homeZone } from "./home-zone.ts";
import { printList, sortedBy, sortKey } from "./list.ts";

type VariablesOptions = ConnectionOptions & { readonly type?: string; readonly sort: string };

const TYPES: Readonly<Record<string, number>> = { integer: 1, state: 2, "1": 1, "2": 2 };
const columnsIn = (timeZone: string | undefined): readonly Column<Variable>[] => [
  { title: "VARIABLE", text: ({ name }) => name },
  { title: "TYPE", text: ({ type }) => (type === 1 ? "integer" : "state") },
  { title: "VALUE", text: (variable) => shownVariable(variable, variable.value), isRight: true },
  { title: "INIT", text: (variable) => shownVariable(variable, variable.init), isRight: true, paint: () => "gray" },
  { title: "WRITTEN", text: ({ ts }) => readableTime(ts, timeZone) },
  { title: "ID", text: ({ key }) => key },
];
const SORT_KEYS: Readonly<Record<string, (variable: Variable) => string>> = {
  name: ({ name }) => name,
  id: ({ key }) => key,
  written: ({ ts }) => ts ?? "",
};
const RESOURCE_COLUMNS: readonly Column<Resource>[] = [
  { title: "NETWORK RESOURCE", text: ({ name }) => name },
  { title: "ID", text: ({ id }) => id },
];

export async function listVariables(home: Home, options: VariablesOptions): Promise<void> {
  const type = options.type === undefined ? null : TYPES[options.type];
  if (type === undefined) throw usageFailure("--type is integer or state.");
  const variables = [...home.variables].filter((variable) => type === null || variable.type === type);
  const sorted = sortedBy(variables, sortKey(options.sort, SORT_KEYS), ({ key }) => key);
  printList(sorted, options, "There are no variables.", columnsIn(await homeZone(home, options)), variableJson);
}

export async function listResources(home: Home, options: ConnectionOptions): Promise<void> {
  const resources = sortedBy(
    home.resources,
    ({ name }) => name,
    ({ id }) => id,
  );
  printList(resources, options, "There are no network resources.", RESOURCE_COLUMNS, ({ id, name }) => ({
    id,
    name,
  }));
}

function variableJson({ key, type, id, name, value, valueName, valueNames, init, prec, raw, rawInit, ts }: Variable) {
  return { key, type, id, name, value, valueName, valueNames, init, prec, raw, rawInit, ts };
}
