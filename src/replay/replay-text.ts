/** A replay for people, as a table, and for programs, as JSON. */

import type { Home } from "../home/home.ts";
import { createZone, type LocalParts, type Zone } from "../util/zone.ts";
import type { Deed, Did } from "./did.ts";
import type { Replay } from "./replay.ts";

export function replayJson(replay: Replay): object {
  const { home, fromMs, toMs, endsAtMs, did, differences, ...counts } = replay;
  const json = ({ atMs, programId, deed, isCertain }: Did) => ({
    time: new Date(atMs).toISOString(),
    programId,
    program: programName(home, programId),
    ...deed,
    certain: isCertain,
  });
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    journalEnds: new Date(endsAtMs).toISOString(),
    ...counts,
    did: did.map(json),
    differences: differences?.map((difference) => ({ difference: difference.kind, ...json(difference) })) ?? null,
  };
}

export function replayText(replay: Replay): string {
  const zone = createZone(replay.home.controller.timeZone);
  const rows = replay.differences ?? replay.did;
  return `${[...headLines(replay, zone), "", ...rows.map((row) => rowLine(replay.home, zone, row))].join("\n")}\n`;
}

function headLines(replay: Replay, zone: Zone): readonly string[] {
  const { fromMs, toMs, endsAtMs, entries, missing, unknown, did, differences, recordedCommands, replayedCommands } =
    replay;
  const uncertain = differences?.filter(({ isCertain }) => !isCertain).length ?? 0;
  return [
    `${localTime(zone, fromMs)} to ${localTime(zone, toMs)}: ${entries} entries of the journal, ${did.length} deeds of programs.`,
    `Of ${recordedCommands} commands that programs really gave, the replay of the programs as they were gives ${replayedCommands}.`,
    ...(endsAtMs < toMs
      ? [`The journal ends at ${localTime(zone, endsAtMs)}; what is later follows from the clock alone.`]
      : []),
    ...(missing > 0 ? [`${missing} entries are missing in the journal.`] : []),
    ...(unknown.properties > 0
      ? [`The journal does not reach back far enough: ${unknown.properties} values were unknown in the beginning.`]
      : []),
    ...(unknown.others > 0
      ? [`Of ${unknown.others} other things only the present form is known; it was taken for the one of then.`]
      : []),
    ...(differences === null
      ? []
      : [
          `${differences.length} differences with the changed program; ${uncertain} of them, marked ?, rest on devices that were not asked.`,
          "- was done and would not have been; + would have been done and was not.",
        ]),
  ];
}

function rowLine(home: Home, zone: Zone, row: Did & { readonly kind?: "removed" | "added" }): string {
  const sign = row.kind === undefined ? " " : row.kind === "added" ? "+" : "-";
  const doubt = row.isCertain ? " " : "?";
  return `${sign}${doubt} ${localTime(zone, row.atMs)}  ${programName(home, row.programId)}: ${deedWords(home, row.deed)}`;
}

function deedWords(home: Home, deed: Deed): string {
  switch (deed.kind) {
    case "write-variable": {
      const name = home.variables[deed.type].get(deed.id)?.name ?? `${deed.type}/${deed.id}`;
      return `"${name}" ${deed.field === "init" ? "starts with" : "="} ${deed.value}`;
    }
    case "adjust-link":
      return `link of "${nodeName(home, deed.link.node)}" in "${nodeName(home, deed.group)}"`;
    case "send":
      return actionWords(home, deed.action);
  }
}

function actionWords(home: Home, action: Extract<Deed, { kind: "send" }>["action"]): string {
  switch (action.kind) {
    case "command": {
      const parameters = action.parameters.map(({ value, prec, uom }) => `${value / 10 ** prec}/${uom}`);
      return [`"${nodeName(home, action.node)}"`, action.command, ...parameters].join(" ");
    }
    case "resource":
      return `network resource "${home.networkResources.get(action.id)?.name ?? action.id}"`;
    case "notify":
      return `notification to ${action.recipient}`;
  }
}

function nodeName({ nodes, groups }: Home, address: string): string {
  return nodes.get(address)?.name ?? groups.get(address)?.name ?? address;
}

function programName({ programs }: Home, id: number): string {
  return programs.get(id)?.name ?? String(id);
}

function localTime(zone: Zone, atMs: number): string {
  const parts: LocalParts = zone.parts(atMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${parts.year}-${two(parts.month)}-${two(parts.day)}`;
  return `${date} ${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`;
}
