/** What edits of a home take and answer. */

/** Number of the edit, to take it back; null when nothing was different. */
export type Edited = { readonly address: string; readonly edit: number | null };

/** What becomes of the things in a folder that is removed: `keep` moves them to where the folder was. */
export type FolderContents = "refuse" | "keep" | "delete";

/** Percent and seconds; a device takes the nearest ramp that it knows. */
export type MemberLevel = { readonly level?: number; readonly ramp?: number };

/** What one controller of a scene makes one member do. */
export type MemberLink = {
  readonly node: string;
  /** `native`: a link of the node's own kind; `cmd`: the command that it is sent; `default`: as it does by itself. */
  readonly type: string;
  /** Of a link that is a command. */
  readonly command: string | null;
  /** Values by parameter: `OL` is the level, `RR` the ramp; "" the first one of a command. */
  readonly parameters: Readonly<Record<string, Quantity>>;
};

/** Displayed value = value / 10^prec. */
export type Quantity = { readonly value: number; readonly uom: number; readonly prec: number };

/** The links of one controller; that with the address of the scene is for commands to the scene. */
export type ControllerLinks = { readonly controller: string; readonly links: readonly MemberLink[] };

export type Replacement = {
  /** Old address to new one, for every node of the device. */
  readonly addresses: Readonly<Record<string, string>>;
  /** What the new device cannot do of what the old one did, a sentence each. */
  readonly misfits: readonly string[];
  readonly edit: number | null;
};

export type Place = {
  readonly name: string;
  /** IANA zone. */
  readonly timeZone: string;
  /** Degrees, north and east positive. */
  readonly latitude: number;
  readonly longitude: number;
  /** Meters above sea level; null where it is not set. */
  readonly elevation: number | null;
  readonly units: "metric" | "us";
};

export type PlaceChange = Partial<Omit<Place, "elevation">> & { readonly elevation?: number };

export type ResourceHeader = { readonly name: string; readonly value: string };

export type NewResource = {
  readonly name: string;
  /** `http://`, `https://`, `tcp://` or `udp://` */
  readonly url: string;
  readonly method?: string;
  readonly headers?: readonly ResourceHeader[];
  readonly body?: string;
  readonly timeoutMs?: number;
};

export type ResourceTest = {
  readonly outcome: "done" | "failed";
  readonly detail: string;
  /** What came back; null for nothing. */
  readonly answer: { readonly status: number | null; readonly contentType: string; readonly text: string } | null;
};

export type UsedKind = "node" | "group" | "folder" | "variable" | "program" | "resource";

/** A thing that uses another one; `text` is for people. */
export type Use = {
  readonly as: "member" | "reference" | "child";
  readonly kind: string;
  readonly key: string;
  readonly name: string;
  readonly text: string;
};

export type EditSummary = {
  /** Its number. */
  readonly edit: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly by: string | null;
  readonly title: string;
  /** Numbers of other edits: the one that it took back, and the one that took it back. */
  readonly undoes: number | null;
  readonly undoneBy: number | null;
};

/** Programs as text, other things as the members that differ; null: there was no such thing, or it was removed. */
export type EditedThing = {
  readonly kind: string;
  readonly key: string;
  readonly before: Readonly<Record<string, unknown>> | string | null;
  readonly after: Readonly<Record<string, unknown>> | string | null;
};

export type EditDetail = EditSummary & {
  /** What stands against taking it back; null: nothing. */
  readonly obstacle: string | null;
  readonly things: readonly EditedThing[];
};

export type HistoryQuery = {
  readonly limit?: number;
  /** Only edits with a smaller number. */
  readonly before?: number;
  /** Only those of one thing, by kind and key: `program 17`. */
  readonly of?: string;
};
