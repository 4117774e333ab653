/** The code of a device: the digits that are printed on it, or the text of its QR code. Specification 5.1. */

import { ControllerError } from "../../errors.ts";
import type { PairingCode } from "./controller-messages.ts";

const QR_PREFIX = "MT:";
const QR_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.";
/** Characters of the code for so many bytes. */
const CHUNK = { characters: 5, bytes: 3 } as const;
const BYTES_BY_CHARACTERS: Readonly<Record<number, number>> = { 2: 1, 4: 2, 5: 3 };
/** Where the parts of the QR code begin, in bits, and how long they are. */
const BITS = { version: [0, 3], discriminator: [45, 12], passcode: [57, 27] } as const;
const MANUAL_LENGTHS: readonly number[] = [11, 21];
/** Codes that the specification forbids, because they are easy to guess. */
const TRIVIAL = new Set([0, 12_345_678, 87_654_321, ...Array.from({ length: 9 }, (_, at) => (at + 1) * 11_111_111)]);
const PASSCODE_MAX = 99_999_998;

/** @throws ControllerError PAIRING_CODE_INVALID */
export function readPairingCode(text: string): PairingCode {
  const plain = text.trim();
  const code = plain.toUpperCase().startsWith(QR_PREFIX) ? readQr(plain.slice(QR_PREFIX.length)) : readDigits(plain);
  if (!code || TRIVIAL.has(code.passcode) || code.passcode > PASSCODE_MAX)
    throw new ControllerError("PAIRING_CODE_INVALID");
  return code;
}

/** Spaces and dashes are for people. */
function readDigits(text: string): PairingCode | null {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d+$/.test(digits) || !MANUAL_LENGTHS.includes(digits.length) || Number(digits[0]) > 7) return null;
  if (checkDigit(digits.slice(0, -1)) !== Number(digits.at(-1))) return null;
  const [first, middle, last] = [Number(digits[0]), Number(digits.slice(1, 6)), Number(digits.slice(6, 10))];
  return {
    passcode: (middle & 0x3fff) | (last << 14),
    discriminator: null,
    shortDiscriminator: ((first & 3) << 2) | (middle >> 14),
  };
}

function readQr(text: string): PairingCode | null {
  // A code for several devices holds one after the other.
  const bytes = decodeBase38(text.split("*", 1)[0] ?? "");
  if (!bytes) return null;
  const bits = bytes.reduce((sum, byte, at) => sum | (BigInt(byte) << BigInt(8 * at)), 0n);
  const part = ([from, length]: readonly [number, number]) =>
    Number((bits >> BigInt(from)) & ((1n << BigInt(length)) - 1n));
  if (part(BITS.version) !== 0 || bytes.length * 8 < BITS.passcode[0] + BITS.passcode[1]) return null;
  const discriminator = part(BITS.discriminator);
  return { passcode: part(BITS.passcode), discriminator, shortDiscriminator: discriminator >> 8 };
}

function decodeBase38(text: string): readonly number[] | null {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += CHUNK.characters) {
    const chunk = [...text.slice(at, at + CHUNK.characters)].map((each) => QR_DIGITS.indexOf(each));
    const count = BYTES_BY_CHARACTERS[chunk.length];
    if (count === undefined || chunk.includes(-1)) return null;
    let value = chunk.reduceRight((sum, digit) => sum * QR_DIGITS.length + digit, 0);
    for (let byte = 0; byte < count; byte += 1) {
      bytes.push(value % 256);
      value = Math.floor(value / 256);
    }
    if (value > 0) return null;
  }
  return bytes;
}

/** Verhoeff's check digit: multiplication in the dihedral group of order 10, after a permutation by the place. */
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((check, digit, at) => times(check, permuted(Number(digit), at + 1)), 0);
  return sum < 5 ? (5 - sum) % 5 : sum;
}

function times(one: number, other: number): number {
  const turn = other % 5;
  if (one < 5) return other < 5 ? (one + turn) % 5 : 5 + ((one + turn) % 5);
  const back = (one - 5 - turn + 5) % 5;
  return other < 5 ? 5 + back : back;
}

const PERMUTATION: readonly number[] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

function permuted(digit: number, count: number): number {
  let value = digit;
  for (let at = 0; at < count % 8; at += 1) value = PERMUTATION[value] ?? 0;
  return value;
}
