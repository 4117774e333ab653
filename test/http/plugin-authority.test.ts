import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { createPluginAuthority } from "../../src/http/plugin-authority.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { MemoryAccounts } from "../auth/memory-accounts.ts";

test("certificates of plugins are valid at any date that a machine without a clock may have", async () => {
  const clock = new VirtualClock(Date.UTC(2026, 4, 2));
  const authority = createPluginAuthority({ accounts: new MemoryAccounts(), clock, randomness: seededRandomness(1) });
  const pairs = [await authority.broker(), await authority.client("id")];
  for (const { cert, ca } of pairs) {
    const [leaf, issuer] = [new X509Certificate(cert), new X509Certificate(ca)];
    expect(leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey)).toBe(true);
    for (const { validFromDate, validToDate } of [leaf, issuer]) {
      expect(validFromDate.getTime()).toBe(0);
      expect(validToDate.getUTCFullYear()).toBe(9999);
    }
  }
});
