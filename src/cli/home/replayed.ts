/**
 * Detects repeated values: a stream begins with all current values, also after every reconnect. These are not news,
 * unless they differ from the known values, because they then changed while the stream was down.
 */

import type { Home, Program, Variable } from "@domovoi/client";
import type { PrintedEvent } from "./event-line.ts";

/** Some controllers repeat the last command of every device; newer commands are younger than this. */
const OLD_CONTROL_MS = 60_000;

export class Replayed {
  readonly #home: Home;
  readonly #known = new Map<string, string>();

  constructor(home: Home) {
    this.#home = home;
    for (const variable of home.variables) this.#known.set(`variable ${variable.key}`, variableMark(variable));
    for (const program of home.programs) this.#known.set(`program ${program.id}`, programMark(program));
  }

  /** Whether the event only repeats a known value. Has to be called for every event, in order. */
  isOld(event: PrintedEvent): boolean {
    const isTellingAgain = this.#home.stream.status !== "connected";
    const isKnown = this.#isKnown(event);
    return isTellingAgain && isKnown;
  }

  #isKnown(event: PrintedEvent): boolean {
    switch (event.kind) {
      case "property":
        return false; // The library leaves out those that did not change.
      case "variable":
        return this.#isSame(`variable ${event.type}.${event.id}`, (key) => {
          const variable = this.#home.variables.find(key);
          return variable && variableMark(variable);
        });
      case "program":
        return this.#isSame(`program ${event.id}`, (key) => {
          const program = this.#home.programs.find(key);
          return program && programMark(program);
        });
      case "control":
        return Date.now() - Date.parse(event.at) > OLD_CONTROL_MS;
      case "lifecycle":
      case "parameter":
      case "operation":
      case "system":
        return false;
    }
  }

  #isSame(name: string, markOf: (key: string) => string | null): boolean {
    const mark = markOf(name.slice(name.indexOf(" ") + 1)) ?? "";
    const isSame = this.#known.get(name) === mark;
    this.#known.set(name, mark);
    return isSame;
  }
}

function variableMark({ raw, rawInit, prec }: Variable): string {
  return [raw, rawInit, prec].join(" ");
}

/** Frames carry times to the second, lists to the millisecond. */
function programMark(program: Program): string {
  const { status, enabled, running, runAtStartup, lastRunTime, lastFinishTime, nextScheduledRunTime } = program;
  const times = [lastRunTime, lastFinishTime, nextScheduledRunTime].map((time) =>
    Math.floor(Date.parse(time ?? "") / 1000),
  );
  return [status, enabled, (running ?? "idle") === "idle", runAtStartup, ...times].join(" ");
}
