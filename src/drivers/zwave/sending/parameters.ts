/**
 * Configuration parameters. Their size and sign are those of the device's description where there is one, because that
 * decides how the bytes are read; a value may be written in either sign, as clients do.
 */

import { failed, type Outcome } from "../../command.ts";
import type { DeviceParameter, KnownParameter } from "../../driver.ts";
import type { ZWaveDevice } from "../library.ts";
import { CC } from "../plan/command-class-table.ts";
import type { RunningRadio } from "../radio.ts";
import { outcomeOfError, outcomeOfSupervision } from "./outcome.ts";

type Size = DeviceParameter["size"];
type Described = { readonly size: Size; readonly unsigned: boolean };

/** Those that its description or its interview names; a parameter that is described in parts has the names of all of them. */
export function knownParameters(device: ZWaveDevice): readonly KnownParameter[] {
  const ids = device
    .getDefinedValueIDs()
    .filter(({ commandClass, endpoint }) => commandClass === CC.configuration && !endpoint);
  const byNumber = Map.groupBy(ids, ({ property }) => property);
  return [...byNumber].flatMap(([number, parts]): readonly KnownParameter[] => {
    const described = typeof number === "number" ? describe(device, number) : null;
    if (typeof number !== "number" || !described) return [];
    const about = parts.map((part) => device.getValueMetadata(part) as Metadata);
    const [whole] = parts.some(({ propertyKey }) => propertyKey !== undefined) ? [] : about;
    const names = about.flatMap(({ label = "" }) => (UNNAMED.test(label) ? [] : [label]));
    const choices = Object.entries(whole?.states ?? {}).map(([value, name]) => ({ value: Number(value), name }));
    const { unit = "", allowManualEntry = choices.length === 0 } = whole ?? {};
    const { min = null, max = null } = allowManualEntry ? (whole ?? {}) : {};
    return [
      { number, size: described.size, name: names.join(", ").slice(0, NAME_MAX), unit, prec: 0, min, max, choices },
    ];
  });
}

const NAME_MAX = 200;
/** What the library calls a parameter of which it knows nothing. */
const UNNAMED = /^(Parameter #?\d+.*|Config Parameter.*|)$/i;
type Metadata = {
  readonly label?: string;
  readonly unit?: string;
  readonly min?: number;
  readonly max?: number;
  readonly states?: Readonly<Record<string, string>>;
  /** Whether values without a name are taken too. */
  readonly allowManualEntry?: boolean;
};

/** null when the device has no such parameter. @throws the library's error when the device cannot be queried. */
export async function readParameter(
  { library }: Pick<RunningRadio, "library">,
  device: ZWaveDevice,
  number: number,
): Promise<DeviceParameter | null> {
  try {
    const value = await device.commandClasses.Configuration.get(number);
    const described = describe(device, number);
    if (typeof value !== "number" || !described) return null;
    return { number, size: described.size, value: inSign(value, described.size, described.unsigned) };
  } catch (error) {
    // A device without the requested parameter answers with its next one.
    if (
      error instanceof library.ZWaveError &&
      NO_PARAMETER.some((name) => library.ZWaveErrorCodes[name] === error.code)
    ) {
      return null;
    }
    throw error;
  }
}

/** Never rejects. */
export async function writeParameter(
  radio: Pick<RunningRadio, "library">,
  device: ZWaveDevice,
  { number, size, value }: DeviceParameter,
): Promise<Outcome> {
  const configuration = device.commandClasses.Configuration;
  if (!configuration.isSupported()) return failed("unsupported", "The device has no parameters.");
  try {
    const described = await learn(radio, device, number);
    if (!described) return failed("bad-parameter", `The device has no parameter ${number}.`);
    if (described.size !== size) {
      return failed("bad-parameter", `The size of parameter ${number} is ${described.size}.`);
    }
    const isUnsigned = described.unsigned;
    const result = await configuration.set({
      parameter: number,
      value: inSign(value, size, isUnsigned),
      valueSize: size,
      valueFormat: isUnsigned ? UNSIGNED : SIGNED,
    });
    return outcomeOfSupervision(result);
  } catch (error) {
    return outcomeOfError(radio.library, error);
  }
}

/** Like `writeParameter`, with the size that the device is known to use. Never rejects. */
export async function writeParameterValue(
  radio: Pick<RunningRadio, "library">,
  device: ZWaveDevice,
  number: number,
  value: number,
): Promise<Outcome> {
  try {
    const described = await learn(radio, device, number);
    if (!described) return failed("bad-parameter", `The device has no parameter ${number}.`);
    return await writeParameter(radio, device, { number, size: described.size, value });
  } catch (error) {
    return outcomeOfError(radio.library, error);
  }
}

const NO_PARAMETER = ["ConfigurationCC_FirstParameterNumber", "Controller_NodeTimeout"] as const;
const SIGNED = 0;
const UNSIGNED = 1;

/** A device without descriptions is queried for the value, which comes with its size. */
async function learn(
  radio: Pick<RunningRadio, "library">,
  device: ZWaveDevice,
  number: number,
): Promise<Described | null> {
  const described = describe(device, number);
  if (described) return described;
  return (await readParameter(radio, device, number)) && describe(device, number);
}

/** A parameter that is described in parts is bits: it has the size of the whole, and no sign. */
function describe(device: ZWaveDevice, number: number): Described | null {
  const whole = { commandClass: CC.configuration, property: number };
  const part = device
    .getDefinedValueIDs()
    .find(
      ({ commandClass, property, endpoint }) => commandClass === CC.configuration && property === number && !endpoint,
    );
  // The library's metadata of a parameter has these two members more than that of other values.
  const { valueSize, format } = device.getValueMetadata(part ?? whole) as { valueSize?: number; format?: number };
  if (valueSize !== 1 && valueSize !== 2 && valueSize !== 4) return null;
  const isBits = part?.propertyKey !== undefined;
  return { size: valueSize, unsigned: isBits || (format !== undefined && format !== SIGNED) };
}

/** The same bytes read the other way, where the value does not fit the sign. */
function inSign(value: number, size: Size, isUnsigned: boolean): number {
  const all = 2 ** (8 * size);
  if (isUnsigned) return value < 0 ? value + all : value;
  return value >= all / 2 ? value - all : value;
}
