/** `domovoi move-in status|take|finish|undo`: the steps of a move at the running controller. */

import type { ControllerSession, MoveIn, MoveInIntegration, PlayedNode } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { printJson, printList } from "../home/list.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";

type TakeOptions = ConnectionOptions & { readonly map?: readonly string[]; readonly force?: boolean };

const PATH = "/api/move-in";
const INTEGRATIONS = [
  { title: "INTEGRATION", text: ({ id }: MoveInIntegration) => id },
  { title: "STATE", text: ({ state }: MoveInIntegration) => state },
  { title: "NODES", text: ({ nodes }: MoveInIntegration) => String(nodes), isRight: true },
  { title: "CAN TAKE", text: ({ offers }: MoveInIntegration) => String(offers), isRight: true },
];
const PLAYED = [
  { title: "NOT HERE YET", text: ({ name }: PlayedNode) => name },
  { title: "ADDRESS", text: ({ address }: PlayedNode) => address },
  { title: "CAN BE TAKEN BY", text: ({ offeredBy }: PlayedNode) => offeredBy.join(", ") },
  {
    title: "LOOKS LIKE",
    text: ({ suggestion }: PlayedNode) => (suggestion ? `${suggestion.address} of ${suggestion.integration}` : ""),
  },
];

export async function showMove(session: ControllerSession, options: ConnectionOptions): Promise<void> {
  const status = await statusOf(session);
  if (options.json) return printJson(status);
  const { integrations, played, steps, programsWait } = status;
  printList(integrations, options, "No integration yet. Add one: domovoi integration add", INTEGRATIONS);
  process.stdout.write("\n");
  printList(played, options, "Every node is driven by an integration.", PLAYED);
  process.stdout.write(suggestedCommands(played));
  const next = programsWait ? 'The programs wait: "domovoi move-in finish" runs them here.' : "The programs run here.";
  process.stdout.write(`\n${steps.map(({ edit, title }) => `edit ${edit}  ${plain(title)}\n`).join("")}${next}\n`);
}

/** Commands to check and correct before running them, because a suggestion is a guess. */
function suggestedCommands(played: readonly PlayedNode[]): string {
  const byIntegration = new Map<string, string[]>();
  for (const { address, suggestion } of played) {
    if (!suggestion) continue;
    const options = byIntegration.get(suggestion.integration) ?? [];
    byIntegration.set(suggestion.integration, [...options, `--map '${plain(address)}=${plain(suggestion.address)}'`]);
  }
  if (byIntegration.size === 0) return "";
  const lines = Array.from(byIntegration, ([id, options]) => `  domovoi move-in take ${id} ${options.join(" ")}\n`);
  return `\nDevices with the same name or type under other addresses. If they are the same, take them over with:\n${lines.join("")}`;
}

export async function take(session: ControllerSession, integration: string, options: TakeOptions): Promise<Done> {
  const path = `${PATH}/take/${encodeURIComponent(integration)}`;
  const { map, force } = options;
  const body = map ? { map: Object.fromEntries(map.map(addressPair)), force: force ?? false } : undefined;
  const taken = (await session.request("POST", path, body)).data as {
    readonly edit: number;
    readonly addresses: readonly string[];
  };
  const count = taken.addresses.length;
  return done(`${integration} drives ${count} more ${count === 1 ? "node" : "nodes"} (edit ${taken.edit}).`, taken);
}

/** @throws CommandFailure */
function addressPair(text: string): readonly [string, string] {
  const [old = "", by = "", ...others] = text.split("=").map((each) => each.trim());
  if (old !== "" && by !== "" && others.length === 0) return [old, by];
  throw usageFailure(`"${text}" is not a mapping. Write the old address, "=", and the address of the new device.`);
}

export async function finish(session: ControllerSession): Promise<Done> {
  const made = (await session.request("POST", `${PATH}/finish`)).data as { readonly edit: number };
  const sentence = `The programs run here (edit ${made.edit}). Disable them at the other controller, if it still runs.`;
  return done(sentence, made);
}

const NOTHING_LEFT =
  "Nothing is left to undo: all nodes are simulated and the programs wait, as after the copy. " +
  "To give up the move, stop the service and delete its data directory.";

export async function undoStep(session: ControllerSession): Promise<Done> {
  const { steps, programsWait } = await statusOf(session);
  const last = steps.at(-1);
  // Without its first step the programs would run here and at the other controller.
  if (programsWait && steps.length === 1) throw new CommandFailure("failed", NOTHING_LEFT);
  if (!last) throw new CommandFailure("failed", "No step of a move was made, so there is nothing to undo.");
  const made = await session.edits.undo(last.edit);
  // The end of the move is itself an edit that took one back.
  const what = last.title.startsWith("Undo:") ? "the programs wait again" : last.title;
  return done(`Undone: ${what} (edit ${made.edit}).`, made);
}

async function statusOf(session: ControllerSession): Promise<MoveIn> {
  return (await session.request("GET", PATH)).data as MoveIn;
}
