/** Parameters and results of edits of a home. */

import type { Routes } from "./routes.ts";

export type { EditDetail, EditedThing, EditSummary, Place, Replacement, Use } from "./routes.ts";

/** Number of the edit, to take it back; null when nothing was different. */
export type Edited = { readonly address: string; readonly edit: number | null };

/** With the programs by room and role that mean more (true) or fewer of the thing's nodes than before. */
export type MeaningEdited = Edited & {
  readonly programs: readonly { readonly id: string; readonly name: string; readonly isMeant: boolean }[];
};

/** What happens to the contents of a folder that is removed: `keep` moves them to where the folder was. */
export type FolderContents = "refuse" | "keep" | "delete";

/** Percent and seconds; a device takes the nearest ramp that it knows. */
export type NewMember = MemberLevel & { readonly nodeAddress: string; readonly isController?: boolean };
export type MemberLevel = { readonly level?: number; readonly ramp?: number };

/** `force`: also where the new device cannot do everything; `dryRun`: nothing is changed. */
/** @param programsOnly only programs name the other node; both nodes keep their name, place and scenes */
export type ReplaceOptions = { readonly force?: boolean; readonly dryRun?: boolean; readonly programsOnly?: boolean };

/** The effect of one controller of a scene on one member. */
export type MemberLink = {
  readonly node: string;
  /** `native`: a link of the node's own kind; `cmd`: the command that it is sent; `default`: as it does by itself. */
  readonly type: string;
  /** Parameters of a link that is a command. */
  readonly command: string | null;
  /** Values by parameter: `OL` is the level, `RR` the ramp; "" the first one of a command. */
  readonly parameters: Readonly<Record<string, Quantity>>;
  /** Whether the controller's device holds the link and carries it out by itself; null for commands to the scene. */
  readonly device: { readonly state: string; readonly detail: string } | null;
};

/** Displayed value = value / 10^prec. */
export type Quantity = { readonly value: number; readonly uom: number; readonly prec: number };

/** The links of one controller; that with the address of the scene is for commands to the scene. */
export type ControllerLinks = { readonly controller: string; readonly links: readonly MemberLink[] };

export type PlaceChange = Routes["PATCH /api/place"]["body"];

export type NewResource = Routes["POST /api/resources"]["body"];

/** A resource as its owner is shown it. */
export type StoredResource = Routes["GET /api/resources/:id"]["data"];

export type ResourceHeader = NonNullable<NewResource["headers"]>[number];

export type ResourceTest = Pick<Routes["POST /api/resources/:id/test"]["data"], "outcome" | "detail" | "answer">;

export type UsedKind = "node" | "group" | "folder" | "variable" | "program" | "resource";

export type HistoryQuery = {
  readonly limit?: number;
  /** Only edits with a smaller number. */
  readonly before?: number;
  /** Only those of one thing, by kind and key: `program 17`. */
  readonly of?: string;
};
