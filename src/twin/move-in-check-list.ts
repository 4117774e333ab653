/** Lists what of another controller's home comes over in a move, what does not, and why. */

import { familyOf, WIRED } from "../families.ts";
import type { ProgramDefinition } from "../home/programs.ts";
import type { TwinPlan } from "./plan-twin.ts";
import { hasForeign } from "./twin-report.ts";

export type CheckItem = {
  readonly what: string;
  /** null: the documents do not say how many. */
  readonly count: number | null;
  /** `later`: visible, but inactive until a later step of the move. */
  readonly comes: "yes" | "later" | "no";
  readonly note: string;
};

const FROM_HERE = "shown with the values of the other controller";
const BY_RADIO = `${FROM_HERE}, until the radio adapter is here: domovoi move-in take`;
const BY_MODEM = `${FROM_HERE}, until the modem is here: domovoi move-in take`;
const NO_DRIVER = `${FROM_HERE}; no integration drives this family yet`;

/** In the order of a table for people. */
export function moveInCheckList({ tree, changes, problems }: TwinPlan): readonly CheckItem[] {
  const count = (type: string) => changes.filter((change) => change.type === type).length;
  // Two generations of adapters are two families of one name.
  const families = Map.groupBy(tree.nodes, ({ node }) => nameOf(node.family));
  const programs = changes.flatMap((change) => (change.type === "program-added" ? [change.program] : []));
  const foreign = programs.filter(hasForeign);
  const items: readonly CheckItem[] = [
    item("folders", tree.folders.length, "yes", "with names and places"),
    ...[...families].map(([name, nodes]) =>
      item(`nodes of ${name}`, nodes.length, "later", noteOf(nodes.map(({ node }) => node.family))),
    ),
    item("scenes", tree.groups.length, "yes", "with members, links and levels"),
    item("programs", ordinary(programs).length - foreign.length, "later", "they run after domovoi move-in finish"),
    item("programs not understood", foreign.length, "no", `stored but not run: ${namesOf(foreign)}`),
    item("program folders", programs.length - ordinary(programs).length, "yes", ""),
    item("variables", count("variable-added"), "yes", "with values, initial values and precision"),
    item("network resources", count("network-resource-put"), "no", "only names are readable; enter the requests again"),
    ...problems.map(({ document, sentence }) => item(document, 1, "no", sentence)),
  ];
  return [...items.filter(({ count: found }) => found !== 0), ...NEVER];
}

/** No document of the interface lists them. */
const NEVER: readonly CheckItem[] = [
  item("accounts, passwords", null, "no", "create accounts on Domovoi: domovoi account add; clients log in with them"),
  item("keys of radio networks", null, "no", "restore a save of the adapter, or include secure devices again"),
  item("parameters of devices", null, "no", "they stay in the devices"),
  item("notification addresses", null, "no", "add channels on Domovoi: domovoi channel add"),
  item("history and logs", null, "no", "they stay at the other controller"),
];

/** What the nodes of one name wait for. */
function noteOf(families: readonly number[]): string {
  if (families.every((family) => family === WIRED.id)) return BY_MODEM;
  return families.every((family) => familyOf(family).radio?.hasDeviceTypes) ? BY_RADIO : NO_DRIVER;
}

/** As owners call it. */
function nameOf(family: number): string {
  const { id, name } = familyOf(family);
  return id === WIRED.id ? "Insteon" : name || `family ${family}`;
}

function item(what: string, count: number | null, comes: CheckItem["comes"], note: string): CheckItem {
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
