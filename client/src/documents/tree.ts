/** Shared by the two forms of the tree, JSON and XML: nodes, groups and folders from their fields. */

import type { DevType, FolderRecord, GroupRecord, NodeRecord } from "../model/records.ts";

export type Tree = {
  /** Empty when there is no root group, or it has no name. */
  readonly controllerName: string;
  readonly nodes: Map<string, NodeRecord>;
  readonly groups: Map<string, GroupRecord>;
  readonly folders: Map<string, FolderRecord>;
};

export type Link = { readonly address: string; readonly type: string };

const ROOT_FLAG = 0x08;
const CONTROLLER_LINK = "16";
const RADIO_FAMILIES: ReadonlySet<string> = new Set(["4", "12"]);
const NO_LINKS: GroupRecord["intents"] = new Map();

export function isRoot(flag: number): boolean {
  return (flag & ROOT_FLAG) !== 0;
}

export function groupRecord(
  fields: Omit<GroupRecord, "members" | "controllers" | "intents" | "targetsResolved">,
  links: readonly Link[],
): GroupRecord {
  const linked = links.filter(({ address }) => address !== "");
  return {
    ...fields,
    members: [...new Set(linked.map(({ address }) => address))],
    controllers: [...new Set(linked.filter(({ type }) => type === CONTROLLER_LINK).map(({ address }) => address))],
    intents: NO_LINKS,
    targetsResolved: false,
  };
}

/** Null on nodes of other families. @param fields empty when they are absent */
export function devType(family: string, fields: Pick<DevType, "cat" | "mfg" | "gen">): DevType | null {
  if (!RADIO_FAMILIES.has(family)) return null;
  const cat = fields.cat || "0";
  const mfg = fields.mfg || "0.0.0";
  const gen = fields.gen || "0.0.0";
  const [id = 0, productType = 0, product = 0] = numbers(mfg);
  const [basic = 0, generic = 0, specific = 0] = numbers(gen);
  return { cat, mfg, gen, manufacturer: { id, productType, product }, generic: { basic, generic, specific } };
}

function numbers(dotted: string): readonly number[] {
  return dotted.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : 0));
}
