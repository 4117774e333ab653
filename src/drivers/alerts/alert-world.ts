/** The home, its channels and accounts, as far as alerts need them. */

import type { Cause } from "../../home/cause.ts";
import type { ButtonAction } from "../alert-port.ts";
import type { AlertNotice } from "../channel.ts";
import type { AlertKind } from "./kinds.ts";

/** A channel, and the account whose rights an answer by it has; null: none. */
export type Recipient = { readonly channel: string; readonly accountId: string | null };

export type AlertWorld = {
  readonly addresses: () => Iterable<string>;
  /** What a node may raise by itself, and whether it says so; null: not known. */
  sensed(address: string): { readonly kind: AlertKind; readonly says: boolean | null } | null;
  /** @param arrived a person came home @returns what ends it */
  follow(changed: (address: string) => void, arrived: () => void): () => void;
  /** What each device of these nodes says and where, for people. */
  sentences(addresses: readonly string[]): readonly string[];
  /** With the values of `${...}`. @param node that raised it */
  filled(text: string, node: string | null): string;
  /** Channels of a word of an order, each once; of an unknown name none. */
  reach(who: string): readonly Recipient[];
  /** Its name for people. */
  channelName(channel: string): string;
  /** @returns why it failed, or null */
  deliver(channel: string, subject: string, text: string, notice: AlertNotice): Promise<string | null>;
  /** How a phone reaches the page; "": not known. */
  readonly pageUrl: () => string;
  /** @throws ControllerError BAD_VALUE */
  readAction(text: string): ButtonAction;
  actionText(action: ButtonAction): string;
  /** Login name. @throws ControllerError when the account may not answer, or not do this, now */
  mayAnswer(accountId: string, node: string, action: ButtonAction | null): string;
  /** @throws ControllerError */
  act(action: ButtonAction, cause: Cause): Promise<void>;
  /** Sends CONFIRM to the node; the cause names the account that answers. @throws ControllerError */
  confirm(node: string, cause: Cause): Promise<void>;
  /** What sent a command that is under way; null: not known. */
  causeOf(commandId: string): Cause | null;
};
