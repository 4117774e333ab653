/** Outcomes of statements as programs receive them. */

import { describe, expect, test } from "vitest";
import { sendStatement } from "../../src/commands/perform-statement.ts";
import type { Outcome } from "../../src/drivers/command.ts";
import type { Cause } from "../../src/home/cause.ts";
import type { Node } from "../../src/home/nodes.ts";
import type { SentAction } from "../../src/home/program-progress.ts";
import type { SyntaxValue } from "../../src/home/program-syntax.ts";
import type { Nodedef } from "../../src/profile/nodedef.ts";
import { program } from "../support/programs.ts";
import { type CommandServices, createServices, settle, spec, told, UUID } from "./command-services.ts";

const [LAMP, OTHER] = ["ZW002_1", "ZW003_1"] as const;
const PROGRAM: Cause = { kind: "program", id: "run-1", by: "3" };

const EVENING = program(3, { name: "Evening" });

const command = (node: string, name: string): SentAction => ({ kind: "command", node, command: name, parameters: [] });

async function lampServices() {
  const services = await createServices();
  for (const address of [LAMP, OTHER]) services.host.node(spec(address));
  return services;
}

describe("a command", () => {
  test.each<[string, Outcome, string]>([
    ["that the device took", { kind: "acked" }, "done"],
    ["that waits for a sleeping device", { kind: "queued", detail: "" }, "queued"],
    ["that the device refused", { kind: "failed", reason: "rejected", detail: "", retryable: false }, "failed"],
  ])("%s", async (_what, answer, outcome) => {
    const services = await lampServices();
    services.driver.answer = async () => answer;
    const sent = await sendStatement(services, command(LAMP, "DON"), PROGRAM);
    expect(sent.outcome).toBe(outcome);
  });

  test("that no device accepts fails with the sentence of its error", async () => {
    const services = await lampServices();
    expect(await sendStatement(services, command("ZW099_1", "DON"), PROGRAM)).toMatchObject({
      outcome: "failed",
      commandId: null,
      detail: "There is no node, group or folder with this address.",
    });
    expect(services.lines).toEqual([]);
  });

  test("QUERY to everything asks one device after another, and is done at once", async () => {
    const services = await lampServices();
    expect(await sendStatement(services, command(UUID, "QUERY"), PROGRAM)).toMatchObject({ outcome: "done" });
    await settle();
    expect(services.driver.queried).toEqual([LAMP, OTHER]);
    expect(services.driver.sent).toEqual([]);
  });

  test("QUERY to a scene asks its members", async () => {
    const services = await lampServices();
    const members = [{ address: OTHER, isController: false }];
    const group = { address: "31777", name: "Evening", parent: null, deviceGroup: 1, members, blocks: [] };
    services.feed.commit({ type: "group-added", group }, PROGRAM);
    expect((await sendStatement(services, command("31777", "QUERY"), PROGRAM)).detail).toBe(
      "The devices are queried one after the other.",
    );
    expect(services.driver.queried).toEqual([OTHER]);
  });

  test("to everything is sent to each device", async () => {
    const services = await lampServices();
    expect(await sendStatement(services, command(UUID, "DON"), PROGRAM)).toMatchObject({ outcome: "done" });
    expect(services.driver.sent.map(({ address }) => address)).toEqual([LAMP, OTHER]);
  });

  test("QUERY to one device waits for its answer", async () => {
    const services = await lampServices();
    services.driver.answerQuery = async () => ({ kind: "failed", reason: "unreachable", detail: "", retryable: true });
    expect(await sendStatement(services, command(LAMP, "QUERY"), PROGRAM)).toMatchObject({ outcome: "failed" });
  });
});

test("a notification is in the log, with the program that made it", async () => {
  const services = await lampServices();
  services.feed.commit({ type: "program-added", program: EVENING }, PROGRAM);
  const sent = await sendStatement(services, { kind: "notify", recipient: 3, content: 4 }, PROGRAM);
  expect(sent).toMatchObject({ outcome: "done", commandId: null });
  expect(services.lines).toMatchObject([{ level: "info", fields: { recipient: 3, content: 4, program: "Evening" } }]);
});

test("a network resource that there is not fails", async () => {
  const services = await lampServices();
  expect(await sendStatement(services, { kind: "resource", id: 9 }, PROGRAM)).toMatchObject({ outcome: "failed" });
});

test("a fault of ours fails without its own words, and is in the log", async () => {
  const services = await lampServices();
  const broken = {
    ...services,
    get home(): typeof services.home {
      throw new TypeError("x is not a function");
    },
  };
  const sent = await sendStatement(broken, { kind: "resource", id: 1 }, PROGRAM);
  expect(sent).toEqual({ outcome: "failed", commandId: null, detail: "Something went wrong." });
  expect(services.lines).toMatchObject([{ level: "error" }]);
});

