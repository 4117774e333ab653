import { expect, test } from "vitest";
import { SceneControllers } from "../../src/commands/scene-controllers.ts";
import type { Outcome } from "../../src/drivers/driver.ts";
import { createServices, REQUEST, settle, spec } from "./command-services.ts";

const [BUTTON, LAMP] = ["ZW001_1", "ZW002_1"] as const;
const NO_ACK: Outcome = { kind: "failed", reason: "no-ack", detail: "", retryable: false };

test.each<[string, string, Outcome, number]>([
  ["all responders carry out is not logged", "DON", { kind: "acked" }, 0],
  ["no responder accepts is not logged", "BEEP", { kind: "acked" }, 0],
  ["a responder fails to carry out is logged", "DON", NO_ACK, 1],
])("a press that %s", async (_claim, control, outcome, lines) => {
  const services = await createServices();
  for (const address of [BUTTON, LAMP]) services.host.node(spec(address));
  const members = [BUTTON, LAMP].map((address) => ({ address, isController: address === BUTTON }));
  const blocks = [{ controller: BUTTON, links: [{ kind: "default", node: LAMP } as const] }];
  const group = { address: "31777", name: "Evening", parent: null, deviceGroup: 1, members, blocks };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  services.driver.answer = async () => outcome;
  new SceneControllers(services).start();
  services.host.control(BUTTON, control, 0);
  await settle();
  const said = services.lines.filter(({ message }) => message === "A scene was not carried out for its controller.");
  expect(said).toHaveLength(lines);
  for (const { fields } of said) expect(fields).toMatchObject({ scene: "Evening", controller: BUTTON });
});
