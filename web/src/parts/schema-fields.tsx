/**
 * Form fields from the JSON Schemas with which the controller describes settings, input and answers. No type is known by name; only
 * the PIN of a device is, which is printed on it as a code too.
 */

import type { IntegrationSetting } from "@domovoi/client";
import { t } from "../text/text.ts";
import { CodeField } from "./code-field.tsx";
import { readZwavePin } from "./zwave-code.ts";

type Schema = {
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly minItems?: number;
  readonly items?: { readonly type?: string; readonly enum?: readonly string[] };
};

type FieldsProps = {
  readonly settings: readonly IntegrationSetting[];
  readonly values?: Readonly<Record<string, unknown>>;
  /** Names of secret settings that have a value. */
  readonly secrets?: readonly string[];
};

/** So many optional fields are shown at once; more of them are folded. */
const OPTIONAL_SHOWN_MAX = 3;

export function SchemaFields({ settings, values = {}, secrets = [] }: FieldsProps) {
  const field = (setting: IntegrationSetting) => (
    <SchemaField
      key={setting.name}
      setting={setting}
      value={values[setting.name]}
      isSet={secrets.includes(setting.name)}
    />
  );
  const optional = settings.filter(({ isRequired }) => !isRequired);
  if (optional.length <= OPTIONAL_SHOWN_MAX || optional.length === settings.length) return <>{settings.map(field)}</>;
  const isUsed = optional.some(({ name }) => values[name] !== undefined || secrets.includes(name));
  return (
    <>
      {settings.filter(({ isRequired }) => isRequired).map(field)}
      <details open={isUsed}>
        <summary>{t("integration.more")}</summary>
        <div class="fields below">{optional.map(field)}</div>
      </details>
    </>
  );
}

function SchemaField({ setting, value, isSet }: { setting: IntegrationSetting; value: unknown; isSet: boolean }) {
  const { name, title, description, type, isRequired } = setting;
  const schema = setting.schema as Schema;
  const label = title || name;
  const about = description && <small class="hint">{description}</small>;
  if (type === "boolean") {
    return (
      <label class="check">
        <input type="checkbox" name={name} defaultChecked={Boolean(value ?? schema.default)} />
        <span>
          {label} {about}
        </span>
      </label>
    );
  }
  if (name === "pin")
    return <CodeField name={name} label={label} hint={description} isRequired={isRequired} read={readZwavePin} />;
  if (schema.items?.enum) {
    const chosen = Array.isArray(value) ? value : schema.items.enum;
    return (
      <fieldset>
        <legend>{label}</legend>
        {schema.items.enum.map((choice) => (
          <label key={choice} class="check">
            <input type="checkbox" name={name} value={choice} defaultChecked={chosen.includes(choice)} />
            {choice}
          </label>
        ))}
        {about}
      </fieldset>
    );
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Control is an input, a select or a textarea
    <label>
      {label}
      <Control setting={setting} schema={schema} value={value} isSet={isSet} isRequired={isRequired && !isSet} />
      {about}
    </label>
  );
}

type ControlProps = {
  readonly setting: IntegrationSetting;
  readonly schema: Schema;
  readonly value: unknown;
  readonly isSet: boolean;
  readonly isRequired: boolean;
};

function Control({ setting: { name, type, isSecret }, schema, value, isSet, isRequired }: ControlProps) {
  const known = value ?? schema.default;
  if (schema.enum) {
    return (
      <select name={name} required={isRequired}>
        {(!isRequired || known === undefined) && <option value="" />}
        {schema.enum.map((choice) => (
          <option key={String(choice)} value={String(choice)} selected={choice === known}>
            {String(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (type === "integer" || type === "number") {
    return (
      <input
        type="number"
        name={name}
        required={isRequired}
        min={schema.minimum}
        max={schema.maximum}
        step={type === "integer" ? 1 : "any"}
        defaultValue={known === undefined ? "" : String(known)}
      />
    );
  }
  if (type === "array" || type === "object") {
    const text =
      known === undefined
        ? ""
        : isPlainList(schema)
          ? (known as readonly string[]).join("\n")
          : JSON.stringify(known, null, 2);
    return <textarea name={name} required={isRequired} rows={4} spellcheck={false} defaultValue={text} />;
  }
  return (
    <input
      type={isSecret ? "password" : "text"}
      name={name}
      required={isRequired}
      autocomplete="off"
      placeholder={isSet ? t("secret.set") : undefined}
      defaultValue={typeof known === "string" ? known : ""}
    />
  );
}

function isPlainList({ items }: Schema): boolean {
  return items?.type === "string";
}

/**
 * The values of the fields. A secret that was left empty keeps its value. Any other field that is empty and had a
 * value is cleared.
 * @throws SyntaxError when a field expects JSON and its text is not JSON
 */
export function schemaValues(
  settings: readonly IntegrationSetting[],
  form: FormData,
  before: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, type, isSecret, ...rest } of settings) {
    const schema = rest.schema as Schema;
    const text = String(form.get(name) ?? "");
    if (type === "boolean") values[name] = form.has(name);
    else if (schema.items?.enum) values[name] = form.getAll(name);
    else if (text !== "") values[name] = fieldValue(text, type, schema);
    else if (!isSecret && name in before) values[name] = null;
  }
  return values;
}

function fieldValue(text: string, type: string, schema: Schema): unknown {
  if (type === "integer" || type === "number") return Number(text);
  if (type === "array" && isPlainList(schema))
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  return type === "array" || type === "object" ? JSON.parse(text) : text;
}
