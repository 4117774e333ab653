/**
 * The port for everything that takes steps and may ask a person: pairing a device, removing one, repairing. It is the same for
 * every kind of driver, so the command line and the page need no code of their own for each.
 *
 * @see docs/interface/integrations.md
 */

import type { Operation } from "../home/operation.ts";
import type { SettingsSchema } from "./settings-schema.ts";

/** The operations that can be started. */
export type OperationKind = {
  /** A word of the driver's own. */
  readonly kind: string;
  /** For people. */
  readonly name: string;
  /** A sentence for people: what it does. */
  readonly about: string;
  readonly input: SettingsSchema;
};

/** Members beside `kind` fit the schema of the question. `refuse` answers every question. */
export type OperationAnswer = { readonly kind: string };

export type Commissioning = {
  readonly kinds: readonly OperationKind[];
  /** The operation that is under way, else the latest one that ended; null before the first. */
  operation(): Operation | null;
  /**
   * Every step is published by the host.
   * @param input fits the schema of the kind.
   * @throws ControllerError RADIO_BUSY, NODE_NOT_FOUND, NOT_SUPPORTED, DRIVER_UNAVAILABLE
   */
  begin(kind: string, input: Readonly<Record<string, unknown>>): Operation;
  /** @throws ControllerError RADIO_ASKS_NOTHING, BAD_VALUE when it does not answer the question. */
  answer(answer: OperationAnswer): Operation;
  /** Ends the operation as soon as everything is in order again. @throws ControllerError RADIO_IDLE */
  cancel(): Operation;
};
