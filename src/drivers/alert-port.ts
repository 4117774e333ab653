/** What the surfaces do with alerts, independent of the driver that has them. @see docs/alerts.md */

export const ALERT_STATUSES = ["off", "ringing", "confirmed"] as const;
/** From the least to the most urgent. */
export const URGENCIES = ["low", "normal", "high", "critical"] as const;
export type Urgency = (typeof URGENCIES)[number];

/** Of the page or the API, of a message by a channel, or a command to the node. */
export const ANSWER_WAYS = ["page", "channel", "command"] as const;
export type AnswerWay = (typeof ANSWER_WAYS)[number];

/** What a button of an alert does: one command to a node or scene, or a part of a program. */
export type ButtonAction =
  | {
      readonly kind: "command";
      readonly address: string;
      readonly command: string;
      readonly parameters: readonly {
        readonly id: string;
        readonly value: number;
        readonly uom: number;
        readonly prec: number;
      }[];
    }
  | { readonly kind: "program"; readonly id: number; readonly verb: "runIf" | "runThen" | "runElse" };

export type AnswerFacts = {
  /** Login name, or the channel where that belongs to no account; "": a program, or not known. */
  readonly by: string;
  readonly way: AnswerWay;
  /** Channel whose message was answered; "": none. */
  readonly channel: string;
  readonly atMs: number;
  /** Label of the button; "": it was only confirmed. */
  readonly button: string;
  /** What came of the button: a sentence; "": nothing yet, or no button. */
  readonly outcome: string;
};

export type Alert = {
  /** Address of its node. */
  readonly node: string;
  /** That of its node, which its owner may rename. */
  readonly name: string;
  /** Which of the controller's own alerts it is; "": its owner added it. */
  readonly kind: string;
  readonly status: (typeof ALERT_STATUSES)[number];
  /** What rings, as a sentence; "": it does not ring. */
  readonly text: string;
  readonly urgency: Urgency;
  /** Since when it rings; null: it does not. */
  readonly sinceMs: number | null;
  /** Addresses of the nodes that say so. */
  readonly sources: readonly string[];
  readonly order: string;
  readonly buttons: readonly { readonly label: string; readonly action: string }[];
  /** Who got it, since it first rang. */
  readonly told: readonly { readonly channel: string; readonly atMs: number; readonly failure: string }[];
  /** When the next step of the order comes; null: none does. */
  readonly nextAtMs: number | null;
  readonly answer: AnswerFacts | null;
};

/** What the holder of a token sees. */
export type AlertLook = Pick<Alert, "name" | "status" | "text" | "sinceMs" | "answer"> & {
  /** Labels, as far as the holder may press them. */
  readonly buttons: readonly string[];
};

/** `isFirst` false: another answer was first, which this is. */
export type Answered = { readonly isFirst: boolean; readonly answer: AnswerFacts };

export type AlertPort = {
  alerts(): readonly Alert[];
  /** @throws ControllerError ALERT_NOT_FOUND for a wrong token, or one that has ended */
  look(token: string): AlertLook;
  /**
   * On disk when it settles, and the button's work done. The account's rights are asked now.
   * @param button 1 to 3; 0: it only confirms
   * @throws ControllerError ALERT_NOT_FOUND when it does not ring, BAD_VALUE for a button that there is not, FORBIDDEN, OUT_OF_HOURS
   */
  answer(node: string, accountId: string, button: number): Promise<Answered>;
  /** For the account of the channel that the token went to. @throws ControllerError as `answer` */
  answerByToken(token: string, button: number): Promise<Answered>;
};
