/** What is worth knowing about a device beside its state: asleep, silent, simulated, low on battery, power of its load. */

import type { Node, Property } from "@domovoi/client";
import { BatteryLow, CircleAlert, type LucideIcon, Moon } from "lucide-preact";
import { useStore } from "../store/context.ts";
import type { HomeStore } from "../store/home-store.ts";
import { t } from "../text/text.ts";
import { isActive } from "./activity.ts";
import { useParts } from "./device-parts.ts";
import { stateText } from "./node-state.ts";
import { ALARMS, lookOf } from "./roles.ts";

const LOW_BATTERY_PERCENT = 15;

type Badge = {
  readonly key: string;
  readonly text: string;
  readonly Icon: LucideIcon | null;
  readonly isBad?: boolean;
};

export function Badges({ node }: { node: Node }) {
  const store = useStore();
  const badges = [...marksOf(store, node), ...useParts(node).flatMap((part) => badgesOf(store, part))];
  return badges.map(({ key, text, Icon, isBad = false }) => (
    <span key={key} class={isBad ? "tag bad" : "tag"}>
      {Icon && <Icon size={14} aria-hidden />}
      {text}
    </span>
  ));
}

/** Follows reports. */
export function isSilent(store: HomeStore, node: Node): boolean {
  void store.links.value;
  const { address, linkState } = node;
  const responding = store.property(address, "ERR").value;
  return isSet(responding) || (responding === null && linkState === "unreachable");
}

/** Follows reports. */
export function isBatteryLow(store: HomeStore, { address, role }: Node): boolean {
  if (role === "low-battery") return isActive({ role }, store.property(address, "ST").value) === true;
  const level = store.property(address, "BATLVL").value;
  return level !== null && level.value !== "" && Number(level.value) / 10 ** level.prec <= LOW_BATTERY_PERCENT;
}

function isSet(property: Property | null): boolean {
  return property !== null && property.value !== "" && Number(property.value) !== 0;
}

function marksOf(store: HomeStore, node: Node): readonly Badge[] {
  void store.links.value;
  const marks: (Badge | false)[] = [
    store.simulated.value.has(node.address) && { key: "simulated", text: t("node.noDevice"), Icon: null },
    node.enabled && isSilent(store, node) && { key: "silent", text: t("node.silent"), Icon: CircleAlert, isBad: true },
    node.linkState === "asleep" && { key: "asleep", text: t("node.asleep"), Icon: Moon },
    node.linkState === "interviewing" && { key: "interviewing", text: t("node.interviewing"), Icon: null },
    isBatteryLow(store, node) && { key: "battery", text: t("state.batteryLow"), Icon: BatteryLow, isBad: true },
  ];
  return marks.filter((mark) => mark !== false);
}

function badgesOf(store: HomeStore, part: Node): readonly Badge[] {
  const { address, role } = part;
  const status = store.property(address, "ST").value;
  const { Icon, Active } = lookOf(role);
  const active = isActive(part, status) === true;
  if (role === "meter") return status ? [{ key: address, text: stateText(part), Icon }] : [];
  if (role === "dusk") return status ? [{ key: address, text: stateText(part), Icon: (active && Active) || Icon }] : [];
  const isTold = role === "low-battery" || role === "problem" || ALARMS.has(role ?? "");
  return isTold && active ? [{ key: address, text: stateText(part), Icon, isBad: true }] : [];
}
