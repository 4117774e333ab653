/** The last night, or today, in a few sentences: what of the home's doors, locks and alarms moved, and what ran or was changed. */

import type { NodeRole } from "@domovoi/client";
import { ALARMS, purposeOf } from "../parts/roles.ts";
import { dayOf, fromLocalInput, hourOf } from "../text/home-zone.ts";
import { t, tn } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import type { Entry } from "./entries.ts";

const DAY_MS = 86_400_000;
/** Before noon the night is told: from this hour of the day before. */
const [NOON, EVENING] = [12, 20];
const DEVICES_MAX = 5;

type Story = { readonly title: string; readonly sentences: readonly string[] };

/** @param entries newest first */
export function storyOf(entries: readonly Entry[], nowMs: number): Story {
  const isMorning = hourOf(nowMs) < NOON;
  const day = dayOf(isMorning ? nowMs - DAY_MS : nowMs);
  const sinceMs = fromLocalInput(`${day}T${isMorning ? `${EVENING}:00` : "00:00"}:00`);
  const of = entries.filter(({ atMs }) => atMs >= sinceMs);
  const told = of.filter(({ kind, role }) => kind === "device" && role !== null && isTold(role));
  const devices = Array.from(Map.groupBy(told, ({ subject }) => subject).values(), (own) => deviceSentence(own));
  const count = (kind: Entry["kind"]) => of.filter((entry) => entry.kind === kind).length;
  const [runs, edits] = [count("run"), count("edit")];
  const sentences = [
    ...devices.slice(0, DEVICES_MAX),
    devices.length > DEVICES_MAX ? tn("story.more", devices.length - DEVICES_MAX) : "",
    runs > 0 ? tn("story.runs", runs) : "",
    edits > 0 ? tn("story.edits", edits) : "",
  ].filter(Boolean);
  return {
    title: t(isMorning ? "story.night" : "story.today"),
    sentences: sentences.length > 0 ? sentences : [t("story.quiet")],
  };
}

function isTold(role: string): boolean {
  return ALARMS.has(role) || purposeOf({ role: role as NodeRole, use: null }) === "safety";
}

/** "Front Door: 3 times, last Closed at 22:15." */
function deviceSentence(own: readonly Entry[]): string {
  const [newest] = own;
  if (!newest) return "";
  const last = { name: newest.name, state: newest.tag?.text ?? "", time: timeText(newest.atMs, "minute") };
  return own.length === 1 ? t("story.once", last) : t("story.often", { ...last, count: own.length });
}
