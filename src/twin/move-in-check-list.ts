/** Lists what of another controller's home comes over in a move, what does not, and why. */

import { familyOf, WIRED } from "../families.ts";
import type { CopyItem } from "../home/home-copy.ts";
import type { ProgramDefinition } from "../home/programs.ts";
import type { TwinPlan } from "./plan-twin.ts";
import { hasForeign } from "./twin-report.ts";

const FROM_HERE = "shown with the values of the other controller";
const BY_RADIO = `${FROM_HERE}, until the radio adapter is here: domovoi move-in take`;
const BY_MODEM = `${FROM_HERE}, until the modem is here: domovoi move-in take`;
const BY_REPLACING = `${FROM_HERE}; connect the devices here and give them the places of these: domovoi replace`;

const WITH_LEVELS = "with members, links and levels";
const RUN_LATER = "they run after domovoi move-in finish";
const ONLY_NAMES = "only names are readable; enter the requests again";
const NEW_ACCOUNTS = "create accounts on Domovoi: domovoi account add; clients log in with them";
const NEW_KEYS = "restore a save of the adapter, or include secure devices again";

/** In the order of a table for people. */
export function moveInCheckList(plan: TwinPlan): readonly CopyItem[] {
  const { tree, changes, problems } = plan;
  const count = (type: string) => changes.filter((change) => change.type === type).length;
  // Two generations of adapters are two families of one name.
  const families = Map.groupBy(tree.nodes, ({ node }) => nameOf(node.family));
  const programs = changes.flatMap((change) => (change.type === "program-added" ? [change.program] : []));
  const foreign = programs.filter(hasForeign);
  const items: readonly CopyItem[] = [
    item("folders", "folders", tree.folders.length, "yes", "with names and places"),
    ...[...families].map(([name, nodes]) =>
      nodesItem(
        name,
        nodes.map(({ node }) => node.family),
      ),
    ),
    scenesItem(plan),
    item("programs", "programs", ordinary(programs).length - foreign.length, "later", RUN_LATER),
    foreignItem(foreign),
    ...statementItems(plan.unread),
    item("program-folders", "program folders", programs.length - ordinary(programs).length, "yes", ""),
    item("variables", "variables", count("variable-added"), "yes", variablesNote(plan)),
    item("network-resources", "network resources", count("network-resource-put"), "no", ONLY_NAMES),
    ...(plan.namesZone ? [] : [zoneItem(plan.controller.timeZone)]),
    ...problems.map(({ document, sentence }) =>
      item("unread-document", document, 1, "no", sentence, `${document}: ${sentence}`),
    ),
  ];
  return [...items.flatMap((each) => shown(each, plan)), ...NEVER];
}

/** What owners look for has a row also where there is none of it. */
function shown(each: CopyItem, { isLocal }: TwinPlan): readonly CopyItem[] {
  if (each.count !== 0) return [each];
  const documents = DOCUMENTS[each.kind];
  if (!documents) return [];
  const note = `there are none, or the documents lack them: ${documents[isLocal ? "local" : "portal"]}`;
  return [{ ...each, comes: "no", note }];
}

const DOCUMENTS: Partial<Record<CopyItem["kind"], { readonly portal: string; readonly local: string }>> = {
  programs: { portal: "/api/programs and /api/triggers", local: "/rest/programs and programs.xml or *.PGM" },
  scenes: { portal: "/api/nodes, /api/groups", local: "/rest/nodes" },
  "network-resources": { portal: "/rest/networking/resources", local: "/rest/networking/resources" },
  variables: { portal: "/api/variables/1 and 2", local: "/rest/vars/get and /rest/vars/definitions" },
};

/** Without a document of its levels a scene turns its members fully on. */
function scenesItem({ tree, isLocal, scenesWithLevels }: TwinPlan): CopyItem {
  const count = tree.groups.length;
  if (!isLocal || scenesWithLevels === count) return item("scenes", "scenes", count, "yes", WITH_LEVELS);
  const missing = `with members; the levels of ${count - scenesWithLevels} could not be read, so these turn their members fully on`;
  return item("scenes", "scenes", count, "yes", missing);
}

function variablesNote({ variablesWithoutValue: missing }: TwinPlan): string {
  if (missing === 0) return "with values, initial values and precision";
  return `the names; the values of ${missing} are in no document, so these are 0`;
}

/** Schedules run by it. */
function zoneItem(zone: string): CopyItem {
  const note = `the other controller does not name it; this home gets ${zone}, that of this machine: domovoi place --zone`;
  return item("time-zone", "time zone", null, "no", note, zone);
}

/** Rows beyond these are counted. */
const STATEMENTS_MAX = 200;

function statementItems(unread: TwinPlan["unread"]): readonly CopyItem[] {
  const rows = unread.slice(0, STATEMENTS_MAX).map(({ program, place, line, element, detail }) => {
    const sentence = `${placeWords(place)}(line ${line}): <${element}> ${detail}`;
    return item("unread-statement", `statement of ${program}`, 1, "no", sentence, `${program}: ${sentence}`);
  });
  const more = unread.length - rows.length;
  const sentence = "they are named in the texts of the programs";
  return more > 0 ? [...rows, item("unread-statement", "more statements", more, "no", sentence, sentence)] : rows;
}

/** `if[0].conditions[2]`: `If 1.3 `, as people count. */
function placeWords(place: string): string {
  const [list = ""] = place.split("[");
  const numbers = Array.from(place.matchAll(/\[(\d+)\]/g), ([, at]) => Number(at) + 1);
  return place === "" ? "" : `${list.charAt(0).toUpperCase()}${list.slice(1)} ${numbers.join(".")} `;
}

function foreignItem(foreign: readonly ProgramDefinition[]): CopyItem {
  const names = namesOf(foreign);
  const note = `stored but not run: ${names}`;
  return item("foreign-programs", "programs not understood", foreign.length, "no", note, names);
}

/** No document of the interface lists them. */
const NEVER: readonly CopyItem[] = [
  item("accounts", "accounts, passwords", null, "no", NEW_ACCOUNTS),
  item("radio-keys", "keys of radio networks", null, "no", NEW_KEYS),
  item("device-parameters", "parameters of devices", null, "no", "they stay in the devices"),
  item("notification-addresses", "notification addresses", null, "no", "add channels on Domovoi: domovoi channel add"),
  item("past", "history and logs", null, "no", "they stay at the other controller"),
];

/** By what the nodes of one name wait for. */
function nodesItem(name: string, families: readonly number[]): CopyItem {
  const made = (kind: CopyItem["kind"], note: string) =>
    item(kind, `nodes of ${name}`, families.length, "later", note, name);
  if (families.every((family) => family === WIRED.id)) return made("modem-nodes", BY_MODEM);
  const isRadio = families.every((family) => familyOf(family).radio?.hasDeviceTypes);
  return isRadio ? made("radio-nodes", BY_RADIO) : made("other-nodes", BY_REPLACING);
}

/** As owners call it. */
function nameOf(family: number): string {
  const { id, name } = familyOf(family);
  return id === WIRED.id ? "Insteon" : name || `family ${family}`;
}

function item(
  kind: CopyItem["kind"],
  what: string,
  count: number | null,
  comes: CopyItem["comes"],
  note: string,
  detail = "",
): CopyItem {
  return { kind, what, count, comes, note, detail };
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
