/** Targets that the owner allows: what they open, and what they never open. */

import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { resourceRules, setResourceTargets } from "../../src/commands/resource-targets.ts";
import { refuseKnownTarget, resolveTarget } from "../../src/util/network-target.ts";
import { codeOf, createServices, REQUEST } from "./command-services.ts";

const ADDRESSES = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const OWN = ADDRESSES.find(({ internal, family }) => !internal && family === "IPv4")?.address ?? "127.0.0.1";

async function rulesWith(targets: readonly string[]) {
  const services = await createServices();
  await setResourceTargets(services, targets, REQUEST);
  return resourceRules(services);
}

describe("what the owner allows", () => {
  test.each([
    ["169.254.7.1", 80, ["169.254.7.1"], "none"],
    ["169.254.7.1", 80, ["169.254.0.0/16"], "none"],
    ["169.254.7.1", 81, ["169.254.7.1:80"], "TARGET_REFUSED"],
    ["169.254.7.1", 80, [], "TARGET_REFUSED"],
    ["127.0.0.1", 80, ["0.0.0.0/0"], "TARGET_REFUSED"],
    ["::ffff:7f00:1", 80, ["::/0"], "TARGET_REFUSED"],
    ["localhost", 80, ["0.0.0.0/0"], "TARGET_REFUSED"],
    [OWN, 8443, ["0.0.0.0/0"], "TARGET_REFUSED"],
  ])("%s port %i with %j: %s", async (host, port, targets, code) => {
    const rules = await rulesWith(targets);
    expect(await codeOf((async () => refuseKnownTarget(host, port, rules))())).toBe(code);
  });

  test.each([["localhost"], ["127.0.0.1:80"], ["[::1]:80"], ["0.0.0.0"], ["a b"], ["x".repeat(256)]])(
    "%s cannot be",
    async (target) => expect(await codeOf(rulesWith([target]))).toBe("BAD_VALUE"),
  );

  test("a name that leads to loopback is refused although it is allowed", async () => {
    const rules = await rulesWith(["flip.example"]);
    const to = (address: string) => resolveTarget("flip.example", 80, rules, async () => [{ address, family: 4 }]);
    expect(await codeOf(to("127.0.0.1"))).toBe("TARGET_REFUSED");
    expect(await codeOf(to("169.254.7.1"))).toBe("none");
  });
});
