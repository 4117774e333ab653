/** What alerts know of the home: which nodes raise them, whom they reach, what answers may do. */

import type { Auth } from "../auth/auth.ts";
import { authorize } from "../auth/policy.ts";
import type { Principal } from "../auth/principal.ts";
import { buttonActionText, readButtonAction, runButtonAction } from "../commands/button-action.ts";
import type { CommandPorts } from "../commands/ports.ts";
import { needsFor } from "../commands/secured-command.ts";
import { sendCommand } from "../commands/send-command.ts";
import type { ButtonAction } from "../drivers/alert-port.ts";
import type { Person } from "../drivers/presence-port.ts";
import type { Cause } from "../home/cause.ts";
import type { Change } from "../home/change.ts";
import type { Home } from "../home/home.ts";
import { findNode, type Node, treeParent } from "../home/nodes.ts";
import { fillText } from "../profile/fill-text.ts";
import { describeProperty } from "../profile/format.ts";
import type { Profile } from "../profile/profile.ts";
import { isActive, wordOfValue } from "../profile/status-words.ts";

type Kind = "water" | "smoke" | "gas" | "carbon-monoxide" | "break-in" | "jam";

/** Login name of the account whose browsers a channel is; null: it is another channel. */
type PushAccount = (channel: string) => string | null;

const KINDS: Readonly<Partial<Record<NonNullable<Node["role"]>, Kind>>> = {
  leak: "water",
  "leak-dry": "water",
  smoke: "smoke",
  heat: "smoke",
  gas: "gas",
  "carbon-monoxide": "carbon-monoxide",
  lock: "jam",
};
/** Glass break and intrusion, of nodes with the role safety. */
const BREAK_IN_CATEGORIES = [153, 172];

export function alertWorld(ports: CommandPorts, { byName }: Pick<Auth, "byName">, pushAccount: PushAccount) {
  const { home, profile, feed, notifier, clock, queue } = ports;
  return {
    addresses: () => [...home.nodes.keys()],

    sensed(address: string) {
      const node = findNode(home, address);
      const kind = node?.enabled ? kindOf(node) : null;
      return node && kind ? { kind, says: saysOf(node, kind) } : null;
    },

    follow: (changed: (address: string) => void, arrived: () => void): (() => void) =>
      feed.listen(({ change }) => hear(home, change, changed, arrived)),

    sentences: (addresses: readonly string[]) => sentencesOf(home, profile, addresses),

    filled: (text: string, node: string | null): string =>
      fillText({ home, profile, nowMs: clock.now(), programId: null, node }, text).text,

    reach: (who: string) => recipientsOf(ports, byName, pushAccount, who),

    channelName: (channel: string) => home.integrations.get(channel)?.name ?? channel,

    deliver: notifier.deliverAlert.bind(notifier),

    readAction: (text: string) => readButtonAction(ports, text),
    actionText: (action: ButtonAction) => buttonActionText(ports, action),

    mayAnswer(accountId: string, node: string, action: ButtonAction | null): string {
      const principal = byName.principalOf(accountId);
      checkAnswer(ports, principal, node, action);
      return principal.login;
    },

    act: (action: ButtonAction, cause: Cause) => runButtonAction(ports, action, cause),

    async confirm(address: string, cause: Cause): Promise<void> {
      await sendCommand(ports, { address, command: "CONFIRM", parameters: [] }, cause);
    },

    causeOf: (commandId: string) => queue.lives.find(commandId)?.cause ?? null,
  };
}

/** Whether the account may confirm the alert, and do what its button does. @throws ControllerError */
function checkAnswer(
  ports: Pick<CommandPorts, "home" | "profile">,
  principal: Principal,
  node: string,
  action: ButtonAction | null,
): void {
  authorize(principal, "operate-lock", { kind: "node", address: node, command: "CONFIRM" });
  if (action?.kind === "program") authorize(principal, "run-program", { kind: "program", id: action.id });
  if (action?.kind !== "command") return;
  const { address, command } = action;
  const right = ports.home.groups.has(address) ? "command-group" : "command-node";
  authorize(principal, right, { kind: "node", address, command });
  for (const more of needsFor(ports, address, command)) authorize(principal, more);
}

