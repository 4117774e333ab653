/** The control of a node in a row, by its role; its definition says which commands it takes. */

import {
  type CommandDefinition,
  type CommandWord,
  commandOf,
  type Home,
  type Node,
  type Nodedef,
} from "@domovoi/client";

/** A command, and the value that it takes. */
export type Press = readonly [command: string, ...values: number[]];

export type Control =
  | { readonly kind: "switch" | "siren"; readonly on: Press; readonly off: Press }
  | { readonly kind: "level"; readonly on: Press; readonly off: Press; readonly min: number; readonly max: number }
  | { readonly kind: "cover"; readonly open: Press; readonly stop: Press | null; readonly close: Press }
  | { readonly kind: "lock"; readonly lock: Press; readonly unlock: Press }
  | { readonly kind: "value" };

const PERCENT = "51";
const BYTE = "100";
const MOVERS: ReadonlySet<string> = new Set(["cover", "garage-door"]);
const LEVELS: ReadonlySet<string> = new Set(["dimmer", "color-lamp", "white-lamp"]);
/** They have more to set than a row shows. */
const ADJUSTABLE: ReadonlySet<string> = new Set(["thermostat", "color-lamp", "white-lamp", "fan", "cover"]);

export function controlOf(home: Home, node: Node): Control {
  const { nodedef, role } = node;
  if (!nodedef) return { kind: "value" };
  const accepts = (id: string) => nodedef.accepts.find((command) => command.id === id);
  const press = (word: CommandWord) => pressOf(nodedef, word);
  if (role === "lock") {
    const [lock, unlock] = [press("lock"), press("unlock")];
    return lock && unlock ? { kind: "lock", lock, unlock } : { kind: "value" };
  }
  if (MOVERS.has(role ?? "")) {
    const [open, close] = [press("open"), press("close")];
    return open && close ? { kind: "cover", open, stop: press("stop"), close } : { kind: "value" };
  }
  const [on, off] = [accepts("DON"), press("off")];
  if (!on || !off) return { kind: "value" };
  const level = LEVELS.has(role ?? "") ? levelOf(home, nodedef, on) : null;
  if (level) return { kind: "level", on: ["DON"], off, ...level };
  return { kind: role === "siren" ? "siren" : "switch", on: ["DON"], off };
}

/** Pressed by mistake, they lose data. */
const LOSES_DATA = /^(?:reset|clear|erase)/i;

/** Commands that are asked about first: of what is secured, of sirens, and those that lose data. */
export function asksFirst({ isSecured, role }: Node, { id, name }: CommandDefinition): boolean {
  return isSecured || (role === "siren" && id === "DON") || [id, name].some((each) => LOSES_DATA.test(each));
}

/** What the control may send; a stop is left out. */
export function pressesOf(control: Control): readonly Press[] {
  switch (control.kind) {
    case "cover":
      return [control.open, control.close];
    case "lock":
      return [control.lock, control.unlock];
    case "value":
      return [];
    default:
      return [control.on, control.off];
  }
}

/** null: the node has no such command. */
export function pressOf(nodedef: Nodedef, word: CommandWord): Press | null {
  const found = commandOf(word, nodedef);
  return found && [found.command, ...(found.parameter === null ? [] : [found.parameter])];
}

export function isAdjustable({ role, enabled }: Node): boolean {
  return enabled && ADJUSTABLE.has(role ?? "");
}

/** The range of the level that an On takes, when it takes one of more than two values. */
export function levelOf(
  home: Home,
  { family, instance }: Nodedef,
  on: CommandDefinition,
): { readonly min: number; readonly max: number } | null {
  const [parameter] = on.parameters;
  const editor = parameter && home.profile.editor(parameter.editor, family, instance);
  const range = editor?.ranges.find(({ uom }) => uom === PERCENT) ?? editor?.ranges.find(({ uom }) => uom === BYTE);
  if (!range || range.subset !== null) return null;
  const { min, max } = range;
  return min !== null && max !== null && max > min + 1 ? { min, max } : null;
}
