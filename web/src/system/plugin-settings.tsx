/** The settings of a plugin: free parameters, its own form, and its notices. */

import type { IntegrationSetting, Plugin, PluginSettings, PluginSignIn } from "@domovoi/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import { SchemaFields, schemaValues } from "../parts/schema-fields.tsx";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";

type CardsProps = { readonly plugin: Plugin };
type PartProps = {
  readonly slot: string;
  readonly settings: PluginSettings;
  readonly show: (settings: PluginSettings) => void;
};

/** @param plugin as it was polled last. */
export function PluginSettingsCards({ plugin }: CardsProps) {
  const home = useHome();
  const act = useAct();
  const [settings, setSettings] = useState<PluginSettings | null>(null);
  const changes = useRef(0);
  const slot = String(plugin.slot);
  const { state } = plugin;
  const show = (changed: PluginSettings) => {
    changes.current += 1;
    setSettings(changed);
  };
  // A plugin has no settings until it has started. It declares its parameters and its form some time later, one after the other.
  useEffect(() => {
    if (state === "stopped" || state === "starting") return;
    const { current } = changes;
    void act.run(async () => {
      const read = await home.plugins.settings(slot);
      // A read from before a change does not replace the changed settings.
      if (current === changes.current) setSettings(read);
    });
  }, [state === "running" ? plugin : state]);
  if (state === "stopped") return <p class="hint">{t("plugin.stoppedAbout")}</p>;
  if (!settings) return <p role="alert">{act.problem}</p>;
  const form = settingsOfForm(settings.typedParameters);
  const parts = { slot, settings, show };
  return (
    <>
      <Notices {...parts} />
      {form.length > 0 && <TypedForm {...parts} form={form} />}
      <Parameters {...parts} />
      {settings.signIn && state === "running" && <SignIn slot={slot} />}
      <WebAddress {...parts} />
    </>
  );
}

/** The owner signs in at the plugin's service. A link opens its page, because browsers block a window that opens after a request. */
function SignIn({ slot }: { slot: string }) {
  const home = useHome();
  const act = useAct();
  const [begun, setBegun] = useState<PluginSignIn | null>(null);
  const begin = () => void act.run(async () => setBegun(await home.plugins.signIn(slot, location.origin)));
  return (
    <Card
      title={t("plugin.signIn")}
      actions={
        <button type="button" disabled={act.isBusy} onClick={begin}>
          {t("plugin.signInBegin")}
        </button>
      }
    >
      <p class="hint">{t("plugin.signInAbout")}</p>
      {begun && (
        <>
          <label>
            {t("plugin.signInReturn")}
            <input readOnly value={begun.redirectUrl} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <p>
            <a class="button primary" href={begun.url} target="_blank" rel="noreferrer">
              {t("plugin.signInOpen")}
            </a>
          </p>
        </>
      )}
      <p role="alert">{act.problem}</p>
    </Card>
  );
}