/** Listeners of the home only record. */
function hear(home: Home, change: Change, changed: (address: string) => void, arrived: () => void): void {
  switch (change.type) {
    case "property-changed": {
      const node = change.property.id === "ST" ? findNode(home, change.address) : null;
      if (node?.role === "person" && change.property.value === 1) arrived();
      else if (node && kindOf(node)) changed(change.address);
      return;
    }
    case "node-added":
    case "node-revised":
      changed(change.node.address);
      return;
    case "node-link-changed":
    case "node-enabled":
    case "node-removed":
      changed(change.address);
      return;
  }
}

function recipientsOf(
  { home, drivers, notifier }: CommandPorts,
  byName: Auth["byName"],
  pushAccount: PushAccount,
  who: string,
) {
  const presence = drivers.list().find((each) => each.presence && each.state !== "failed" && each.state !== "stopped");
  const persons = presence?.presence?.persons() ?? [];
  const running = notifier.channels();
  const channelsOf = ({ channels, account }: Person): readonly string[] => {
    if (channels.length > 0 || account === "") return channels;
    return running.flatMap(({ name }) => (pushAccount(name) === account ? [name] : []));
  };
  const channels = (): readonly string[] => {
    if (who === "home") return persons.filter(({ says }) => says === "home").flatMap(channelsOf);
    const named = persons.filter(({ name, id, node }) => [name, id, node].includes(who));
    if (named.length > 0) return named.flatMap(channelsOf);
    const isMeant = (id: string) => id === who || home.integrations.get(id)?.name === who;
    const ofNobody = running.filter(({ name, alerts }) => (who === "all" ? alerts : isMeant(name)));
    return [...(who === "all" ? persons.flatMap(channelsOf) : []), ...ofNobody.map(({ name }) => name)];
  };
  return [...new Set(channels())].map((channel) => {
    // A channel of several persons is of none of their accounts.
    const [person, other] = persons.filter((each) => each.channels.includes(channel));
    const login = pushAccount(channel) ?? (person && !other && person.account !== "" ? person.account : null);
    return { channel, accountId: login === null ? null : byName.idOf(login) };
  });
}

function kindOf({ role, devtype }: Node): Kind | null {
  if (role === undefined) return null;
  const isBreakIn = role === "safety" && devtype !== null && BREAK_IN_CATEGORIES.includes(devtype.category);
  return isBreakIn ? "break-in" : (KINDS[role] ?? null);
}

/** An unreachable sensor neither raises nor ends an alert. */
function saysOf({ role = "other", link, properties }: Node, kind: Kind): boolean | null {
  const status = properties.get("ST");
  if (!status || status.value === null || link === "unreachable") return null;
  const displayed = status.value / 10 ** status.prec;
  const word = wordOfValue(role, status.uom, displayed);
  if (kind === "jam") return word === null ? null : word === "jammed";
  if (kind === "water") return word === null ? null : word === "wet";
  return isActive(role, status.uom, displayed);
}

/** One for each device: its first node has the name by which its owner knows it. */
function sentencesOf(home: Home, profile: Profile, addresses: readonly string[]): readonly string[] {
  const nodes = addresses.flatMap((address) => findNode(home, address) ?? []);
  const devices = new Map(nodes.toReversed().map((node) => [node.primary, node]));
  return Array.from(devices, ([primary, node]) => {
    const { name } = findNode(home, primary) ?? node;
    const room = roomOf(home, node) ?? "";
    return `${name}${room === "" || name.includes(room) ? "" : ` (${room})`}: ${wordFor(profile, node)}.`;
  });
}

/** A leak sensor's On is wet. */
function wordFor(profile: Profile, node: Node): string {
  const status = node.properties.get("ST");
  if (!status) return "";
  const word = wordOfValue(node.role ?? null, status.uom, (status.value ?? 0) / 10 ** status.prec);
  return word === "wet" || word === "dry" ? word : describeProperty(profile, node, status).formatted.trim();
}

function roomOf(home: Home, node: Node): string | null {
  const above = treeParent(node);
  const folder = above && home.folders.get(above.address);
  if (folder) return folder.name;
  const parent = above && findNode(home, above.address);
  return parent && parent.address !== node.address ? roomOf(home, parent) : null;
}
