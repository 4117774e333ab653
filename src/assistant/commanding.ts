/** The tool that commands a node or a scene, and answers with what came of it. */

import type { Home } from "@domovoi/client";
import { type Tool, type ToolContext, ToolFailure, type ToolInput, textIn } from "./tool.ts";

/** Members of an entry of `/api/commands`. */
type CommandLife = Readonly<Record<"id" | "address" | "command" | "state" | "detail", string>>;

/** A command to a device on a radio network takes a second or two. */
const LOOKS_MAX = 20;
const LOOK_MS = 150;
/** `queued`: for a device that sleeps, perhaps for hours. */
const SETTLED: ReadonlySet<string> = new Set(["confirmed", "failed", "queued"]);

export const commandTool: Tool = {
  name: "command",
  about:
    "Commands a node or a scene, such as DON 40, and answers with the confirmed outcome. Locks, garage doors, sirens and alarms are refused: propose the command.",
  members: {
    thing: { type: "string", description: "Id, path or name of a node or scene." },
    command: { type: "string", description: "Id of the command, as read lists it." },
    values: { type: "array", items: { type: ["number", "string"] }, maxItems: 10 },
  },
  required: ["thing", "command"],
  acts: true,
  run: command,
};

async function command({ home }: ToolContext, input: ToolInput): Promise<object> {
  const [key, id] = [textIn(input, "thing") ?? "", (textIn(input, "command") ?? "").toUpperCase()];
  const values = Array.isArray(input.values) ? input.values.filter(isValue) : [];
  const [node, group] = [home.nodes.find(key), home.groups.find(key)];
  if (node && group) throw new ToolFailure(`"${key}" is a node and a scene. Use the id.`);
  if (!node && !group) throw new ToolFailure(`There is no node or scene "${key}". Use find.`);
  const before = new Set((await latest(home)).map((life) => life.id));
  if (node) await node.send(id, ...values);
  else await group?.send(id, ...values.map(Number));
  const addresses = new Set(node ? [node.address] : [group?.address ?? "", ...(group?.members ?? [])]);
  const mine = ({ id: life, address, command: sent }: CommandLife) =>
    !before.has(life) && sent === id && addresses.has(address);
  return {
    thing: (node ?? group)?.name,
    command: [id, ...values].join(" "),
    outcomes: (await outcomes(home, mine)).map(({ address, state, detail }) => ({
      ...{ id: address, name: home.nodes.find(address)?.name ?? (group?.name || address), state },
      ...(detail !== "" && { detail }),
    })),
  };
}

/** As they are when all have settled, or after some seconds. */
async function outcomes(home: Home, mine: (life: CommandLife) => boolean): Promise<readonly CommandLife[]> {
  for (let look = 1; ; look++) {
    const found = (await latest(home)).filter(mine);
    if ((found.length > 0 && found.every(({ state }) => SETTLED.has(state))) || look === LOOKS_MAX) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function latest(home: Home): Promise<readonly CommandLife[]> {
  // The shape is that of this version's interface.
  return (await home.request("GET", "/api/commands")).data as readonly CommandLife[];
}

function isValue(value: unknown): value is number | string {
  return typeof value === "number" || typeof value === "string";
}
