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
  /** It is a notification channel. */
  readonly notifies: boolean;
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

/** What can be begun at an integration, such as pairing a device. */
export type IntegrationOperationKind = {
  readonly kind: string;
  readonly name: string;
  readonly about: string;
  readonly input: readonly IntegrationSetting[];
};

/** An operation as it is. Stages: starting, waiting, found, asking, securing, interviewing, working; done, failed, cancelled end it. */
export type IntegrationOperation = {
  readonly id: string;
  readonly kind: string;
  readonly stage: string;
  readonly question: IntegrationQuestion | null;
  /** First node of the device, once it is known. */
  readonly address: string | null;
  readonly percent: number | null;
  readonly result: Readonly<Record<string, unknown>>;
  /** A sentence for people. */
  readonly detail: string;
};

export type IntegrationQuestion = {
  /** The answer repeats it; `refuse` answers every question. */
  readonly kind: string;
  /** What the person needs for the decision. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The members of the answer. */
  readonly answer: readonly IntegrationSetting[];
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
