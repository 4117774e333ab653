/** Network resources: requests to other machines that people and programs fire. Their content is never shown again. */

import type { NewResource } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card, Rest } from "../parts/layout.tsx";
import { Options } from "../parts/options.tsx";
import { RemoveButton } from "../parts/remove.tsx";
import { isOwner } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { number, t } from "../text/text.ts";

type Stored = {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly method: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly bodyBytes: number;
  readonly timeoutMs: number;
  readonly allowed: boolean;
};

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function ResourcesSection() {
  const { revision } = useStore();
  const home = useHome();
  const loaded = useLoaded<readonly Stored[]>("/api/resources", revision.value);
  const add = isOwner() && (
    <>
      <DialogButton label={t("resource.targets")}>
        <TargetsForm changed={loaded.reload} />
      </DialogButton>
      <DialogButton class="primary" label={t("create")}>
        <ResourceForm
          title={t("resource.new")}
          stored={null}
          send={(resource) => home.edits.createResource(resource)}
        />
      </DialogButton>
    </>
  );
  return (
    <Card title={t("system.resources")} actions={add}>
      <Rest of={loaded} empty={t("system.noResources")} />
      <ul class="rows">
        {loaded.data?.map((resource) => (
          <ResourceRow key={resource.id} resource={resource} />
        ))}
      </ul>
    </Card>
  );
}

function ResourceRow({ resource }: { resource: Stored }) {
  const home = useHome();
  const act = useAct();
  const [result, setResult] = useState("");
  const id = String(resource.id);
  const test = () =>
    act.run(async () => {
      setResult("");
      const { outcome, detail, answer } = await home.edits.testResource(id);
      if (outcome === "failed") throw new Error(detail);
      setResult(answer ? `${answer.status ?? ""} ${answer.text}`.trim() || detail : detail || t("system.fired"));
    });
  const fire = () =>
    act.run(async () => {
      await home.resource(id).fire();
      setResult(t("system.fired"));
    });
  return (
    <li>
      <span class="main">
        {resource.name}
        <small>
          {resource.method} {resource.url}
        </small>
        {!resource.allowed && <small>{t("resource.notAllowed")}</small>}
        <span role="status">{result}</span>
        <span role="alert">{act.problem}</span>
      </span>
      <span class="buttons">
        <button type="button" disabled={act.isBusy} onClick={() => void (isOwner() ? test() : fire())}>
          {t("system.fire")}
        </button>
        {isOwner() && (
          <>
            <DialogButton label={t("edit")} name={t("edit.thing", { name: resource.name })}>
              <ResourceForm
                title={resource.name}
                stored={resource}
                send={(changed) => home.edits.changeResource(id, changed)}
              />
            </DialogButton>
            <RemoveButton kind="resource" key_={id} name={resource.name} remove={() => home.edits.removeResource(id)} />
          </>
        )}
      </span>
    </li>
  );
}

/** Beyond those that are allowed by default. */
function TargetsForm({ changed }: { changed: () => void }) {
  const home = useHome();
  const loaded = useLoaded<{ readonly targets: readonly string[] }>("/api/resource-targets");
  const save = async (form: FormData) => {
    if (!loaded.data) throw new Error(loaded.problem ?? "");
    const lines = String(form.get("targets") ?? "").split("\n");
    await home.edits.setResourceTargets(lines.map((line) => line.trim()).filter((line) => line !== ""));
    changed();
  };
  return (
    <Ask title={t("resource.targets")} submit={t("save")} done={t("done.saved")} onSubmit={save}>
      <Rest of={loaded} />
      {loaded.data && (
        <label>
          {t("resource.targetsAbout")}
          <textarea name="targets" rows={4} spellcheck={false} defaultValue={loaded.data.targets.join("\n")} />
        </label>
      )}
    </Ask>
  );
}

type FormProps = {
  readonly title: string;
  readonly stored: Stored | null;
  readonly send: (resource: NewResource) => Promise<unknown>;
};

/** URL and body of a stored resource are sent only if they were typed again. */
function ResourceForm({ title, stored, send }: FormProps) {
  const submit = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const given = { url: text("url"), body: text("body"), method: text("method") };
    return send({
      name: text("name"),
      timeoutMs: Number(text("timeout")) * 1000,
      headers: headersIn(text("headers")),
      // A stored resource keeps its URL when none is given.
      ...(given.url !== "" || !stored ? { url: given.url } : {}),
      ...(given.body !== "" && { body: given.body }),
      ...(given.method !== "" && { method: given.method }),
    } as NewResource);
  };
  return (
    <Ask title={title} submit={t("save")} done={t("done.saved")} onSubmit={submit}>
      <label>
        {t("rename.name")}
        <input name="name" required maxLength={200} defaultValue={stored?.name} />
      </label>
      <label>
        {t("resource.url")}
        <input
          name="url"
          required={!stored}
          placeholder={stored?.url}
          pattern="(https?|tcp|udp)://.*"
          autocomplete="off"
        />
        <small class="hint">{t(stored ? "resource.urlKept" : "resource.urlAbout")}</small>
      </label>
      <label>
        {t("resource.method")}
        <select name="method">
          <option value="" />
          <Options of={METHODS.map((method) => [method, method])} chosen={stored?.method ?? "GET"} />
        </select>
      </label>
      <label>
        {t("resource.headers")}
        <textarea
          name="headers"
          rows={2}
          spellcheck={false}
          defaultValue={stored?.headers.map(({ name, value }) => `${name}: ${value}`).join("\n") ?? ""}
        />
      </label>
      <label>
        {t("resource.body")}
        <textarea
          name="body"
          rows={3}
          spellcheck={false}
          placeholder={
            stored && stored.bodyBytes > 0 ? t("resource.bodyKept", { bytes: number(stored.bodyBytes) }) : undefined
          }
        />
      </label>
      <label>
        {t("resource.timeout")}
        <input
          name="timeout"
          type="number"
          min="0.1"
          max="60"
          step="any"
          required
          defaultValue={String((stored?.timeoutMs ?? 5000) / 1000)}
        />
      </label>
    </Ask>
  );
}

function headersIn(text: string): NewResource["headers"] {
  return text
    .split("\n")
    .filter((line) => line.includes(":"))
    .map((line) => ({
      name: line.slice(0, line.indexOf(":")).trim(),
      value: line.slice(line.indexOf(":") + 1).trim(),
    }));
}
