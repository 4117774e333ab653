/** The port for a transport that can command several devices in one message. */

import type { DriverCommand } from "./command.ts";

/**
 * Tells several devices at once what each of them is then commanded by itself: the lamps of a scene move together, and every
 * one still answers for itself. Also for a single device: the message may light a button that shows the scene. Begins at once,
 * never throws.
 */
export type Groupcast = (commands: readonly Pick<DriverCommand, "address" | "command" | "parameters">[]) => void;