describe("a command to a room", () => {
  const ROOM = "11001";
  const lights = (value: SyntaxValue | null = null, command: "on" | "off" = "on"): SentAction => ({
    kind: "roles",
    selector: { role: "lamp", places: [ROOM], except: [] },
    command,
    value,
  });

  async function roomServices(count: number, settings = {}) {
    const services = await createServices(settings);
    const { host, feed } = services;
    feed.commit({ type: "folder-added", folder: { address: ROOM, name: "Room", parent: null } }, PROGRAM);
    const addresses = Array.from({ length: count }, (_each, at) => `ZW${String(at + 10).padStart(3, "0")}_1`);
    const parent = { address: ROOM, kind: "folder" } as const;
    for (const address of addresses) {
      host.node(spec(address));
      feed.commit({ type: "parent-changed", kind: "node", address, parent }, PROGRAM);
    }
    return { services, addresses };
  }

  test("sends each lamp its own command with the run as its cause, a few at a time, and has one outcome", async () => {
    const { services, addresses } = await roomServices(20, { roleCommandsAtOnce: 3 });
    const waiting: (() => void)[] = [];
    services.driver.answer = () =>
      new Promise((resolve) => {
        waiting.push(() => resolve({ kind: "acked" }));
      });
    const sent = sendStatement(services, lights(), PROGRAM);
    await settle();
    expect(services.driver.sent).toHaveLength(3);
    for (let at = 0; at < addresses.length; at += 1) {
      waiting.shift()?.();
      await settle();
    }
    expect(await sent).toEqual({ outcome: "done", commandId: null, detail: "20 of 20." });
    expect(services.driver.sent.map(({ address }) => address).sort()).toEqual(addresses);
    expect(told(services, "command-moved").length).toBeGreaterThanOrEqual(20);
  });

  test("names the devices that failed, and is failed when all did", async () => {
    const { services } = await roomServices(6);
    const failed = { kind: "failed", reason: "no-ack", detail: "No answer.", retryable: true } as const;
    services.driver.answer = async ({ address }) => (address === "ZW012_1" ? failed : { kind: "acked" });
    const sent = await sendStatement(services, lights(), PROGRAM);
    expect(sent).toMatchObject({ outcome: "done" });
    expect(sent.detail).toMatch(/^5 of 6\. ".*": No answer\.$/);
    services.driver.answer = async () => failed;
    const none = await sendStatement(services, lights(), PROGRAM);
    expect(none).toMatchObject({ outcome: "failed" });
    expect(none.detail).toContain("3 more failed.");
  });

  test("is queued when every device sleeps", async () => {
    const { services } = await roomServices(2);
    services.driver.answer = async () => ({ kind: "queued", detail: "The device sleeps." });
    expect(await sendStatement(services, lights(), PROGRAM)).toMatchObject({ outcome: "queued", detail: "2 of 2." });
  });

  test("sets a level", async () => {
    const { services } = await roomServices(1);
    await sendStatement(services, lights({ value: 40, prec: 0, uom: 51 }), PROGRAM);
    expect(services.driver.sent[0]).toMatchObject({ command: "DON", parameters: [{ value: 40, uom: 51 }] });
  });

  test("never reaches a node that became secured since the program was written", async () => {
    const { services } = await roomServices(2);
    const lock = services.home.nodes.get("ZW010_1") as Node;
    // Its driver learns that the relay moves a barrier whose state cannot be read.
    const barrier = {
      ...nodedefOf(services, lock),
      properties: [{ id: "ST", name: "", editor: "NONE", hide: false }],
    };
    services.profile.declare(4, 1, { nodedefs: [{ ...barrier, id: "BARRIER" }] });
    const { properties: _p, link: _l, version: _v, ...node } = lock;
    services.feed.commit({ type: "node-revised", node: { ...node, nodeDefId: "BARRIER" } }, PROGRAM);
    expect(await sendStatement(services, lights(), PROGRAM)).toMatchObject({
      detail: "1 of 2. 1 without this command.",
    });
    expect(services.driver.sent.map(({ address }) => address)).toEqual(["ZW011_1"]);
  });

  test("of no device is done, and says so", async () => {
    const { services } = await roomServices(0);
    expect(await sendStatement(services, lights(), PROGRAM)).toMatchObject({ outcome: "done", detail: "0 of 0." });
  });
});

function nodedefOf({ profile }: CommandServices, { nodeDefId, family, instance }: Node): Nodedef {
  const nodedef = profile.nodedef(nodeDefId, family, instance);
  if (!nodedef) throw new Error("The node has a definition.");
  return nodedef;
}
