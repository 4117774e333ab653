/**
 * Web Push as a channel: the browsers of one account. The channel is added when the first browser of the account
 * allows notifications, and removed with the last one.
 */

import type { Config } from "../config.ts";
import type { IntegrationType } from "../drivers/integration-type.ts";
import { type Cause, SYSTEM_CAUSE } from "../home/cause.ts";
import type { IntegrationRecord } from "../home/integrations.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Deliver } from "./channel.ts";
import { channelType } from "./channel-types.ts";
import { makePushKey, type PushTarget, publicPushKey, pushRules, sendPush } from "./push-message.ts";

/** The integration type. */
export const PUSH = "push";

export type PushPorts = {
  readonly config: Pick<Config, "networkTargets">;
  readonly clock: Clock;
  readonly accounts: { secret(name: string, make: () => string): string };
  readonly devices: {
    areOwners(login: string): boolean;
    ofLogin(login: string): readonly object[];
    /** Those whose account can be used now. */
    openNow(login: string): readonly (PushTarget & { readonly id: string })[];
    remove(id: string): Promise<void>;
  };
};

const SECRET = "push-key";
const CHANNELS_MAX = 100;

/** The browser accepts only messages that are signed with this key. */
export function pushKeyOf(accounts: PushPorts["accounts"]): string {
  return publicPushKey(accounts.secret(SECRET, makePushKey));
}

export function pushType(ports: PushPorts): IntegrationType {
  const type = channelType({
    type: PUSH,
    name: "Phones and browsers",
    about:
      "Shows notifications on the devices on which a person allowed it on the page, also while the page is closed.",
    required: ["account"],
    properties: {
      account: { type: "string", title: "Account", description: "Login of the person.", minLength: 1, maxLength: 200 },
    },
    deliverBy: ({ account = "" }) => deliverTo(account, ports),
    mayAlarm: ({ account = "" }) => ports.devices.areOwners(account),
  });
  return { ...type, instancesMax: CHANNELS_MAX, claims: ({ account }) => [`notifications of ${String(account)}`] };
}

type Ending = {
  readonly auth: {
    readonly pushDevices: Pick<PushPorts["devices"], "ofLogin">;
    onSessionsEnded(listener: () => void): void;
    readonly accounts: { onRevoked(listener: () => void): void };
  };
  readonly integrations: {
    list(): readonly Pick<IntegrationRecord, "id" | "type" | "settings">[];
    remove(id: string, nodes: null, cause: Cause): Promise<void>;
  };
  readonly log: Log;
};

/** Removes the channels of accounts that have no browser left, now and whenever sessions or rights end. */
export function endUnusedPushChannels({ auth, integrations, log }: Ending): void {
  const isUnused = ({ type, settings }: Pick<IntegrationRecord, "type" | "settings">) =>
    type === PUSH && auth.pushDevices.ofLogin(String(settings.account)).length === 0;
  const end = () => {
    for (const { id } of integrations.list().filter(isUnused))
      integrations
        .remove(id, null, SYSTEM_CAUSE)
        .catch((error: unknown) => log.warn("A channel without devices could not be removed.", { error }));
  };
  auth.onSessionsEnded(end);
  auth.accounts.onRevoked(end);
  end();
}

/** A delivery to one browser counts as success, because a retry would show the message twice on the others. */
function deliverTo(account: string, { config, clock, accounts, devices }: PushPorts): Deliver {
  return async (message, signal) => {
    const open = devices.openNow(account);
    if (open.length === 0 && devices.ofLogin(account).length > 0) {
      throw new Error(`${account} cannot be reached outside of its hours.`);
    }
    const sending = {
      key: accounts.secret(SECRET, makePushKey),
      contact: contactOf(account),
      nowMs: clock.now(),
      rules: pushRules(config.networkTargets),
      signal,
    };
    const ends = await Promise.allSettled(
      open.map(async (device) => {
        const outcome = await sendPush(device, message, sending);
        if (outcome === "gone") await devices.remove(device.id);
        return outcome;
      }),
    );
    if (ends.some((end) => end.status === "fulfilled" && end.value === "delivered")) return;
    const none = `No device of ${account} shows notifications. Allow them on the page: System, Notifications.`;
    throw ends.find((end) => end.status === "rejected")?.reason ?? new Error(none);
  };
}

/** Push services require a contact address. Local accounts have none. */
function contactOf(account: string): string {
  return account.includes("@") ? `mailto:${account}` : "mailto:owner@example.org";
}
