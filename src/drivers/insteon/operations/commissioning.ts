/** The operations of the driver: linking, removing, replacing, repairing, importing. Long ones go on after a restart. */

import { badValue, ControllerError } from "../../../errors.ts";
import { WIRED } from "../../../families.ts";
import { isOver, type Operation } from "../../../home/operation.ts";
import { isRecord } from "../../../util/is-record.ts";
import { messageOf } from "../../../util/message-of.ts";
import { type OperationInput, type OperationRow, OperationTable } from "../../operation-table.ts";
import { membersSchema, type SettingSchema } from "../../settings-schema.ts";
import { parametersOf, readParameter, Unanswered, writeParameter } from "../devices/parameters.ts";
import { PARAMETERS } from "../devices/parameters-table.ts";
import { addX10 } from "../devices/x10.ts";
import type { LinkTurn } from "../links/linking.ts";
import { importScenes } from "../links/scene-import.ts";
import type { Running } from "../running.ts";
import { exclude, include } from "./inclusion.ts";
import { repairLinks } from "./repair.ts";
import { replaceDevice, replaceModem } from "./replacement.ts";

type Kind = OperationRow & {
  readonly work: (turn: LinkTurn, input: OperationInput) => Promise<string>;
  /** It compares what is there with what is wanted, so that it can be begun again. */
  readonly isResumed?: true;
};

const LABEL: SettingSchema = {
  type: "string",
  title: "Label",
  description:
    "The address on the label of the device, such as 1A.2B.3C. Without it, the device is linked with its SET button.",
  pattern: "^[0-9A-Fa-f]{1,2}([. ]?[0-9A-Fa-f]{2}|[. ][0-9A-Fa-f]){2}$",
};
const NODE: SettingSchema = {
  type: "string",
  title: "Device",
  description: "The address of a node of the device, such as 1A 2B 3C 1.",
};

const KINDS: Readonly<Record<string, Kind>> = {
  include: {
    name: "Link a device",
    about: "Links a device with the modem in both directions, by the address on its label or with its SET button.",
    input: membersSchema({ label: LABEL }),
    work: (turn, { label }) => include(turn, textOf(label)),
  },
  "add-x10": {
    name: "Add an X10 device",
    about: "Adds a node for an X10 device, by its house code and unit code.",
    input: membersSchema(
      {
        code: {
          type: "string",
          title: "Code",
          description: "House code and unit code together, such as A1 or P16.",
          pattern: "^[A-Pa-p](1[0-6]|[1-9])$",
        },
      },
      "code",
    ),
    work: async ({ running }, { code }) => addX10(running.book, textOf(code) ?? ""),
  },
  exclude: {
    name: "Remove a device",
    about: "Deletes the links of a device in the device, the modem and the other devices.",
    input: membersSchema({
      address: { ...NODE, description: `${NODE.description} Without it, the device is removed with its SET button.` },
      force: { type: "boolean", title: "Force", description: "Also when the device does not answer.", default: false },
    }),
    work: (turn, { address, force }) => exclude(turn, textOf(address), force === true),
  },
  "replace-device": {
    name: "Replace a device",
    about: "Gives a new device the links of a broken one of the same kind.",
    input: membersSchema({ address: NODE, label: LABEL }, "address"),
    work: (turn, { address, label }) => replaceDevice(turn, textOf(address) ?? "", textOf(label)),
  },
  "replace-modem": {
    name: "Replace the modem",
    about: "Writes the links of the former modem into the connected one, and the new modem into all devices.",
    input: membersSchema({}),
    work: replaceModem,
    isResumed: true,
  },
  "repair-links": {
    name: "Repair links",
    about: "Compares the two sides of all links, and writes the halves that are missing.",
    input: membersSchema({}),
    work: repairLinks,
    isResumed: true,
  },
  configure: {
    name: "Configure a device",
    about: "Reads or writes a parameter of a device.",
    input: membersSchema(
      {
        address: { ...NODE, description: "The address of a node of the device; of a keypad, that of the button." },
        parameter: { type: "string", title: "Parameter", enum: PARAMETERS.map(({ name }) => name) },
        value: {
          type: "integer",
          title: "Value",
          description: "A number; see docs/insteon.md. Without it, the parameter is read.",
          minimum: 0,
          maximum: 255,
        },
      },
      "address",
      "parameter",
    ),
    work: (turn, { address, parameter, value }) =>
      configure(turn, textOf(address) ?? "", textOf(parameter) ?? "", typeof value === "number" ? value : null),
  },
  "import-scenes": {
    name: "Import scenes",
    about: "Makes scenes of the links that modem and devices have already.",
    input: membersSchema({}),
    work: importScenes,
  },
};

const KEY = "operation";

export class InsteonCommissioning extends OperationTable<Running, Kind> {
  constructor(running: () => Running | null) {
    super(KINDS, running);
  }

  protected carryOut(
    running: Running,
    kind: string,
    { about, isResumed, work }: Kind,
    given: OperationInput,
  ): Operation {
    const { host, stopping } = running;
    const ground = { host, family: WIRED.id, lost: stopping.signal, sentenceOf: messageOf };
    return this.operations.begin(ground, kind, textOf(given.address), about, async (turn) => {
      if (isResumed) host.store.set(KEY, { kind });
      await host.store.saved();
      try {
        return await work({ ...turn, running }, given);
      } finally {
        if (!stopping.signal.aborted) host.store.delete(KEY);
      }
    });
  }

  /** Goes on with what a restart cut short. */
  resume({ host }: Running): void {
    const stored = host.store.get(KEY);
    const kind = isRecord(stored) ? stored.kind : null;
    const current = this.operation();
    // Its owner may have begun one while the devices were read.
    if (current && !isOver(current)) return;
    if (typeof kind === "string" && KINDS[kind]?.isResumed) this.begin(kind, {});
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Reads or writes a parameter of a device by its name.
 * @param value null: the parameter is read
 * @throws ControllerError NODE_NOT_FOUND, PARAMETER_NOT_FOUND, BAD_VALUE, DEVICE_TIMEOUT, DEVICE_FAILED
 */
async function configure(turn: LinkTurn, address: string, name: string, value: number | null): Promise<string> {
  const { running, signal, tell } = turn;
  const found = running.book.find(address);
  if (!found) throw new ControllerError("NODE_NOT_FOUND", `There is no Insteon device with the address "${address}".`);
  const known = parametersOf(found.device, found.node);
  const parameter = known.find((each) => each.name === name);
  if (!parameter) throw new ControllerError("PARAMETER_NOT_FOUND", namesOf(known.map((each) => each.name)));
  if (value !== null && value > parameter.max) throw badValue(`The parameter ${name} is 0 to ${parameter.max}.`);
  const target = { modem: running.modem, ...found, signal };
  tell({ stage: "working", address, detail: value === null ? "Reading the parameter." : "Writing the parameter." });
  try {
    if (value === null) return `The parameter ${name} is ${await readParameter(target, parameter)}.`;
    await writeParameter(target, parameter, value);
    return `The parameter ${name} is ${value} now.`;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    const isRefused = error.answer.kind === "nak";
    throw isRefused
      ? new ControllerError("DEVICE_FAILED", "The device refused the parameter.")
      : new ControllerError("DEVICE_TIMEOUT", "The device does not answer.");
  }
}

function namesOf(names: readonly string[]): string {
  if (names.length === 0) return "This node has no parameters.";
  return `This node has no such parameter. Its parameters are ${names.join(", ")}.`;
}
