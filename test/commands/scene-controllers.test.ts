/** Scenes that the controller carries out when a controller of a scene sends a command. */

import { expect, test } from "vitest";
import { SceneControllers } from "../../src/commands/scene-controllers.ts";
import type { Outcome } from "../../src/drivers/command.ts";
import type { Driver } from "../../src/drivers/driver.ts";
import { createServices, REQUEST, settle, spec, told } from "./command-services.ts";

const [BUTTON, LAMP, OTHER] = ["ZW001_1", "ZW002_1", "ZW003_1"] as const;
const NO_ACK: Outcome = { kind: "failed", reason: "no-ack", detail: "", retryable: false };

/** The button controls a scene of each lamp. */
async function buttonServices(lamps: readonly string[], links?: Driver["links"]) {
  const services = await createServices({}, links && { links });
  for (const address of [BUTTON, ...lamps]) services.host.node(spec(address));
  for (const [at, lamp] of lamps.entries()) {
    const address = `3100${at}`;
    const members = [BUTTON, lamp].map((node) => ({ address: node, isController: node === BUTTON }));
    const own = [{ kind: "default", node: lamp } as const];
    const blocks = [BUTTON, address].map((controller) => ({ controller, links: own }));
    const group = { address, name: "Evening", parent: null, deviceGroup: 1, members, blocks };
    services.feed.commit({ type: "group-added", group }, REQUEST);
  }
  new SceneControllers(services).start();
  const press = async (address: string, control = "DON") => {
    services.host.control(address, control, 0);
    await settle();
  };
  const sent = () => services.driver.sent.map(({ address, command }) => `${address} ${command}`);
  return { services, press, sent };
}

test.each<[string, string, Outcome, number]>([
  ["all responders carry out is not logged", "DON", { kind: "acked" }, 0],
  ["no responder accepts is not logged", "BEEP", { kind: "acked" }, 0],
  ["a responder fails to carry out is logged", "DON", NO_ACK, 1],
])("a press that %s", async (_claim, control, outcome, lines) => {
  const { services, press } = await buttonServices([LAMP]);
  services.driver.answer = async () => outcome;
  await press(BUTTON, control);
  const said = services.lines.filter(({ message }) => message === "A scene was not carried out for its controller.");
  expect(said).toHaveLength(lines);
  for (const { fields } of said) expect(fields).toMatchObject({ scene: "Evening", controller: BUTTON });
});

test("an internal error is logged as one", async () => {
  const { services, press } = await buttonServices([LAMP]);
  services.queue.lives.begin = () => {
    throw new TypeError("x is not a function");
  };
  await press(BUTTON);
  expect(services.lines).toMatchObject([{ level: "error", fields: { scene: "Evening", controller: BUTTON } }]);
});

test("a controller of two scenes commands the responders of both", async () => {
  const { press, sent } = await buttonServices([LAMP, OTHER]);
  await press(BUTTON);
  expect(sent()).toEqual([`${LAMP} DON`, `${OTHER} DON`]);
});

test("a responder that the button's device commands itself is not commanded", async () => {
  const links = { carries: ({ responder }: { readonly responder: string }) => responder === LAMP, refresh: () => {} };
  const { services, press, sent } = await buttonServices([LAMP, OTHER], links as never);
  await press(BUTTON);
  expect(sent()).toEqual([`${OTHER} DON`]);
  expect(told(services, "command-moved").map(({ address }) => address)).not.toContain("31000");
});

test("a controller without links, as an imported scene may have it, commands nothing", async () => {
  const { services, press, sent } = await buttonServices([]);
  const members = [{ address: BUTTON, isController: true }];
  const group = { address: "31000", name: "Evening", parent: null, deviceGroup: 1, members, blocks: [] };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  await press(BUTTON);
  expect([sent(), services.lines]).toEqual([[], []]);
});

test("a scene that is changed later is carried out as it is then", async () => {
  const { services, press, sent } = await buttonServices([LAMP, OTHER]);
  await press(BUTTON);
  services.feed.commit({ type: "group-removed", address: "31000" }, REQUEST);
  await press(BUTTON, "DOF");
  expect(sent().slice(2)).toEqual([`${OTHER} DOF`]);
});

test("a responder that reports the command of the scene within 2 seconds sets no scene of its own off", async () => {
  const { services, press, sent } = await buttonServices([LAMP]);
  const members = [LAMP, BUTTON].map((address) => ({ address, isController: address === LAMP }));
  const blocks = [{ controller: LAMP, links: [{ kind: "default", node: BUTTON } as const] }];
  const group = { address: "32000", name: "Back", parent: null, deviceGroup: 1, members, blocks };
  services.feed.commit({ type: "group-added", group }, REQUEST);
  await press(BUTTON);
  await services.clock.advance(1999);
  await press(LAMP);
  expect(sent()).toEqual([`${LAMP} DON`]);
  await services.clock.advance(1);
  await press(LAMP);
  expect(sent()).toEqual([`${LAMP} DON`, `${BUTTON} DON`]);
});
