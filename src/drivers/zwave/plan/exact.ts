/**
 * Numbers as the home stores them: an integer and a number of decimals. Z-Wave sends exactly that, but the library hands
 * out fractions; the decimals are found again, so that 21.7 is 217 tenths and not 21.699999.
 */

type ExactNumber = { readonly value: number; readonly prec: number };

const PREC_MAX = 7;

/**
 * @param prec least number of decimals, so that 21 and 21.5 get the same precision.
 * @returns null for a number that is not finite, or too large to be exact.
 */
export function toDecimal(number: number, prec: number): ExactNumber | null {
  for (let decimals = Math.max(0, prec); decimals <= PREC_MAX; decimals += 1) {
    const value = Math.round(number * 10 ** decimals);
    if (!Number.isSafeInteger(value)) return null;
    if (value / 10 ** decimals === number) return { value: value + 0, prec: decimals };
  }
  const value = Math.round(number * 10 ** PREC_MAX);
  return Number.isSafeInteger(value) ? { value: value + 0, prec: PREC_MAX } : null;
}

export function fromDecimal({ value, prec }: ExactNumber): number {
  return value / 10 ** prec;
}

/** 0 … 99 as Z-Wave counts levels, as 0 … 100 %: 99 is full, and so is 255, which also means "on". 254: not known, 101. */
export function levelToPercent(level: number): number | null {
  if (!Number.isInteger(level) || level < 0 || level > BYTE_MAX) return null;
  if (level > PERCENT_MAX && level < BYTE_MAX) return UNKNOWN_PERCENT;
  return level >= LEVEL_MAX ? PERCENT_MAX : level;
}

/** @param percent 0 … 100, rounded. */
export function percentToLevel(percent: number): number {
  const whole = Math.round(percent);
  return whole <= 0 ? 0 : Math.min(whole, LEVEL_MAX);
}

const LEVEL_MAX = 99;
const PERCENT_MAX = 100;
const BYTE_MAX = 255;
const UNKNOWN_PERCENT = 101;
