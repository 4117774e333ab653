import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { onInterrupt } from "../../src/cli/interrupts.ts";

function press() {
  const from = new EventEmitter();
  const act = vi.fn();
  let nowMs = 1000;
  const stop = onInterrupt(act, from, () => nowMs);
  const at = (ms: number, signal = "SIGINT") => {
    nowMs = ms;
    from.emit(signal, signal);
  };
  return { act, stop, at };
}

test("a Ctrl-C that npx or an older Node passes on once more is one Ctrl-C", () => {
  const { act, at } = press();
  for (const ms of [1000, 1000, 1003, 1040]) at(ms);
  expect(act).toHaveBeenCalledTimes(1);
});

test("a second one of a person counts, also SIGTERM", () => {
  const { act, at } = press();
  at(1000);
  at(1900);
  at(2600, "SIGTERM");
  expect(act).toHaveBeenCalledTimes(3);
});

test("a copy that comes after what was ended is over neither acts nor kills", () => {
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  const { act, stop, at } = press();
  at(1000);
  stop();
  at(1010);
  expect([act.mock.calls.length, exit.mock.calls]).toEqual([1, []]);
  exit.mockRestore();
});
