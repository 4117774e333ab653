/**
 * Nodes of a home that was copied from another controller and whose devices no integration drives yet. They are simulated, which
 * every answer about them says; no command to them is confirmed.
 *
 * @see docs/moving-in.md
 */

/** The driver that simulates the devices of a copy. */
export const PLAYING_DRIVER = "virtual";

/** Edits of a move have titles that begin so. */
export const MOVE_IN_STEP = "Move-in:";

/** The detail of a command to such a node. */
export const SIMULATED = "No device got it: the node has no device at this controller yet, and is simulated.";

/** A twin that was not moved in is a simulation on purpose. */
export function isWithoutDevice(
  { isMovedIn }: { readonly isMovedIn: boolean },
  { driver }: { readonly driver: string },
): boolean {
  return isMovedIn && driver === PLAYING_DRIVER;
}
