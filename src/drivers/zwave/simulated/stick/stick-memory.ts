/**
 * The memory of the simulated stick: which nodes the network has. It is written back as a whole, as the memory of a real one;
 * what is in it is the simulation's own affair, so only a stick of the same kind can take it.
 */

import { ControllerError } from "../../../../errors.ts";
import type { Stick } from "./stick.ts";

const MEMORY_BYTES = 4096;
const EMPTY = 0xff;

export function openMemory(stick: Stick): NonNullable<Stick["memory"]> {
  const text = JSON.stringify({ simulated: true, nodes: [...stick.devices.keys()] });
  const bytes = Buffer.alloc(MEMORY_BYTES, EMPTY);
  bytes.write(text, 0, "ascii");
  return { bytes, isWritten: false };
}

/** Nodes that the written memory names are nodes again, all others are not. */
export function closeMemory(stick: Stick): void {
  const { memory } = stick;
  stick.memory = null;
  if (!memory?.isWritten) return;
  const nodes = readNodes(memory.bytes);
  for (const device of [...stick.devices.values()]) if (!nodes.includes(device.id)) stick.forget(device);
  for (const id of nodes) {
    const device = stick.known.get(id);
    if (device && !stick.devices.has(id)) stick.admit(device);
  }
}

function readNodes(bytes: Buffer): readonly number[] {
  const text = bytes.toString("latin1").split("\xff")[0] ?? "";
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === "object" && json !== null && "nodes" in json && Array.isArray(json.nodes)) {
      return json.nodes.filter((id) => typeof id === "number");
    }
  } catch {
    // Told below, as everything else that is no memory of this stick.
  }
  throw new ControllerError("BAD_VALUE", { sentence: "This is not the memory of a simulated stick." });
}
