/**
 * Integrations: what connects the home with devices or services, such as one radio adapter, one broker, one plugin. The record
 * says how it is configured; whether it runs is known to the service that runs it, and stored nowhere.
 */

/** `settings`: made by a setting of the controller, which wins over the record; `owner`: made over the API. */
type IntegrationOrigin = "settings" | "owner";

/** Type and id of the integration that every home has. */
export const ALERTS = "alerts";

export type IntegrationRecord = {
  /** Also the name of its driver: its nodes name it. Begins with the type. */
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** JSON values by name, checked against the schema of the type. Secrets are not among them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Names of the secret settings that have a value; the values are stored apart. */
  readonly secrets: readonly string[];
  /** Whether it runs, and starts with the controller. */
  readonly enabled: boolean;
  readonly origin: IntegrationOrigin;
};
