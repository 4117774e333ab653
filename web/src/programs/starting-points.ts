/**
 * Programs that nearly every home has, as text to begin with. A new one is a row in `STARTING_POINTS`, and its texts.
 *
 * @see docs/programs.md
 */

import { type Home, isLevel, type Node, type NodeRole, valueOfWord } from "@domovoi/client";
import { controlOf } from "../store/controls.ts";
import { type TextKey, t } from "../text/text.ts";

/** What the person is asked for: nodes of some roles, a room, a state variable, or a notification channel. */
type Question = {
  readonly key: string;
  readonly label: TextKey;
  readonly of: readonly NodeRole[] | "room" | "variable" | "channel";
  readonly isMany?: true;
  readonly isOptional?: true;
};

/** Lines of text by the key of the question: the things chosen there. */
type Answers = { readonly home: Home; readonly of: (key: string) => readonly string[] };

type StartingPoint = {
  readonly name: "motion" | "away" | "sunset" | "leak" | "open";
  readonly questions: readonly Question[];
  readonly lines: (answers: Answers) => readonly string[];
};

const ROOM: Question = { key: "room", label: "start.room", of: "room" };
const ANY_ROOM: Question = { ...ROOM, label: "start.anyRoom", isOptional: true };
const CHANNEL: Question = { key: "channel", label: "start.channel", of: "channel", isOptional: true };

export const STARTING_POINTS: readonly StartingPoint[] = [
  {
    name: "motion",
    questions: [ROOM],
    lines: (answers) => [
      "If",
      `Control any motion sensor${inRoom(answers)} is switched DON`,
      "Then",
      `Set all lamps${inRoom(answers)} On`,
      "Wait 5 minutes",
      `Set all lamps${inRoom(answers)} Off`,
    ],
  },
  {
    name: "away",
    questions: [
      { key: "variable", label: "start.away", of: "variable" },
      { key: "locks", label: "start.locks", of: ["lock"], isMany: true, isOptional: true },
    ],
    lines: (answers) => [
      "If",
      ...answers.of("variable").map((id) => `State variable ${variableName(answers.home, id)} is 1`),
      "Then",
      "Set all lamps Off",
      ...each(answers, "locks", "off"),
    ],
  },
  {
    name: "sunset",
    questions: [ANY_ROOM],
    lines: (answers) => [
      "If",
      "From sunset to 23:00",
      "Then",
      `Set all lamps${inRoom(answers)} On`,
      "Else",
      `Set all lamps${inRoom(answers)} Off`,
    ],
  },
  {
    name: "leak",
    questions: [{ key: "valves", label: "start.valves", of: ["valve"], isMany: true, isOptional: true }, CHANNEL],
    lines: (answers) => [
      "If",
      "Status of any leak sensor is Wet",
      "Then",
      ...each(answers, "valves", "off"),
      ...notify(answers, "start.leakMessage"),
    ],
  },
  {
    name: "open",
    questions: [{ key: "sensor", label: "start.door", of: ["contact", "garage-door"] }, CHANNEL],
    lines: (answers) => [
      "If",
      ...answers.of("sensor").map((address) => {
        const words = activeWords(answers.home.nodes.find(address));
        return `Status ${nodeName(answers.home, address)} ST ${words} for 10 minutes`;
      }),
      "Then",
      ...notify(answers, "start.openMessage"),
    ],
  },
];

/** The nodes that a question offers. */
export function nodesFor(home: Home, { of }: Question): readonly Node[] {
  if (typeof of === "string") return [];
  return [...home.nodes]
    .filter((node) => node.enabled && of.includes(node.role ?? "other"))
    .sort((one, other) => one.path.localeCompare(other.path));
}

/** @param header the stored text of the new program, up to its first clause @param form by the keys of the questions */
export function textOf({ lines }: StartingPoint, home: Home, header: string, form: FormData): string {
  const of = (key: string) => form.getAll(key).map(String).filter(Boolean);
  const head = header.slice(0, header.search(/^If$/m));
  return `${head}${lines({ home, of })
    .map((line) => (/^(?:If|Then|Else)$/.test(line) ? line : `    ${line}`))
    .join("\n")}\n`;
}

function quoted(name: string): string {
  return `'${name.replace(/[\\']/g, "\\$&")}'`;
}

function nodeName(home: Home, address: string): string {
  return `${quoted(home.nodes.find(address)?.name ?? "")} [${address}]`;
}

function variableName(home: Home, id: string): string {
  return `${quoted([...home.variables].find((variable) => String(variable.type) === "2" && String(variable.id) === id)?.name ?? "")} [${id}]`;
}

/** Nothing for the whole home. */
function inRoom({ home, of }: Answers): string {
  const [address] = of("room");
  return address === undefined ? "" : ` in ${quoted(home.folders.find(address)?.name ?? "")} [${address}]`;
}

/** The comparison that `isActive` makes, as text. What is not known is not active, but for the codes of a level. */
function activeWords(node: Node | null | undefined): string {
  const uom = Number(node?.properties.get("ST")?.uom ?? 0);
  const role = node?.role ?? null;
  const [active] = ACTIVE.flatMap((word) => valueOfWord(word, uom, role) ?? []);
  return active === undefined || (active !== 0 && isLevel(uom)) ? `is not 0 unit ${uom}` : `is ${active} unit ${uom}`;
}

const ACTIVE = ["wet", "open", "on"] as const;

/** A lock is locked by its "off". */
function each({ home, of }: Answers, key: string, state: "on" | "off"): readonly string[] {
  return of(key).flatMap((address) => {
    const node = home.nodes.find(address);
    const control = node && controlOf(home, node);
    if (!control || control.kind === "value") return [];
    const press =
      control.kind === "lock"
        ? control.lock
        : control.kind === "cover"
          ? state === "on"
            ? control.open
            : control.close
          : control[state];
    return [`Set ${nodeName(home, address)} ${press.join(" ")}`];
  });
}

function notify({ of }: Answers, message: TextKey): readonly string[] {
  return of("channel").map((channel) => `Send notification ${quoted(t(message))} to ${quoted(channel)}`);
}
