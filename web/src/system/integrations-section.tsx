/** Integrations, and notification channels, which are integrations that notify: a list, or the one that is open. */

import type { FoundIntegration, Integration, IntegrationType } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { SchemaFields, schemaValues } from "../parts/schema-fields.tsx";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { reasonText } from "../text/reasons.ts";
import { language, t, tn } from "../text/text.ts";
import { IntegrationDetail, type Known, StateTag } from "./integration-detail.tsx";

const PLUGIN = "plugin";

type SectionProps = { readonly id: string; readonly notifies: boolean };

export function IntegrationsSection({ id, notifies }: SectionProps) {
  const home = useHome();
  const act = useAct();
  const [list, setList] = useState<readonly Integration[] | null>(null);
  const [types, setTypes] = useState<readonly IntegrationType[]>([]);
  const reload = () => void act.run(async () => setList(await home.integrations.list()));
  const { integrations, revision } = useStore();
  useEffect(() => void act.run(async () => setTypes(await localTypes(await home.integrations.types()))), []);
  // Their states come and go by themselves, and so do their nodes.
  useEffect(reload, [integrations.value, revision.value]);
  if (!list || types.length === 0) return <p class="hint">{act.problem ?? t("starting")}</p>;
  const own = list.filter(({ type }) => (types.find((some) => some.type === type)?.notifies ?? false) === notifies);
  const base = notifies ? "/system/notifications" : "/system/integrations";
  const open = own.find((integration) => integration.id === id);
  if (id !== "" && !open) return <p role="alert">{t("integration.unknown")}</p>;
  const known = {
    list: own,
    types: types.filter((type) => type.type !== PLUGIN && type.notifies === notifies),
    reload,
  };
  return open ? (
    <IntegrationDetail key={open.id} integration={open} known={known} base={base} />
  ) : (
    <List known={known} base={base} notifies={notifies} />
  );
}

function List({ known, base, notifies }: { known: Known; base: string; notifies: boolean }) {
  const { radios } = useHome();
  const [networks, setNetworks] = useState<readonly string[]>([]);
  useEffect(
    () =>
      void radios.list().then(
        (all) => setNetworks(all.map(({ name }) => name)),
        () => {},
      ),
    [radios],
  );
  return (
    <>
      <Card title={t(notifies ? "integration.channels" : "integration.running")}>
        {known.list.length === 0 && <p class="empty">{t(notifies ? "integration.noChannels" : "integration.none")}</p>}
        <ul class="rows">
          {known.list.map((integration) => (
            <li key={integration.id}>
              <span class="main">
                <Link class="main" href={placeOf(integration, base)}>
                  {integration.name}
                </Link>
                <small>
                  {known.types.find(({ type }) => type === integration.type)?.name ?? integration.type}
                  {!notifies && ` · ${tn("room.nodes", integration.nodes)}`}
                  {integration.reason && ` · ${reasonText(integration.reason)}`}
                </small>
              </span>
              {networks.includes(integration.id) && (
                <Link class="button" href="/system/radios">
                  {t("integration.network")}
                </Link>
              )}
              <StateTag state={integration.state} />
            </li>
          ))}
        </ul>
      </Card>
      {!notifies && <FoundCard known={known} base={base} />}
      <Card title={t("integration.add")}>
        <ul class="rows">
          {known.types.map((type) => (
            <li key={type.type}>
              <span class="main">
                {type.name}
                <small>{type.about}</small>
              </span>
              <DialogButton label={t("integration.addOne")} name={t("integration.addType", { name: type.name })}>
                <AddForm type={type} base={base} reload={known.reload} />
              </DialogButton>
            </li>
          ))}
          {!notifies && (
            <li>
              <span class="main">
                {t("system.plugins")}
                <small>{t("plugin.about")}</small>
              </span>
              <Link class="button" href="/system/plugins">
                {t("plugin.install")}
              </Link>
            </li>
          )}
        </ul>
      </Card>
    </>
  );
}

/** Looks around when asked: a search of the network takes some seconds. */
function FoundCard({ known, base }: { known: Known; base: string }) {
  const { integrations } = useHome();
  const act = useAct();
  const [found, setFound] = useState<readonly FoundIntegration[] | null>(null);
  const look = () => void act.run(async () => setFound(await integrations.found()));
  return (
    <Card title={t("integration.found")}>
      {found?.length === 0 && <p class="empty">{t("integration.nothingFound")}</p>}
      <ul class="rows">
        {found?.map(({ type: name, label, settings }) => {
          const type = known.types.find((each) => each.type === name);
          if (!type) return null;
          const place = Object.values(settings).join(" ");
          return (
            <li key={`${name} ${place}`}>
              <span class="main">
                {label}
                <small>
                  {type.name} · {place}
                </small>
              </span>
              <DialogButton
                label={t("integration.addOne")}
                name={t("integration.addFound", { name: type.name, found: label })}
              >
                <AddForm type={type} base={base} reload={known.reload} values={settings} />
              </DialogButton>
            </li>
          );
        })}
      </ul>
      <button type="button" onClick={look} disabled={act.isBusy} aria-busy={act.isBusy}>
        {t(act.isBusy ? "integration.looking" : "integration.look")}
      </button>
      <p role="alert" class="problem">
        {act.problem}
      </p>
    </Card>
  );
}

/** A plugin has a place of its own. */
function placeOf({ id, type, settings }: Integration, base: string): string {
  return type === PLUGIN && settings.slot !== undefined
    ? `/system/plugins/${settings.slot}`
    : `${base}/${encodeURIComponent(id)}`;
}

type AddFormProps = {
  readonly type: IntegrationType;
  readonly base: string;
  readonly reload: () => void;
  /** Of what was found. */
  readonly values?: Readonly<Record<string, unknown>>;
};

function AddForm({ type, base, reload, values = {} }: AddFormProps) {
  const home = useHome();
  const [, navigate] = useLocation();
  const add = async (form: FormData) => {
    const name = String(form.get("integration name")).trim();
    const added = await home.integrations.add({
      type: type.type,
      settings: schemaValues(type.settings, form),
      ...(name !== "" && { name }),
    });
    reload();
    navigate(`${base}/${encodeURIComponent(added.id)}`);
  };
  return (
    <Ask title={t("integration.addType", { name: type.name })} submit={t("integration.addOne")} onSubmit={add}>
      <label>
        {t("rename.name")}
        <input name="integration name" maxLength={200} placeholder={type.name} />
      </label>
      <SchemaFields settings={type.settings} values={values} />
    </Ask>
  );
}

type Texts = Readonly<Record<string, Pick<IntegrationType, "name" | "about">>>;

const OTHERS = import.meta.glob<Texts>(["../text/languages/*.json", "!../text/languages/en.json"], {
  query: "?part=types",
  import: "default",
});

/** Names and descriptions of integration types in the language of the page. The controller's own are English. */
async function localTypes(types: readonly IntegrationType[]): Promise<readonly IntegrationType[]> {
  const texts = await OTHERS[`../text/languages/${language()}.json`]?.();
  return texts ? types.map((type) => ({ ...type, ...texts[type.type] })) : types;
}
