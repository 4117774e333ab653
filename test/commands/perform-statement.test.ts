/** Outcomes of statements as programs receive them. */

import { describe, expect, test } from "vitest";
import { sendStatement } from "../../src/commands/perform-statement.ts";
import type { Outcome } from "../../src/drivers/command.ts";
import type { Cause } from "../../src/home/cause.ts";
import type { SentAction } from "../../src/home/program-progress.ts";
import { program } from "../support/programs.ts";
import { createServices, settle, spec, UUID } from "./command-services.ts";

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
