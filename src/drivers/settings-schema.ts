/** The part of JSON Schema 2020-12 in which drivers describe their settings and the input of their operations. */

export type SettingSchema = {
  readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object";
  /** For people; the name of a field. */
  readonly title?: string;
  /** A sentence for people: what it is, and an example. */
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: SettingSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly additionalProperties?: boolean;
  /** A secret: a text that can be written and never read. Only of settings themselves, not within one. */
  readonly writeOnly?: true;
};

export type SettingsSchema = {
  readonly type: "object";
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, SettingSchema>>;
  readonly additionalProperties: false;
};

/** An object of these members and no others. */
export function membersSchema(
  properties: SettingsSchema["properties"],
  ...required: readonly string[]
): SettingsSchema {
  return { type: "object", required, properties, additionalProperties: false };
}
