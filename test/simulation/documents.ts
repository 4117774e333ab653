/** The documents of a home as a client of the portal reads them: every thing by its key, its scalars as texts. */

import type { HttpsClient } from "../support/https-client.ts";

export type Listed = Readonly<Record<string, string>>;

export type Documents = {
  readonly nodes: ReadonlyMap<string, Listed>;
  readonly groups: ReadonlyMap<string, Listed>;
  readonly folders: ReadonlyMap<string, Listed>;
  readonly programs: ReadonlyMap<string, Listed>;
  /** By "type/id". */
  readonly variables: ReadonlyMap<string, Listed>;
};

/** @throws Error for an answer that is not 200. */
export async function readDocuments(portal: HttpsClient): Promise<Documents> {
  const read = async <T>(path: string): Promise<T> => {
    const answer = await portal.get(path);
    if (answer.status !== 200) throw new Error(`${path} is answered ${answer.status}: ${answer.text}`);
    return answer.json<{ data: T }>().data;
  };
  const [tree, programs, integers, states] = await Promise.all([
    read<{ nodes: { node: object[]; group: object[]; folder: object[] } }>("/api/nodes"),
    read<object[]>("/api/programs"),
    read<object[]>("/api/variables/1"),
    read<object[]>("/api/variables/2"),
  ]);
  const { node, group, folder } = tree.nodes;
  return {
    nodes: byKey(node, "address"),
    groups: byKey(group, "address"),
    folders: byKey(folder, "address"),
    programs: byKey(programs, "id"),
    variables: new Map([...byKey(integers, "id", "1/"), ...byKey(states, "id", "2/")]),
  };
}

/** @throws Error when a key comes twice. */
function byKey(rows: readonly object[], key: string, prefix = ""): ReadonlyMap<string, Listed> {
  const listed = rows.map((row): [string, Listed] => {
    const scalars = Object.entries(row).filter(([, value]) => typeof value !== "object");
    const texts = Object.fromEntries(scalars.map(([name, value]) => [name, String(value)]));
    return [prefix + texts[key], texts];
  });
  const map = new Map(listed);
  if (map.size !== rows.length) throw new Error(`A thing is listed twice: ${rows.length} rows, ${map.size} keys.`);
  return map;
}
