/** The nodedef of a device that no table names: its id stands for what the device has, so that equal devices share one. */

import { createHash } from "node:crypto";
import { nodedef } from "../profile/builtin/definition-text.ts";

type Shape = {
  readonly category: number;
  readonly features: readonly {
    readonly id: string;
    readonly editor: string;
    readonly label: string | null;
    readonly names: Readonly<Record<string, string>>;
  }[];
  readonly commands: readonly { readonly id: string; readonly spelled: string; readonly label: string | null }[];
  readonly sends: readonly string[];
  /** Clients know a fan by the word in its nodedef's id. */
  readonly isFan: boolean;
};

/**
 * @param prefix what ids of the family's nodedefs begin with
 * @param errors editor of the property ERR
 * @param name of the kind of device, for people
 */
export function nodedefOfShape(
  { category, features, commands, sends, isFan }: Shape,
  { prefix, errors, name }: { readonly prefix: string; readonly errors: string; readonly name: string },
) {
  const labelled = [...features, ...commands].flatMap(({ id, label }) =>
    label === null ? [] : [[id, label] as const],
  );
  const row = {
    properties: [...features.map(({ id, editor }) => `${id}:${editor}`), `ERR:${errors}!`].join(" "),
    accepts: [...commands.map(({ spelled }) => spelled), "QUERY"].join(" "),
    sends: sends.join(" "),
    labels: Object.fromEntries(labelled),
  };
  const text = JSON.stringify([category, row]);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();
  const nodeDefId = `${prefix}${hash}${isFan ? "Fan" : ""}`;
  const own = { ...nodedef(nodeDefId, { name, ...row }), nls: `${category}_${hash}` };
  const names = new Map(features.flatMap((feature) => Object.entries(feature.names)));
  return { nodeDefId, definitions: { nodedefs: [own], names } };
}
