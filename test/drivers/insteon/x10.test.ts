/** X10: nodes that an owner adds by house and unit; the bytes of their commands and messages. */

import { describe, expect, test } from "vitest";
import { memoryStore } from "../recording-host.ts";
import { SimulatedInsteonHome } from "./simulated-home.ts";

const A1 = "0 1 1 1";
const A2 = "0 1 2 1";
const SENT = { kind: "sent", detail: "X10 devices do not answer." };

async function homeWith(...codes: readonly string[]) {
  const store = memoryStore();
  const home = new SimulatedInsteonHome([], store);
  const sent: string[] = [];
  home.modem.onCommand = (bytes) => {
    if (bytes[1] === 0x63) sent.push(Buffer.from(bytes).toString("hex").toUpperCase());
    return true;
  };
  await home.start();
  for (const code of codes) await home.operate("add-x10", { code });
  return { home, sent, store };
}

/** What the modem hears: a unit or a command of a house. */
const hear = (home: SimulatedInsteonHome, raw: number, flag: number) => home.modem.emit([0x02, 0x52, raw, flag]);

describe("an X10 device", () => {
  test("is a node with the name and the nodedef of X10, and stays over a restart", async () => {
    const { home, store } = await homeWith("a1");
    expect(home.host.nodes.get(A1)).toMatchObject({ name: "X10 A1", nodeDefId: "X10", type: "113.0.0.0" });
    await home.driver.stop();
    const again = new SimulatedInsteonHome([], store, home);
    await again.start();
    expect([again.host.nodes.has(A1), again.host.links.get(A1)]).toEqual([true, "online"]);
    expect(again.host.violations).toEqual([]);
  });

  test("that the home has already is refused", async () => {
    const { home } = await homeWith("A1");
    expect(await home.operate("add-x10", { code: "A1" })).toMatchObject({ stage: "failed" });
  });

  test("leaves with exclude", async () => {
    const { home } = await homeWith("A1");
    expect(await home.operate("exclude", { address: A1 })).toMatchObject({ stage: "done" });
    expect(home.host.nodes.has(A1)).toBe(false);
  });

  test.each([
    ["A1", A1, "DON", ["02636600", "02636280"]],
    ["A1", A1, "DOF", ["02636600", "02636380"]],
    ["A2", A2, "DIM", ["02636E00", "02636480"]],
    ["P16", "0 10 10 1", "BRT", ["0263CC00", "0263C580"]],
    ["M13", "0 D D 1", "DON", ["02630000", "02630280"]],
  ])("%s: the command to %s %s is sent as %j, and no status is made up", async (code, address, command, bytes) => {
    const { home, sent } = await homeWith(code);
    expect(await home.send(address, command)).toEqual(SENT);
    expect(sent).toEqual(bytes);
    expect(home.host.value(address)).toBeNull();
  });

  test("cannot be queried", async () => {
    const { home } = await homeWith("A1");
    expect(await home.query(A1)).toMatchObject({ kind: "failed", reason: "unsupported" });
  });
});

describe("messages of X10 devices", () => {
  test.each([
    ["on", 0x62, "DON", 255],
    ["off", 0x63, "DOF", 0],
  ])("a unit, then %s, is one control of its node, with its status", async (_what, command, control, value) => {
    const { home } = await homeWith("A1", "A2");
    hear(home, 0x66, 0x00);
    hear(home, command, 0x80);
    await home.pass(100);
    expect(home.host.controls).toEqual([{ address: A1, control, value: 0 }]);
    expect([home.host.value(A1), home.host.value(A2)]).toEqual([value, null]);
  });

  test("a command is for all units that were named before it, and again without a name", async () => {
    const { home } = await homeWith("A1", "A2");
    hear(home, 0x66, 0x00);
    hear(home, 0x6e, 0x00);
    hear(home, 0x62, 0x80);
    hear(home, 0x63, 0x80);
    hear(home, 0x6e, 0x00);
    hear(home, 0x62, 0x80);
    await home.pass(100);
    expect([home.host.value(A1), home.host.value(A2)]).toEqual([0, 255]);
  });

  test("all units off is for every unit of the house", async () => {
    const { home } = await homeWith("A1", "A2", "B1");
    hear(home, 0x60, 0x80);
    await home.pass(100);
    expect(home.host.controls.map(({ address }) => address).toSorted()).toEqual([A1, A2]);
  });

  test("of a unit that is not in the home are nothing", async () => {
    const { home } = await homeWith("A1");
    hear(home, 0x6e, 0x00);
    hear(home, 0x62, 0x80);
    await home.pass(100);
    expect(home.host.controls).toEqual([]);
  });
});
