/** Which devices are on, open or unlocked, and one act for several of them. */

import type { Home, Node } from "@domovoi/client";
import { useMemo } from "preact/hooks";
import { isActive, isJammed } from "../parts/activity.ts";
import { ALARMS } from "../parts/roles.ts";
import { useHome, useStore } from "../store/context.ts";
import { controlOf, type Press } from "../store/controls.ts";
import type { HomeStore } from "../store/home-store.ts";
import { maySend } from "../store/may-send.ts";
import { useDerived } from "../store/use-derived.ts";

export const OPENINGS: ReadonlySet<string> = new Set(["contact", "garage-door"]);

/** Follows reports. */
type Test = (store: HomeStore, node: Node) => boolean;

/** Known, and not open, unlocked or on. */
export const isAtRest: Test = (store, node) => isActive(node, store.property(node.address, "ST").value) === false;

export const isOnNow: Test = (store, node) => isActive(node, store.property(node.address, "ST").value) === true;

/** Danger, harm, or a lock that cannot lock. */
const isAlarming: Test = (store, node) =>
  node.role === "lock" ? isJammed(store.property(node.address, "ST").value) : isOnNow(store, node);

/** Renders only when the set of nodes changes. */
export function useNodesThat(nodes: readonly Node[], test: Test): readonly Node[] {
  const store = useStore();
  const addresses = useDerived(
    () =>
      nodes
        .filter((node) => test(store, node))
        .map(({ address }) => address)
        .join("\n"),
    [nodes, test],
  );
  return useMemo(() => {
    const found = new Set(addresses.split("\n"));
    return nodes.filter(({ address }) => found.has(address));
  }, [nodes, addresses]);
}

/** To each of them that has such a control, and that the account may command. */
export function sendAll(home: Home, store: HomeStore, nodes: readonly Node[], what: "lock" | "off"): void {
  for (const node of nodes) {
    const press = pressFor(home, node, what);
    if (!press || !maySend(node, press[0])) continue;
    const [command, ...values] = press;
    void store.commands.run(node.address, () => node.send(command, ...values));
  }
}

function pressFor(home: Home, node: Node, what: "lock" | "off"): Press | null {
  const control = controlOf(home, node);
  if (what === "lock") return control.kind === "lock" ? control.lock : null;
  return "off" in control ? control.off : null;
}

/** All that alarm now, in the whole home. */
export function useAlarms(): readonly Node[] {
  const home = useHome();
  const { revision } = useStore();
  const able = useMemo(
    () => [...home.nodes].filter(({ role }) => ALARMS.has(role ?? "") || role === "lock"),
    [home, revision.value],
  );
  return useNodesThat(able, isAlarming);
}
