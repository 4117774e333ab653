/**
 * A scene without a controller: several nodes, each with a command of its own. A failed command does not stop the
 * others.
 */

import type { CommandValue } from "@domovoi/client";
import { connectFromEnvironment } from "./connect.ts";

const READING: readonly (readonly [node: string, command: string, ...values: CommandValue[]])[] = [
  ["Living Room Ceiling", "DON", { value: 20, uom: 51 }],
  ["Floor Lamp", "DON", { value: 80, uom: 51 }],
  ["Living Room Fan Motor", "DON", "Low"],
  ["Desk Lamp", "DOF"],
];

await using home = await connectFromEnvironment();

const sent = await Promise.allSettled(
  READING.map(([node, command, ...values]) => home.node(node).send(command, ...values)),
);
for (const [at, result] of sent.entries()) {
  const [node, command] = READING[at] ?? [];
  console.log(`${node}: ${result.status === "fulfilled" ? `took ${command}` : result.reason.message}`);
}
