/** Targets of network resources: how they are spelled, and which of them are refused. */

import { describe, expect, test } from "vitest";
import {
  canonicalHost,
  isHomeNetwork,
  parseTargets,
  refuseKnownTarget,
  resolveTarget,
} from "../../src/util/network-target.ts";

test.each([
  ["EXAMPLE.com", "example.com"],
  ["example.com.", "example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["my_device", "my_device"],
  ["[FE80:0::1]", "fe80::1"],
  ["10.1", "10.0.0.1"],
])("%s is spelled %s", (host, expected) => {
  expect(canonicalHost(host)).toBe(expected);
});

describe("not refused", () => {
  const rules = { targets: parseTargets([]), ownAddresses: ["192.168.1.2"] };

  test.each(["192.168.1.50", "10.0.0.5", "172.16.3.4", "fd12:3456::1", "8.8.8.8", "2606:4700::1111", "chime.lan"])(
    "%s is a normal target",
    (host) => {
      expect(() => refuseKnownTarget(host, 80, rules)).not.toThrow();
    },
  );

  test.each([["localhost"], ["127.0.0.1"], ["::1"], ["127.0.0.0/8"]])(
    "localhost, when the owner lists %s",
    async (entry) => {
      const allowing = { ...rules, targets: parseTargets([entry]) };
      expect(() => refuseKnownTarget("localhost", 80, allowing)).not.toThrow();
    },
  );

  test("only the address that the owner lists", async () => {
    const allowing = { ...rules, targets: parseTargets(["127.0.0.1"]) };
    await expect(resolveTarget("127.0.0.1", 80, allowing, async () => [])).resolves.toMatchObject({
      host: "127.0.0.1",
    });
    await expect(resolveTarget("127.0.0.2", 80, allowing, async () => [])).rejects.toMatchObject({
      code: "TARGET_REFUSED",
    });
    await expect(resolveTarget("192.168.1.2", 80, allowing, async () => [])).rejects.toMatchObject({
      code: "TARGET_REFUSED",
    });
  });
});

describe("targets that the owner allows", () => {
  test.each<[string, string, string, number, boolean]>([
    ["nas.lan", "nas.lan", "127.0.0.1", 80, true],
    ["NAS.lan:8080", "nas.lan", "127.0.0.1", 8080, true],
    ["nas.lan:8080", "nas.lan", "127.0.0.1", 80, false],
    ["nas.lan", "other.lan", "127.0.0.1", 80, false],
    ["127.0.0.1", "127.0.0.1", "127.0.0.1", 80, true],
    ["127.0.0.1:1880", "anything", "127.0.0.1", 1880, true],
    ["127.0.0.1:1880", "anything", "127.0.0.1", 8443, false],
    ["169.254.0.0/16", "x", "169.254.7.7", 80, true],
    ["169.254.0.0/16", "x", "169.255.0.1", 80, false],
    ["169.254.0.0/16:80", "x", "169.254.7.7", 81, false],
    ["::1", "::1", "::1", 80, true],
    ["[::1]:80", "::1", "::1", 81, false],
    ["fe80::/10", "x", "fe80::5", 80, true],
    ["fe80::/10", "x", "127.0.0.1", 80, false],
  ])("%s lets %s (%s) port %i through: %s", (entry, host, address, port, expected) => {
    expect(parseTargets(["10.0.0.1", entry]).allows(host, address, port)).toBe(expected);
  });

  test.each(["", "a b", "10.0.0.0/33", "10.0.0.0/x", "fe80::/129", "host/8", "host:99999", "[::1", "10.0.0.0/8/8"])(
    "%j is named as no target",
    (entry) => {
      expect(() => parseTargets([entry])).toThrow("networkTargets");
    },
  );
});

test.each([
  ["127.0.0.1", true],
  ["192.168.7.9", true],
  ["172.31.255.255", true],
  ["172.32.0.1", false],
  ["8.8.8.8", false],
  ["::1", true],
  ["fe80::1%eth0", true],
  ["fd12::9", true],
  ["2001:db8:0:7::99", true],
  ["2001:db8:0:8::99", false],
  ["::ffff:8.8.8.8", false],
  ["", false],
])("%s is of the home network: %s", (address, isHome) => {
  expect(isHomeNetwork(address, () => ["2001:db8:0:7::1/64"])).toBe(isHome);
});
