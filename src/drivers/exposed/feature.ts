/** What a node has: a property with its editor, read from messages, and the commands that set it. */

import { encodeEditorId } from "../../profile/encoded-editor.ts";
import type { StateShape } from "../../profile/state-shapes.ts";
import { UOM } from "../../profile/uom.ts";
import type { CommandParameterValue } from "../command.ts";
import {
  hashOf,
  MASK_MAX,
  type NodeFeature,
  type NumberShape,
  numberPart,
  type SpelledCommand,
  spelledCommand,
  statePart,
} from "../node-parts.ts";
import type { Plain } from "./expose.ts";

/** A message of a device, or one for it: JSON by the keys of its exposes. */
export type Message = Readonly<Record<string, unknown>>;

export type ExposedFeature = NodeFeature<Message> & {
  /** Keys that are asked for with a query. */
  readonly asked: readonly string[];
};

export type ExposedCommand = SpelledCommand & {
  /** null: the parameters do not fit. */
  message(parameters: readonly CommandParameterValue[]): Message | null;
};

/** What a row of the table makes of an expose. */
export type ExposedPart = {
  readonly features: readonly ExposedFeature[];
  readonly commands: readonly ExposedCommand[];
};

type Read = { readonly property: string; readonly access?: number };

const valueIn = (property: string) => (message: Message) =>
  Object.hasOwn(message, property) ? message[property] : undefined;
const askedFor = ({ property, access = 1 }: Read) => ((access & 4) === 0 ? [] : [property]);

export function numberFeature(
  id: string,
  given: Read &
    NumberShape & {
      /** From the number of the message to the displayed value. Default: as it is. */
      readonly shown?: (value: number, message: Message) => number | null;
    },
): ExposedFeature {
  return { ...numberPart(id, given, valueIn(given.property), given.shown), asked: askedFor(given) };
}

export function stateFeature(
  id: string,
  shape: StateShape,
  given: Read & { readonly is: (value: unknown) => boolean | null; readonly label?: string | null },
): ExposedFeature {
  return { ...statePart(id, shape, given.label ?? null, valueIn(given.property), given.is), asked: askedFor(given) };
}

/** One of a list: its place in the list is the value. */
export function indexFeature(
  id: string,
  given: {
    readonly property: string;
    readonly values: readonly Plain[];
    readonly label: string | null;
    readonly access: number;
    readonly prefix: string;
  },
): ExposedFeature {
  const { property, label, prefix } = given;
  const values = given.values.slice(0, MASK_MAX + 1);
  const key = `${prefix}E${hashOf(values)}`;
  return {
    id,
    editor: encodeEditorId({ uom: UOM.index, prec: 0, bounds: null, values: values.map((_, at) => at), prefix: key }),
    uom: UOM.index,
    prec: 0,
    label,
    names: Object.fromEntries(values.map((value, at) => [`${key}-${at}`, String(value)])),
    asked: askedFor(given),
    read(message) {
      if (!Object.hasOwn(message, property)) return undefined;
      const at = values.indexOf(message[property] as Plain);
      return at < 0 ? null : at;
    },
  };
}

export function command(
  id: string,
  message: ExposedCommand["message"],
  editor: string | null = null,
  more: { readonly isOptional?: boolean; readonly label?: string | null } = {},
): ExposedCommand {
  return { ...spelledCommand(id, { editor, ...more }), message };
}
