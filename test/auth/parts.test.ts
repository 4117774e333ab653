import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ServiceAccountBook } from "../../src/auth/service-accounts.ts";
import { createFingerprint } from "../../src/util/fingerprint.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { RecentlyUsed } from "../../src/util/recently-used.ts";
import { sourceNetwork } from "../../src/util/source-network.ts";

describe("a source", () => {
  test.each([
    ["192.168.1.20", "192.168.1.20"],
    ["::ffff:192.168.1.20", "192.168.1.20"],
    ["::FFFF:192.168.1.20", "192.168.1.20"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:1::", "2001:db8:1:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
    ["fe80::1%eth0", "fe80::1"],
    ["fe80::2", "fe80::2"],
    ["", ""],
  ])("%j is %j", (address, source) => {
    expect(sourceNetwork(address)).toBe(source);
  });
});

describe("a fingerprint", () => {
  test("is the same for the same texts only, and of one run only", () => {
    const fingerprint = createFingerprint(systemRandomness);
    const other = createFingerprint(systemRandomness);
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.array(fc.string(), { minLength: 1 }), (one, another) => {
        expect(fingerprint(...one) === fingerprint(...another)).toBe(JSON.stringify(one) === JSON.stringify(another));
        expect(fingerprint(...one)).not.toBe(other(...one));
      }),
    );
    expect(fingerprint("ab", "c")).not.toBe(fingerprint("a", "bc"));
  });
});

describe("recently used entries", () => {
  test("stays, and what was unused for longest goes", () => {
    const recent = new RecentlyUsed<number>(2);
    recent.set("a", 1);
    recent.set("b", 2);
    recent.get("a");
    recent.set("c", 3);
    expect([recent.get("a"), recent.get("b"), recent.get("c")]).toEqual([1, undefined, 3]);
    recent.set("c", 4);
    expect([recent.get("a"), recent.get("c")]).toEqual([1, 4]);
  });
});

describe("an account of a program", () => {
  const revoked: string[] = [];
  const book = new ServiceAccountBook(systemRandomness, (id) => revoked.push(id));

  test("works from this machine only, with its last password, and its streams end with it", () => {
    const first = book.grant("plugin", "user");
    expect(book.find("plugin", first, "127.0.0.1")).toMatchObject({ login: "plugin", role: "user", view: null });
    expect([book.find("plugin", first, "192.168.1.20"), book.find("plugin", "wrong", "::1")]).toEqual([null, null]);
    const second = book.grant("plugin", "guest");
    expect(revoked).toEqual(["service plugin"]);
    expect(book.find("plugin", first, "::1")).toBeNull();
    expect(book.find("plugin", second, "::1")).toMatchObject({ role: "guest" });
    book.revoke("plugin");
    book.revoke("plugin");
    expect([revoked.length, book.find("plugin", second, "::1")]).toEqual([2, null]);
  });
});
