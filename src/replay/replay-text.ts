/** A replay for people, as lines. */

import { createZone } from "../util/zone.ts";
import { localTime, type ReplayedDifference, type ReplayResult } from "./replay-result.ts";

const MARKS = { removed: "-", added: "+", moved: "~", changed: "!" } as const;

export function replayText(result: ReplayResult): string {
  const { actions, differences } = result;
  const rows = actions.map((row) => `  ${row.localTime}  ${row.program.name}: ${row.text}`);
  return `${[...headLines(result), "", ...rows, ...differences.map(differenceLine)].join("\n")}\n`;
}

function headLines(result: ReplayResult): readonly string[] {
  const { zone: name, from, until, journalEnds, entries, missing, unknown, faithful } = result;
  const zone = createZone(name);
  const time = (iso: string) => localTime(zone, Date.parse(iso));
  return [
    `${time(from)} to ${time(until)} (${name}): ${counted(entries, "recorded entry", "recorded entries")}.`,
    faithful.recorded === 0
      ? "No program sent a command in this time."
      : `Programs sent ${counted(faithful.recorded, "command", "commands")}. The replay of the unchanged programs sends ${faithful.repeated} of them again.`,
    ...(journalEnds < until
      ? [`The journal ends at ${time(journalEnds)}. Everything after it follows from the clock alone.`]
      : []),
    ...(missing > 0 ? [`${counted(missing, "entry is", "entries are")} missing in the journal.`] : []),
    ...(unknown.properties > 0
      ? [
          `The journal does not go back far enough: ${counted(unknown.properties, "value was", "values were")} unknown at the beginning.`,
        ]
      : []),
    ...(unknown.others > 0
      ? [
          `Of ${counted(unknown.others, "other thing", "other things")} only the present form is known. The replay uses it from the beginning.`,
        ]
      : []),
    ...changedLines(result),
    ...leftOut(result),
  ];
}

function changedLines({ programs, differences, differencesTotal }: ReplayResult): readonly string[] {
  const changed = programs.filter(({ changed: isChanged }) => isChanged);
  if (changed.length === 0) return [];
  const uncertain = differences.filter(({ certain }) => !certain).length;
  const doubt =
    uncertain === 0
      ? ""
      : ` ${uncertain} of them, marked ?, ${uncertain === 1 ? "depends" : "depend"} on devices that did not get these commands.`;
  const runs = programs
    .filter(({ changed: isChanged, runsBefore, runsAfter }) => isChanged || runsBefore !== runsAfter)
    .map(
      ({ name, runsBefore, runsAfter }) => `"${name}" ran ${times(runsBefore)}, with the change ${times(runsAfter)}.`,
    );
  const marks =
    "-: was done, and would not be done. +: would be done in addition. ~: would be done at another time. !: would be done differently.";
  return [
    ...runs,
    `${counted(differencesTotal, "difference", "differences")}.${doubt}`,
    ...(differencesTotal > 0 ? [marks] : []),
  ];
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function leftOut({ actions, differences, actionsTotal, differencesTotal }: ReplayResult): readonly string[] {
  const more = actionsTotal + differencesTotal - actions.length - differences.length;
  return more === 0
    ? []
    : [`The first ${actions.length + differences.length} are shown; ${counted(more, "more is", "more are")} left out.`];
}

function differenceLine(difference: ReplayedDifference): string {
  const { kind, certain, localTime: time, localWas, wasText, program, text } = difference;
  const was = localWas !== null ? ` (was at ${localWas})` : wasText !== null ? ` (was: ${wasText})` : "";
  return `${MARKS[kind]}${certain ? " " : "?"} ${time}  ${program.name}: ${text}${was}`;
}
