/** The port for a transport that can command several devices in one message. */

import type { DriverCommand } from "./command.ts";

/**
 * Tells several devices at once what each of them is then commanded by itself: the lamps of a scene move together, and every
 * one still answers for itself. Begins at once, never throws.
 */
export type Groupcast = (commands: readonly Pick<DriverCommand, "address" | "command" | "parameters">[]) => void;
