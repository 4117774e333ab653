/** A move from another controller as this one reports it at `/api/move-in`. */

import type { Integration } from "./integrations.ts";

export type MoveIn = {
  /** Programs do not run until the move is finished. */
  readonly programsWait: boolean;
  readonly integrations: readonly MoveInIntegration[];
  /** Nodes that no driver has taken over. They show the last values of the other controller. */
  readonly played: readonly PlayedNode[];
  /** Edits of the move that stand, the oldest first. */
  readonly steps: readonly { readonly edit: number; readonly at: string; readonly title: string }[];
};

export type MoveInIntegration = Pick<Integration, "id" | "name" | "state"> & {
  /** Nodes that it drives. */
  readonly nodes: number;
  /** Simulated nodes that it could take over. */
  readonly offers: number;
};

export type PlayedNode = {
  readonly address: string;
  readonly name: string;
  /** Ids of integrations that have a device with its address. */
  readonly offeredBy: readonly string[];
  /** The one device of an integration with the same name or type. */
  readonly suggestion: { readonly integration: string; readonly address: string } | null;
};