/** An address that services of other companies call. Its key is new each time that it is turned on. */
function WebAddress({ slot, settings: { webHook }, show }: PartProps) {
  const home = useHome();
  const act = useAct();
  const isOn = webHook !== null;
  const change = () => void act.run(async () => show(await home.plugins.change(slot, { webHook: !isOn })));
  return (
    <Card
      title={t("plugin.webHook")}
      actions={
        <button
          type="button"
          role="switch"
          class="switch"
          aria-checked={isOn}
          aria-busy={act.isBusy}
          aria-label={t("plugin.webHook")}
          onClick={change}
        >
          <span />
        </button>
      }
    >
      <p class="hint">{t("plugin.webHookAbout")}</p>
      {isOn && (
        <label>
          {t("plugin.webHookPath")}
          <input readOnly value={`${location.origin}${webHook}`} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
      <p role="alert">{act.problem}</p>
    </Card>
  );
}

function Notices({ slot, settings, show }: PartProps) {
  const home = useHome();
  const act = useAct();
  const notices = Object.entries(settings.notices);
  if (notices.length === 0) return null;
  return (
    <Card title={t("plugin.noticesTitle")}>
      <ul class="rows">
        {notices.map(([key, text]) => (
          <li key={key}>
            <span class="main">{plainText(String(text))}</span>
            <button
              type="button"
              disabled={act.isBusy}
              aria-label={t("plugin.dismissOf", { name: key })}
              onClick={() => void act.run(async () => show(await home.plugins.dismissNotice(slot, key)))}
            >
              {t("plugin.dismiss")}
            </button>
          </li>
        ))}
      </ul>
      <p role="alert">{act.problem}</p>
    </Card>
  );
}

/** Names and values as text, and a pair of fields for a new parameter. An emptied value removes the parameter. */
function Parameters({ slot, settings, show }: PartProps) {
  const home = useHome();
  const act = useAct();
  // Each save makes the fields anew: the new parameter is then one of the known ones.
  const [saves, setSaves] = useState(0);
  const known = Object.entries(settings.parameters);
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const added = String(form.get("added name")).trim();
    const parameters = Object.fromEntries(
      [
        ...known.map(([name]) => [name, String(form.get(`value ${name}`))]),
        ...(added === "" ? [] : [[added, String(form.get("added value"))]]),
      ].map(([name, value]) => [name, value === "" ? null : value]),
    ) as Record<string, string | null>;
    void act.edit(t("done.saved"), async () => {
      show(await home.plugins.change(slot, { parameters }));
      setSaves(saves + 1);
    });
  };
  return (
    <Card title={t("plugin.parameters")}>
      {settings.help !== "" && <p class="problem">{plainText(settings.help)}</p>}
      <form key={saves} class="fields" onSubmit={submit}>
        {known.map(([name, value]) => (
          <label key={name}>
            {name}
            <input
              name={`value ${name}`}
              type={isSecretName(name) ? "password" : "text"}
              autocomplete="off"
              spellcheck={false}
              defaultValue={String(value)}
            />
          </label>
        ))}
        <fieldset class="fields">
          <legend>{t("plugin.addParameter")}</legend>
          <label>
            {t("rename.name")}
            <input name="added name" autocomplete="off" spellcheck={false} />
          </label>
          <label>
            {t("plugin.value")}
            <input name="added value" autocomplete="off" spellcheck={false} />
          </label>
        </fieldset>
        <p role="alert" class="problem">
          {act.problem}
        </p>
        <div class="buttons end">
          <button type="submit" class="primary" disabled={act.isBusy}>
            {t("plugin.saveParameters")}
          </button>
        </div>
      </form>
    </Card>
  );
}

function TypedForm({ slot, settings, show, form }: PartProps & { readonly form: readonly IntegrationSetting[] }) {
  const home = useHome();
  const act = useAct();
  const values = (settings.typedData ?? {}) as Readonly<Record<string, unknown>>;
  const submit = (event: Event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    void act.edit(t("done.saved"), async () =>
      show(await home.plugins.change(slot, { typedData: schemaValues(form, given) })),
    );
  };
  return (
    <Card title={t("plugin.form")}>
      <form class="fields" onSubmit={submit}>
        <SchemaFields settings={form} values={values} />
        <p role="alert" class="problem">
          {act.problem}
        </p>
        <div class="buttons end">
          <button type="submit" class="primary" disabled={act.isBusy}>
            {t("plugin.saveForm")}
          </button>
        </div>
      </form>
    </Card>
  );
}

type TypedParameter = {
  readonly name?: unknown;
  readonly title?: unknown;
  readonly desc?: unknown;
  readonly type?: unknown;
  readonly isRequired?: unknown;
  readonly isList?: unknown;
  readonly defaultValue?: unknown;
  readonly params?: unknown;
};

const TYPES = { NUMBER: "number", BOOLEAN: "boolean", STRING: "string" } as const;

/** Parameters with parts are filled in as JSON, lists of texts line by line. */
function settingsOfForm(definition: unknown): readonly IntegrationSetting[] {
  const rows = (Array.isArray(definition) ? definition : []) as readonly TypedParameter[];
  return rows
    .filter(({ name }) => typeof name === "string")
    .map(({ name, title, desc, type, isRequired, isList, defaultValue, params }) => {
      const plain = TYPES[String(type).toUpperCase() as keyof typeof TYPES] ?? "string";
      const shape = isList ? "array" : params ? "object" : plain;
      const items = isList && !params && plain === "string" ? { items: { type: plain } } : {};
      return {
        name: String(name),
        title: String(title ?? name),
        description: String(desc ?? ""),
        type: shape,
        isRequired: isRequired === true,
        isSecret: isSecretName(String(name)),
        schema: { ...items, ...(defaultValue !== undefined && defaultValue !== null && { default: defaultValue }) },
      } as IntegrationSetting;
    });
}

function isSecretName(name: string): boolean {
  return /pass|secret|token/i.test(name);
}

/** The text of a plugin's HTML, without its markup: parsed apart from the page, so nothing of it loads or runs. */
function plainText(html: string): string {
  return new DOMParser().parseFromString(html, "text/html").body.textContent?.trim() ?? "";
}
