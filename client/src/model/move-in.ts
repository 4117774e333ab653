/** A move from another controller as this one reports it at `/api/move-in`. */

import type { Message } from "./history.ts";
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

/** What an owner may copy from another controller, and how far a copy is, as reported at `/api/move-in/copy`. */
export type HomeCopyStatus = {
  /** Things of this home that a copy replaces. */
  readonly present: {
    readonly nodes: number;
    readonly scenes: number;
    readonly programs: number;
    readonly integrations: number;
  };
  /** Why the running controller cannot make a copy. */
  readonly obstacle: "demo" | "database" | "follows" | null;
  readonly copy: HomeCopy | null;
};

export type HomeCopy = {
  readonly state: "reading" | "planned" | "copying" | "restarting" | "failed";
  /** Of the other controller. */
  readonly url: string;
  /** 0 … 1, of reading or copying. */
  readonly progress: number;
  /** Null until it is read. */
  readonly name: string | null;
  readonly items: readonly CopyItem[];
  readonly failure: {
    readonly reason: ("credentials" | "certificate" | "unreachable" | "unreadable") | ("too-large" | "internal");
    readonly sentence: string;
  } | null;
};

/** Things of the other controller. */
export type CopyItem = {
  readonly kind:
    | ("folders" | "radio-nodes" | "modem-nodes" | "other-nodes" | "scenes" | "programs" | "foreign-programs")
    | ("unread-statement" | "program-folders" | "variables" | "network-resources" | "unread-document" | "accounts")
    | ("time-zone" | "radio-keys" | "device-parameters" | "notification-addresses" | "past");
  readonly what: string;
  readonly count: number | null;
  /** `later`: visible, but inactive until a later step of the move. */
  readonly comes: "yes" | "later" | "no";
  readonly note: string;
  readonly detail: string;
};

/** What an integration has to move in from, and what becomes of it, as planned at `/api/move-in/from`. */
export type WayIn = {
  readonly integration: string;
  /** As its owner calls it: "Home Assistant". */
  readonly system: string;
  /** Of all that would change. */
  readonly digest: string;
  readonly problems: readonly WayInNote[];
  readonly folders: readonly {
    readonly address: string;
    readonly path: readonly string[];
    readonly state: WayInState;
  }[];
  readonly nodes: readonly {
    readonly address: string;
    readonly name: string;
    readonly folder: string;
    readonly state: WayInState;
  }[];
  /** `empty`: nothing of it can be a scene here. */
  readonly scenes: readonly {
    readonly id: string;
    readonly name: string;
    readonly state: WayInState | "empty";
    readonly lines: readonly WayInLine[];
  }[];
  readonly automations: readonly WayInAutomation[];
  /** Automations to switch off there before their programs are enabled here. */
  readonly switchOff: readonly string[];
};

export type WayInState = "new" | "moved" | "there";

export type WayInNote = { readonly sentence: string; readonly message: Message };

/** A line of the original with what became of it. `out`: it was left out. */
export type WayInLine = {
  readonly at: string;
  readonly text: string;
  readonly fate: "same" | "differs" | "out";
  readonly becomes: readonly string[];
  readonly notes: readonly WayInNote[];
};

export type WayInAutomation = {
  readonly id: string;
  readonly name: string;
  readonly kind: "automation" | "script";
  readonly isOn: boolean;
  readonly state: "new" | "there";
  readonly verdict: "exact" | "differences" | "none";
  /** `waits`: it stays disabled, because another program runs it. */
  readonly programs: readonly {
    readonly id: string;
    readonly name: string;
    readonly part: "starts" | "called" | "waits";
  }[];
  readonly lines: readonly WayInLine[];
};
