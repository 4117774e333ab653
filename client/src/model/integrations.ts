/** Integrations as the controller reports them: what connects the home with devices and services. */

export type IntegrationState = "starting" | "ready" | "degraded" | "failed" | "stopped";

export type Integration = {
  /** The type, with a number where there are several. */
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** Whether it runs, and starts with the controller. */
  readonly enabled: boolean;
  readonly state: IntegrationState;
  /** Why it is in this state: a sentence, or empty. */
  readonly reason: string;
  /** By name, without secret ones. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Names of the secret settings that are set. */
  readonly secrets: readonly string[];
  readonly nodes: number;
  /** The setting of the controller that configures it; null: it is configured over the interface. */
  readonly setting: string | null;
};

export type IntegrationType = {
  readonly type: string;
  readonly name: string;
  readonly about: string;
  /** Families of its nodes. */
  readonly families: readonly number[];
  readonly instancesMax: number;
  readonly settings: readonly IntegrationSetting[];
};

/** One setting of a type. `schema` is its JSON Schema, for forms. */
export type IntegrationSetting = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** It can be written and never read. */
  readonly isSecret: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
};

/** Values by name; null takes a setting back. */
export type IntegrationSettings = Readonly<Record<string, unknown>>;

export type NewIntegration = {
  readonly type: string;
  /** Only to take nodes over that were kept under it. */
  readonly id?: string;
  readonly name?: string;
  readonly settings?: IntegrationSettings;
  /** Default true. */
  readonly enabled?: boolean;
};

export type IntegrationChange = {
  readonly name?: string;
  /** Laid over those that it has. */
  readonly settings?: IntegrationSettings;
  readonly enabled?: boolean;
};
