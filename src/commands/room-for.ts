/** The folder for a device that says in which room it is. */

import { cleanName } from "../drivers/report-checks.ts";
import type { Cause } from "../home/cause.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Home } from "../home/home.ts";
import { newAddress } from "./new-ids.ts";

/** What says it may be foreign; a home with more rooms than this makes them itself. */
const ROOMS_MAX = 200;

/** @returns the address of the folder of this name, which is made where there is none; null for no name, or too many folders */
export function roomFor(
  { home, feed }: { readonly home: Home; readonly feed: ChangeFeed },
  room: string,
  cause: Cause,
): string | null {
  const name = cleanName(room, "");
  if (name === "") return null;
  const wanted = name.toLowerCase();
  const known = [...home.folders.values()].find((folder) => folder.name.toLowerCase() === wanted);
  if (known) return known.address;
  if (home.folders.size >= ROOMS_MAX) return null;
  const address = newAddress(home, "folder");
  feed.commit({ type: "folder-added", folder: { address, name, parent: null } }, cause);
  return address;
}
