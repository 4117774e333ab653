/** What the surfaces do with persons, independent of the driver that has them. @see docs/presence.md */

export const PRESENCE_SOURCES = ["phone", "broker", "node"] as const;

export type PresenceSource = {
  readonly kind: (typeof PRESENCE_SOURCES)[number];
  /** Address of a node, topic of a phone at a broker; "" for a phone that sends to the controller. */
  readonly from: string;
  /** null: not known. */
  readonly says: "home" | "away" | null;
  /** null: never since the person was added. */
  readonly heardAtMs: number | null;
  /** Why it is in this state: a sentence. */
  readonly reason: string;
};

export type Person = {
  readonly id: string;
  /** That of its node, which its owner may rename. */
  readonly name: string;
  /** Login name of the person's account; "": none. */
  readonly account: string;
  readonly node: string;
  /** Names of notification channels; none: that of the account's browsers. */
  readonly channels: readonly string[];
  readonly says: "home" | "away" | null;
  /** null: its node was removed. */
  readonly sinceMs: number | null;
  readonly sources: readonly PresenceSource[];
};

export type PresencePort = {
  persons(): readonly Person[];
  /** Where a phone's region should be: a circle around the home, whose place may not be set yet. */
  home(): {
    readonly isPlaced: boolean;
    readonly latitude: number;
    readonly longitude: number;
    readonly radiusM: number;
    readonly region: string;
  };
  /**
   * A message of a phone. One that says nothing of a place is ignored.
   * @throws ControllerError PERSON_NOT_FOUND for a wrong token, TOO_MANY_REQUESTS, BODY_TOO_LARGE, BAD_BODY
   */
  take(token: string, message: string): void;
  /** A new token; the former one ends. Only its hash is stored. @throws ControllerError PERSON_NOT_FOUND */
  renewToken(id: string): Promise<string>;
};
