/** Plugin servers: installed from a file, and the one that is open with its state, parameters, notices and log. */

import type { Plugin } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { Options } from "../parts/options.tsx";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { reasonText } from "../text/reasons.ts";
import { type TextKey, t, tn } from "../text/text.ts";
import { PluginSettingsCards } from "./plugin-settings.tsx";

const BASE = "/system/plugins";
const KINDS = ["python3", "node", "binary"] as const;
const TAGS = { running: "good", starting: "lit", stopped: "", failed: "bad", crashed: "bad" } as const;

export function PluginsSection({ id }: { id: string }) {
  const home = useHome();
  const act = useAct();
  const [list, setList] = useState<readonly Plugin[] | null>(null);
  const reload = () => void act.run(async () => setList(await home.plugins.list()));
  const { integrations, revision } = useStore();
  // Plugins start, stop and crash by themselves.
  useEffect(reload, [integrations.value, revision.value]);
  if (!list) return <p class="hint">{act.problem ?? t("starting")}</p>;
  if (id === "") return <List list={list} reload={reload} />;
  const open = list.find((plugin) => String(plugin.slot) === id);
  return open ? <Detail key={open.slot} plugin={open} reload={reload} /> : <p role="alert">{t("plugin.unknown")}</p>;
}

function List({ list, reload }: { list: readonly Plugin[]; reload: () => void }) {
  const install = (
    <DialogButton class="primary" label={t("plugin.install")}>
      <InstallForm reload={reload} />
    </DialogButton>
  );
  return (
    <Card title={t("system.plugins")} actions={install}>
      <p class="hint">{t("plugin.about")}</p>
      {list.length === 0 && <p class="empty">{t("plugin.none")}</p>}
      <ul class="rows">
        {list.map((plugin) => (
          <li key={plugin.slot}>
            <span class="main">
              <Link class="main" href={`${BASE}/${plugin.slot}`}>
                {plugin.name}
              </Link>
              <small>
                {plugin.version} · {tn("room.nodes", plugin.nodes)}
                {plugin.notices > 0 && ` · ${tn("plugin.notices", plugin.notices)}`}
                {plugin.reason && ` · ${reasonText(plugin.reason)}`}
              </small>
            </span>
            <StateTag plugin={plugin} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function StateTag({ plugin: { state } }: { plugin: Plugin }) {
  return <span class={`tag ${TAGS[state]}`}>{t(`plugin.${state}` as TextKey)}</span>;
}

function InstallForm({ reload }: { reload: () => void }) {
  const home = useHome();
  const [, navigate] = useLocation();
  const install = async (form: FormData) => {
    const given = (name: string) => String(form.get(name)).trim() || undefined;
    const [name, type, executable] = [given("name"), given("type"), given("executable")];
    const wanted = { ...(name && { name }), ...(type && { type }), ...(executable && { executable }) };
    const url = given("url");
    const plugin = url
      ? await home.plugins.installFrom(url, wanted)
      : await home.plugins.install(await bytesOf(form), wanted);
    reload();
    navigate(`${BASE}/${plugin.slot}`);
  };
  return (
    <Ask title={t("plugin.install")} submit={t("plugin.install")} onSubmit={install}>
      <p>{t("plugin.trust")}</p>
      <ArchiveField />
      <label>
        {t("rename.name")}
        <input name="name" maxLength={200} />
        <small class="hint">{t("plugin.nameAbout")}</small>
      </label>
      <details>
        <summary>{t("plugin.noServerJson")}</summary>
        <div class="fields">
          <label>
            {t("plugin.type")}
            <select name="type">
              <option value="" />
              <Options of={KINDS.map((kind) => [kind, kind])} />
            </select>
          </label>
          <label>
            {t("plugin.executable")}
            <input name="executable" maxLength={200} autocomplete="off" spellcheck={false} />
          </label>
        </div>
      </details>
    </Ask>
  );
}

/** A file, or an address from which the controller downloads it. */
function ArchiveField() {
  const [url, setUrl] = useState("");
  return (
    <>
      <label>
        {t("plugin.archive")}
        <input name="archive" type="file" accept=".tgz,.zip,.gz" required={url === ""} disabled={url !== ""} />
      </label>
      <label>
        {t("plugin.url")}
        <input
          name="url"
          type="url"
          pattern="https?://.*"
          autocomplete="off"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
    </>
  );
}

async function bytesOf(form: FormData): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (form.get("archive") as File).arrayBuffer());
}

function Detail({ plugin, reload }: { plugin: Plugin; reload: () => void }) {
  const home = useHome();
  const store = useStore();
  const act = useAct();
  const [, navigate] = useLocation();
  const { name, enabled, state, reason, version, nodes } = plugin;
  const [isGoing, setGoing] = useState(false);
  const slot = String(plugin.slot);
  const after = async (work: Promise<unknown>) => {
    await work;
    reload();
  };
  const run = (work: () => Promise<unknown>) => void act.run(() => after(work()));
  const upgrade = async (form: FormData) => {
    const url = String(form.get("url")).trim();
    await after(url ? home.plugins.upgradeFrom(slot, url) : home.plugins.upgrade(slot, await bytesOf(form)));
  };
  const remove = async () => {
    setGoing(true);
    await home.plugins.remove(slot).catch((error: unknown) => {
      setGoing(false);
      throw error;
    });
    navigate(BASE);
    reload();
    await store.refresh();
  };
  return (
    <>
      <Card title={name} actions={<StateTag plugin={plugin} />}>
        <p role="status">{reason}</p>
        {state === "starting" && <progress class="progress" aria-label={t("plugin.starting")} />}
        <p class="hint">
          {version} · {tn("room.nodes", nodes)}
        </p>
        <div class="buttons">
          {enabled ? (
            <>
              <button type="button" disabled={act.isBusy} onClick={() => run(() => home.plugins.restart(slot))}>
                {t("integration.restart")}
              </button>
              <button type="button" disabled={act.isBusy} onClick={() => run(() => home.plugins.stop(slot))}>
                {t("integration.stop")}
              </button>
            </>
          ) : (
            <button
              type="button"
              class="primary"
              disabled={act.isBusy}
              onClick={() => run(() => home.plugins.start(slot))}
            >
              {t("integration.start")}
            </button>
          )}
          {state === "running" && (
            <button type="button" disabled={act.isBusy} onClick={() => run(() => home.plugins.discover(slot))}>
              {t("plugin.discover")}
            </button>
          )}
          <DialogButton label={t("plugin.upgrade")}>
            <Ask title={t("plugin.upgradeTitle", { name })} submit={t("plugin.upgrade")} onSubmit={upgrade}>
              <p>{t("plugin.upgradeAbout")}</p>
              <ArchiveField />
            </Ask>
          </DialogButton>
          <DialogButton class="danger" label={t("remove")}>
            <Ask title={t("remove.title", { name })} submit={t("remove")} isDangerous onSubmit={remove}>
              <p>{t("plugin.removeAbout")}</p>
            </Ask>
          </DialogButton>
        </div>
        <p role="alert">{act.problem}</p>
      </Card>
      <PluginSettingsCards plugin={plugin} />
      {/* Between its end and its start it has none, nor while it is removed. */}
      <LogCard slot={slot} again={isGoing || plugin.home === "" ? null : state + reason} />
    </>
  );
}

function LogCard({ slot, again }: { slot: string; again: string | null }) {
  const home = useHome();
  const act = useAct();
  const [text, setText] = useState<string | null>(null);
  const load = () => void act.run(async () => setText(await home.plugins.log(slot)));
  useEffect(() => {
    if (again !== null) load();
  }, [slot, again]);
  return (
    <Card
      title={t("log.title")}
      actions={
        <button type="button" onClick={load}>
          {t("log.reload")}
        </button>
      }
    >
      <p role="alert">{act.problem}</p>
      {text === "" && <p class="empty">{t("log.none")}</p>}
      {text && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
        <pre class="log" tabIndex={0}>
          {text}
        </pre>
      )}
    </Card>
  );
}
