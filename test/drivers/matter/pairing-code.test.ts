/** Codes of Matter devices are read as the library of Matter reads them. */

import { expect, test } from "vitest";
import { readPairingCode } from "../../../src/drivers/matter/pairing-code.ts";
import "../../support/matter-network.ts";

const { ManualPairingCodeCodec, QrPairingCodeCodec } = await import("@matter/main/types");

/** Codes with every kind of passcode and discriminator, made by the library. */
const CASES = [
  [20_202_021, 3840],
  [1, 0],
  [99_999_998, 4095],
  [34_567_890, 1234],
  [16_384, 255],
] as const;

test.each(CASES)(
  "the passcode %i with the discriminator %i is read from digits and from the QR text",
  (passcode, discriminator) => {
    const shortDiscriminator = discriminator >> 8;
    const digits = ManualPairingCodeCodec.encode({ passcode, discriminator });
    expect(readPairingCode(digits)).toEqual({ passcode, discriminator: null, shortDiscriminator });
    const spaced = `${digits.slice(0, 4)}-${digits.slice(4, 7)} ${digits.slice(7)}`;
    expect(readPairingCode(spaced)).toEqual({ passcode, discriminator: null, shortDiscriminator });
    expect(readPairingCode(qr(passcode, discriminator))).toEqual({ passcode, discriminator, shortDiscriminator });
  },
);

test("digits with maker and product are read too", () => {
  const product = { vendorId: 0xfff1 as never, productId: 0x8001 };
  const digits = ManualPairingCodeCodec.encode({ passcode: 20_202_021, discriminator: 3840, ...product });
  expect(digits).toHaveLength(21);
  expect(readPairingCode(digits)).toEqual({ passcode: 20_202_021, discriminator: null, shortDiscriminator: 15 });
});

test("one wrong digit, and two that changed places, are noticed", () => {
  const digits = ManualPairingCodeCodec.encode({ passcode: 34_567_890, discriminator: 1234 });
  const wrong = [...digits].flatMap((digit, at) => {
    const swapped = [...digits];
    [swapped[at], swapped[at + 1]] = [swapped[at + 1] ?? "", digit];
    const other = `${digits.slice(0, at)}${(Number(digit) + 1) % 10}${digits.slice(at + 1)}`;
    return [other, ...(swapped.join("") === digits || at === digits.length - 1 ? [] : [swapped.join("")])];
  });
  for (const each of wrong)
    expect(() => readPairingCode(each), each).toThrow("This is not the code of a Matter device.");
});

test.each([
  "",
  "12345",
  "hello",
  "MT:",
  "MT:ABC",
  "MT:!!!!!!!!!!!!!!!!!!!",
  "94970112332",
  "00000000000",
  "MT:Y.K9042C00KA0648G0G",
])("%j is no code", (text) => {
  expect(() => readPairingCode(text)).toThrow(expect.objectContaining({ code: "PAIRING_CODE_INVALID" }));
});

test("a QR text of the specification is read", () => {
  expect(readPairingCode("MT:Y.K9042C00KA0648G00")).toEqual({
    ...{ passcode: 20_202_021, discriminator: 3840, shortDiscriminator: 15 },
  });
});

function qr(passcode: number, discriminator: number): string {
  return QrPairingCodeCodec.encode([
    {
      ...{ version: 0, vendorId: 0xfff1 as never, productId: 0x8001, flowType: 0, discriminator, passcode },
      discoveryCapabilities: 4,
    },
  ]);
}
