/** A copy of another controller's home, made while this controller runs: what of it comes over, and how far it is. */

export const COPY_ITEM_KINDS = [
  ...(["folders", "radio-nodes", "modem-nodes", "other-nodes", "scenes", "programs", "foreign-programs"] as const),
  ...(["unread-statement", "program-folders", "variables", "network-resources", "unread-document"] as const),
  ...(["time-zone", "accounts", "radio-keys", "device-parameters", "notification-addresses", "past"] as const),
] as const;

/** Things of the other controller. */
export type CopyItem = {
  readonly kind: (typeof COPY_ITEM_KINDS)[number];
  /** In English. */
  readonly what: string;
  /** null: the documents do not say how many. */
  readonly count: number | null;
  /** `later`: visible, but inactive until a later step of the move. */
  readonly comes: "yes" | "later" | "no";
  readonly note: string;
  /** A name or sentence for the kind: of the family of the nodes, of the programs, what is wrong with the statement or document, a time zone; or "". */
  readonly detail: string;
};

export const COPY_STATES = ["reading", "planned", "copying", "restarting", "failed"] as const;

/** `unreadable`: it answers, but has no home that can be read. */
export const COPY_FAILURES = [
  ...(["credentials", "certificate", "unreachable", "unreadable", "too-large", "internal"] as const),
] as const;

export type HomeCopy = {
  readonly state: (typeof COPY_STATES)[number];
  /** Of the other controller. */
  readonly url: string;
  /** 0 … 1, of reading or copying. */
  readonly progress: number;
  /** Name of the other home; null until it is read. */
  readonly name: string | null;
  /** Empty until it is read. */
  readonly items: readonly CopyItem[];
  /** null unless it failed. */
  readonly failure: { readonly reason: (typeof COPY_FAILURES)[number]; readonly sentence: string } | null;
};

export type CopyRequest = {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Skips the check of the certificate. */
  readonly insecure: boolean;
};

/** Why no copy can be made by the running controller: its home is the demo's, is kept in a database, or follows another one. */
export type CopyObstacle = "demo" | "database" | "follows";

export type HomeCopies = {
  /** null: none was begun, or it was removed. */
  current(): HomeCopy | null;
  readonly obstacle: CopyObstacle | null;
  /** Things of this home that a copy would replace. */
  present(): {
    readonly nodes: number;
    readonly scenes: number;
    readonly programs: number;
    readonly integrations: number;
  };
  /**
   * Begins to read the other controller. The password is used for its login and forgotten.
   * @throws ControllerError BAD_VALUE for the address or account; TARGET_REFUSED; CONFLICT while a copy is under way, or where
   * none can be made.
   */
  read(request: CopyRequest): Promise<HomeCopy>;
  /**
   * Begins to make the planned copy. When it is complete the controller restarts with it; accounts and certificates stay.
   * @param replaces also where this home has things; it is kept aside.
   * @throws ControllerError CONFLICT without a plan, or for a home that has things.
   */
  make(replaces: boolean): HomeCopy;
  /** Settles when it no longer reads or copies, or the signal aborts. */
  settled(signal: AbortSignal): Promise<void>;
  /** Ends it if it is under way, and forgets it. */
  remove(): void;
  /** For the end of the controller. */
  close(): Promise<void>;
};
