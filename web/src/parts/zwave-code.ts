/** The digits of a Z-Wave code: "90", version, checksum and keys that it asks for, then eight groups of five digits of its key. */

const CODE = /^90\d{50,}$/;
const KEY_AT = 12;
const PIN_DIGITS = 5;

/** The whole code; null when it is none. */
export function readZwaveCode(code: string): string | null {
  const digits = code.trim();
  return CODE.test(digits) ? digits : null;
}

/** The first five digits of the key, which a person types when a device joins. */
export function readZwavePin(code: string): string | null {
  return readZwaveCode(code)?.slice(KEY_AT, KEY_AT + PIN_DIGITS) ?? null;
}
