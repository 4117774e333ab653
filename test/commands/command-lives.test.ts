/** States of commands that wait for their device, and of those of a previous run of the service. */

import { expect, test } from "vitest";
import { CommandLives } from "../../src/commands/command-lives.ts";
import { createServices, REQUEST, told } from "./command-services.ts";

const LAMP = "ZW002_1";

async function livesServices(keptMax = 10) {
  const services = await createServices();
  const lives = new CommandLives(services.clock, keptMax);
  const { feed } = services;
  return {
    lives,
    begin: (id: string) => lives.begin(feed, id, { address: LAMP, command: "DON" }, REQUEST),
    end: (id: string, state: "acknowledged" | "queued" | "failed") => lives.end(feed, id, state, ""),
    settle: (id: string, state: "acknowledged" | "failed", detail = "") =>
      lives.settle(feed, { id, address: LAMP, command: "DON" }, state, detail, REQUEST),
    states: () =>
      lives
        .recent()
        .map(({ id, state }) => `${id} ${state}`)
        .reverse(),
    moved: () => told(services, "command-moved").map(({ commandId, state }) => `${commandId} ${state}`),
  };
}

test("a command that waited for its device is confirmed by the first report after its end, and by none before", async () => {
  const { lives, begin, end, settle, states } = await livesServices();
  begin("a");
  end("a", "queued");
  lives.confirm(LAMP, null);
  expect(states()).toEqual(["a queued"]);
  settle("a", "acknowledged");
  lives.confirm(LAMP, null);
  expect(states()).toEqual(["a confirmed"]);
});

test("a command that fails while it waits is confirmed by no report", async () => {
  const { lives, begin, end, settle, states } = await livesServices();
  begin("a");
  end("a", "queued");
  settle("a", "failed");
  lives.confirm(LAMP, null);
  expect(states()).toEqual(["a failed"]);
});

test("a failed command is confirmed by no report, and one that a report already showed by no further one", async () => {
  const { lives, begin, end, states } = await livesServices();
  begin("a");
  end("a", "failed");
  begin("b");
  lives.confirm(LAMP, "b");
  end("b", "acknowledged");
  const { version } = lives;
  lives.confirm(LAMP, null);
  expect([states(), lives.version]).toEqual([["a failed", "b confirmed"], version]);
});

test("an older command that fails leaves the next report to the newer one", async () => {
  const { lives, begin, end, settle, states } = await livesServices();
  begin("a");
  end("a", "queued");
  begin("b");
  end("b", "acknowledged");
  settle("a", "failed");
  lives.confirm(LAMP, null);
  expect(states()).toEqual(["a failed", "b confirmed"]);
});

test("a confirmed or failed command stays as it is", async () => {
  const { lives, begin, end, settle, states, moved } = await livesServices();
  for (const id of ["a", "b"]) begin(id);
  end("a", "queued");
  lives.confirm(LAMP, "a");
  end("b", "failed");
  const before = moved();
  settle("a", "failed");
  settle("b", "acknowledged");
  expect([states(), moved()]).toEqual([["a confirmed", "b failed"], before]);
});

test("a command of a previous run of the service is listed when it ends, and published once", async () => {
  const { lives, settle, states, moved } = await livesServices();
  settle("old", "acknowledged", "The device woke up.");
  settle("old", "acknowledged");
  expect([states(), moved()]).toEqual([["old acknowledged"], ["old acknowledged"]]);
  expect(lives.find("old")).toMatchObject({ address: LAMP, command: "DON", detail: "The device woke up." });
});

test("the version moves with every step, and the oldest commands are forgotten", async () => {
  const { lives, begin, end, settle, states } = await livesServices(2);
  const steps: readonly (() => void)[] = [
    () => begin("a"),
    () => lives.sent("a"),
    () => end("a", "queued"),
    () => settle("a", "acknowledged"),
    () => lives.confirm(LAMP, null),
    () => begin("b"),
    () => begin("c"),
  ];
  for (const step of steps) {
    const before = lives.version;
    step();
    expect(lives.version).toBeGreaterThan(before);
  }
  end("b", "acknowledged");
  begin("d");
  end("c", "acknowledged");
  begin("e");
  expect([states(), lives.find("a")]).toEqual([["d accepted", "e accepted"], null]);
  begin("f");
  end("d", "acknowledged");
  expect(states()).toEqual(["e accepted", "f accepted"]);
});
