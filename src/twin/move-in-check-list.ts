/** Lists what of another controller's home comes over in a move, what does not, and why. */

import { familyOf } from "../families.ts";
import type { ProgramDefinition } from "../home/programs.ts";
import type { TwinPlan } from "./plan-twin.ts";
import { hasForeign } from "./twin-report.ts";

export type CheckItem = {
  readonly what: string;
  readonly count: number;
  /** `later`: visible, but inactive until a later step of the move. */
  readonly comes: "yes" | "later" | "no";
  readonly note: string;
};

const FROM_HERE = "shown with the values of the other controller";
const BY_RADIO = `${FROM_HERE}, until the radio adapter is here: domovoi move-in take`;
const NO_DRIVER = `${FROM_HERE}; no integration drives this family yet`;

/** In the order of a table for people. */
export function moveInCheckList({ tree, changes, problems }: TwinPlan): readonly CheckItem[] {
  const count = (type: string) => changes.filter((change) => change.type === type).length;
  const families = Map.groupBy(tree.nodes, ({ node }) => node.family);
  const programs = changes.flatMap((change) => (change.type === "program-added" ? [change.program] : []));
  const foreign = programs.filter(hasForeign);
  const items: readonly CheckItem[] = [
    item("folders", tree.folders.length, "yes", "with names and places"),
    ...[...families].map(([family, nodes]) =>
      item(
        `nodes of ${familyOf(family).name}`,
        nodes.length,
        "later",
        familyOf(family).radio?.hasDeviceTypes ? BY_RADIO : NO_DRIVER,
      ),
    ),
    item("scenes", tree.groups.length, "yes", "with members, links and levels"),
    item("programs", ordinary(programs).length - foreign.length, "later", "they run after domovoi move-in finish"),
    item("programs not understood", foreign.length, "no", `stored but not run: ${namesOf(foreign)}`),
    item("program folders", programs.length - ordinary(programs).length, "yes", ""),
    item("variables", count("variable-added"), "yes", "with values, initial values and precision"),
    item("network resources", count("network-resource-put"), "no", "only names are readable; enter the requests again"),
    ...problems.map(({ document, sentence }) => item(document, 1, "no", sentence)),
  ];
  return [...items.filter(({ count: found }) => found > 0), ...NEVER];
}

/** No document of the interface lists them. */
const NEVER: readonly CheckItem[] = [
  item("accounts, passwords", 0, "no", "create accounts on Domovoi: domovoi account add; clients log in with them"),
  item("keys of radio networks", 0, "no", "restore a save of the adapter, or include secure devices again"),
  item("parameters of devices", 0, "no", "they stay in the devices"),
  item("notification addresses", 0, "no", "add channels on Domovoi: domovoi channel add"),
  item("history and logs", 0, "no", "they stay at the other controller"),
];

function item(what: string, count: number, comes: CheckItem["comes"], note: string): CheckItem {
  return { what, count, comes, note };
}

function ordinary(programs: readonly ProgramDefinition[]): readonly ProgramDefinition[] {
  return programs.filter(({ kind }) => kind === "program");
}

const NAMES_MAX = 5;

function namesOf(programs: readonly ProgramDefinition[]): string {
  const names = programs.slice(0, NAMES_MAX).map(({ name }) => name);
  const more = programs.length - names.length;
  return `${names.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
