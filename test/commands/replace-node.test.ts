import { expect, test } from "vitest";
import { replacementOf } from "../../src/commands/replace-node.ts";
import { createServices, spec } from "./command-services.ts";

const [OLD, PART, NEW] = ["ZW001_1", "ZW001_2", "ZW002_1"] as const;

test.each([
  ["by itself", OLD, OLD, "A device cannot replace itself."],
  ["in one of its parts", PART, NEW, `"Device ${PART}" is a part of the device "${OLD}".`],
  ["by a part of another one", NEW, PART, `"Device ${PART}" is a part of the device "${OLD}".`],
])("a device is not replaced %s", async (_what, old, by, message) => {
  const services = await createServices();
  for (const address of [OLD, NEW]) services.host.node(spec(address));
  services.host.node(spec(PART, "DIMMER", { primary: OLD }));
  const refusal = expect.objectContaining({ code: "BAD_REQUEST", message });
  expect(() => replacementOf(services, old, by)).toThrow(refusal);
});
