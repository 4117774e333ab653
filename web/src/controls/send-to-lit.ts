import type { Node } from "@domovoi/client";
import { isActive } from "../parts/activity.ts";

/** A lamp that is off is turned on first: many take a color only while they are on, and it is to be seen. */
export async function sendToLit(node: Node, command: string, ...values: readonly (number | string)[]): Promise<void> {
  const isOff = isActive(node, node.properties.get("ST")) === false;
  if (isOff && node.nodedef?.accepts.some(({ id }) => id === "DON")) await node.send("DON");
  await node.send(command, ...values);
}
