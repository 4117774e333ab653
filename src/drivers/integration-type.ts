/**
 * The types of integrations: each kind of driver describes itself by one of these. A type is light: `create` imports
 * the code of its driver, so a controller without an integration of the type loads none of it.
 *
 * @see docs/integrations.md
 */

import type { SettingName } from "../config.ts";
import type { Fence } from "../home/durability.ts";
import type { AlertPort } from "./alert-port.ts";
import type { Channel } from "./channel.ts";
import type { Driver } from "./driver.ts";
import type { MatterPort } from "./matter-port.ts";
import type { PluginPort } from "./plugin-port.ts";
import type { PresencePort } from "./presence-port.ts";
import type { Service, ServiceStore } from "./service.ts";
import type { SettingsSchema } from "./settings-schema.ts";
import type { Surroundings } from "./surroundings.ts";

export type IntegrationSettings = Readonly<Record<string, unknown>>;

export type IntegrationType = {
  /** Lower-case letters; ids of its integrations begin with it. */
  readonly type: string;
  /** For people. */
  readonly name: string;
  /** A sentence for people: what it connects. */
  readonly about: string;
  /** Families of its nodes. */
  readonly families: readonly number[];
  readonly instancesMax: number;
  /** It is a notification channel: it has no nodes, and `domovoi channel` works on it. */
  readonly notifies?: true;
  readonly settings: SettingsSchema;
  /** The integrations that settings of the controller ask for; of one id, one setting at a time. */
  readonly wanted?: readonly WantedIntegration[];
  /** What it could connect to. */
  find?(around: Surroundings): Promise<readonly FoundSettings[]>;
  /** Things that only one running integration may use, as texts: a port, a slot, the first network. */
  claims?(settings: IntegrationSettings): readonly string[];
  /** A rule that the schema cannot state. @returns the sentence of what is wrong, or null. */
  check?(settings: IntegrationSettings): string | null;
  /**
   * Makes what runs, with the id as its name. Opens nothing yet: that is its `start`.
   * @throws ControllerError with a sentence for the owner; it is shown as the reason, and tried again later.
   */
  create(integration: IntegrationToRun): Promise<Runner>;
};

/** Something that was found, with the settings that connect it; secrets are missing. */
type FoundSettings = { readonly label: string; readonly settings: IntegrationSettings };

/**
 * What runs for an integration: a driver of devices, a notification channel, or a bridge that shows the home to others.
 * `fence`: what keeps two machines from running it at once; default none.
 */
export type Runner = { readonly fence?: Fence } & (
  | {
      readonly driver: Driver;
      readonly plugin?: PluginPort;
      readonly presence?: PresencePort;
      readonly alerts?: AlertPort;
      readonly channel?: never;
      readonly bridge?: never;
      readonly matter?: never;
    }
  | {
      readonly channel: Channel;
      readonly driver?: never;
      readonly plugin?: never;
      readonly presence?: never;
      readonly alerts?: never;
      readonly bridge?: never;
      readonly matter?: never;
    }
  | {
      readonly bridge: Service;
      readonly matter?: MatterPort;
      readonly driver?: never;
      readonly plugin?: never;
      readonly presence?: never;
      readonly alerts?: never;
      readonly channel?: never;
    }
);

/** Of a radio at this port: a path of this machine, or an address whose owner serves one connection at a time. */
export function fenceOfPort(port: string): Fence {
  if (port.startsWith("tcp://")) return "connection";
  return port.includes("://") ? "none" : "local";
}

type IntegrationToRun = {
  readonly id: string;
  /** Settings with defaults filled in, including secrets. */
  readonly settings: IntegrationSettings;
  /** What it stores, also of earlier runs. */
  readonly store: ServiceStore;
};

type WantedIntegration = {
  /** Default: the type. */
  readonly id?: string;
  /** Default: the name of the type. */
  readonly name?: string;
  /** It is wanted while this setting of the controller is neither empty nor off. */
  readonly setting: SettingName | "twin";
  /** Its settings by the settings of the controller that have their values. */
  readonly from?: Readonly<Record<string, SettingName>>;
  /** Those that the setting itself implies. */
  readonly settings?: IntegrationSettings;
};
