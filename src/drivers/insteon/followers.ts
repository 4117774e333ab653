/** What a button does to the devices that are linked with it, as their own records say. They do not report it themselves. */

import type { Device, DeviceBook } from "./device-book.ts";
import type { DeviceTables } from "./device-tables.ts";
import { nodeOfButton } from "./link-plan.ts";
import { roleOf } from "./link-records.ts";
import type { Press } from "./presses.ts";
import type { DeviceNode } from "./products.ts";

/** `level` null: it does not follow from the press. */
type Follower = { readonly device: Device; readonly node: DeviceNode; readonly level: number | null };

const ON: ReadonlySet<number> = new Set([0x11, 0x12]);
const OFF: ReadonlySet<number> = new Set([0x13, 0x14]);
const UNKNOWN_LEVEL: ReadonlySet<number> = new Set([0x15, 0x16, 0x18, 0x34, 0x35]);

export function followersOf(
  { book, tables }: { readonly book: DeviceBook; readonly tables: DeviceTables },
  { device: from, group, cmd1 }: Press,
): readonly Follower[] {
  if (!ON.has(cmd1) && !OFF.has(cmd1) && !UNKNOWN_LEVEL.has(cmd1)) return [];
  return tables.ids().flatMap((id) => {
    const device = book.device(id);
    const links = (tables.links(id) ?? []).filter(
      (link) => link.device === from && link.group === group && roleOf(link) === "responder",
    );
    return links.flatMap(({ data }) => {
      const node = device && nodeOfButton(device, data);
      if (!device || !node) return [];
      const [onLevel = 0] = data;
      return [{ device, node, level: ON.has(cmd1) ? onLevel : OFF.has(cmd1) ? 0 : null }];
    });
  });
}
