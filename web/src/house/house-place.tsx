/** The controller itself: integrations, variables, network resources, people, backups, language, sign out. */

import type { Resource, Variable } from "@domovoi/client";
import { useState } from "preact/hooks";
import { useHome } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { chooseLanguage, language, languages, number, type TextKey, t, timeText } from "../text/text.ts";

export function HousePlace({ onSignOut }: { onSignOut: () => void }) {
  const home = useHome();
  return (
    <>
      <h1>{t("place.house")}</h1>
      <Integrations />
      <section>
        <h2>{t("house.variables")}</h2>
        {home.variables.size === 0 && <p>{t("house.noVariables")}</p>}
        <ul>
          {[...home.variables].map((variable) => (
            <VariableRow key={variable.key} variable={variable} />
          ))}
        </ul>
      </section>
      <section>
        <h2>{t("house.resources")}</h2>
        {home.resources.size === 0 && <p>{t("house.noResources")}</p>}
        <ul>
          {[...home.resources].map((resource) => (
            <ResourceRow key={resource.id} resource={resource} />
          ))}
        </ul>
      </section>
      <People />
      <section>
        <h2>{t("house.language")}</h2>
        <div class="buttons">
          {languages().map((name) => (
            <button key={name} type="button" aria-pressed={name === language()} onClick={() => chooseLanguage(name)}>
              {t(`language.${name}` as TextKey)}
            </button>
          ))}
        </div>
      </section>
      <section>
        <h2>{t("house.controller")}</h2>
        <dl>
          <dt>{t("house.version")}</dt>
          <dd>{home.config.version}</dd>
          <dt>{t("house.id")}</dt>
          <dd>{home.config.uuid}</dd>
        </dl>
        <button type="button" onClick={onSignOut}>{t("signOut")}</button>
      </section>
    </>
  );
}

type Integration = { readonly id: string; readonly type: string; readonly name: string; readonly state: string; readonly reason: string | null };

function Integrations() {
  const { data, problem } = useLoaded<readonly Integration[]>("/api/integrations");
  return (
    <section>
      <h2>{t("house.integrations")}</h2>
      {problem && <p role="alert">{problem}</p>}
      <ul>
        {data?.map(({ id, name, type, state, reason }) => (
          <li key={id}>
            {name} <span class="value">{type} · {state}{reason ? ` · ${reason}` : ""}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function VariableRow({ variable }: { variable: Variable }) {
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (event: Event) => {
    event.preventDefault();
    try {
      await variable.set(Number(draft));
      setDraft(null);
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <li>
      <form class="inline" onSubmit={save}>
        <label>
          {variable.name || variable.key}
          <input
            type="number"
            step="any"
            value={draft ?? variable.value}
            onInput={(event) => setDraft(event.currentTarget.value)}
          />
        </label>
        {draft !== null && <button type="submit" class="primary">{t("save")}</button>}
        {variable.ts && <span class="value">{timeText(Date.parse(variable.ts))}</span>}
        {problem && <span role="alert">{problem}</span>}
      </form>
    </li>
  );
}

function ResourceRow({ resource }: { resource: Resource }) {
  const [result, setResult] = useState<string | null>(null);
  const fire = () =>
    resource.fire().then(
      () => setResult(t("house.fired")),
      (error: Error) => setResult(error.message),
    );
  return (
    <li>
      {resource.name}{" "}
      <button type="button" onClick={() => void fire()}>{t("house.fire")}</button>{" "}
      <span role="status">{result}</span>
    </li>
  );
}

type Account = { readonly id: string; readonly login: string; readonly role: string; readonly kind: string };

/** Only owners may read accounts; for others the section is absent. */
function People() {
  const { data } = useLoaded<readonly Account[]>("/api/accounts");
  if (!data) return null;
  return (
    <section>
      <h2>{t("house.people", { count: number(data.length) })}</h2>
      <ul>
        {data.map(({ id, login, role, kind }) => (
          <li key={id}>
            {login} <span class="value">{role} · {kind}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
