/** Variables: numbers that programs and clients share. */

import type { Variable, VariableType } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { RemoveButton } from "../parts/remove.tsx";
import { isOwner } from "../session/role.ts";
import { useHome, useHomeWithStates } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";

const TYPES: readonly VariableType[] = [2, 1];

export function VariablesSection() {
  const home = useHomeWithStates();
  return (
    <>
      {TYPES.map((type) => {
        const own = [...home.variables].filter((variable) => variable.type === type);
        return (
          <Card
            key={type}
            title={t(`variable.type.${type}`)}
            actions={
              isOwner() && (
                <>
                  {type === 2 && !own.some(({ valueName }) => valueName !== null) && <NewModes />}
                  <NewVariable type={type} />
                </>
              )
            }
          >
            <p class="hint">{t(`variable.about.${type}`)}</p>
            {own.length === 0 && <p class="empty">{t("system.noVariables")}</p>}
            <ul class="rows">
              {own.map((variable) => (
                <VariableRow key={variable.key} variable={variable} />
              ))}
            </ul>
          </Card>
        );
      })}
    </>
  );
}

function VariableRow({ variable }: { variable: Variable }) {
  const [draft, setDraft] = useState<string | null>(null);
  const act = useAct();
  const save = async (event: Event) => {
    event.preventDefault();
    if (await act.run(() => variable.set(Number(draft)))) setDraft(null);
  };
  const name = variable.name || variable.key;
  return (
    <li>
      <span class="main">
        {name}
        {variable.ts && <small>{timeText(Date.parse(variable.ts))}</small>}
        <span role="alert">{act.problem}</span>
      </span>
      <form class="inline" onSubmit={save}>
        {variable.valueName !== null ? (
          <NamedValue variable={variable} name={name} change={(value) => act.run(() => variable.set(value))} />
        ) : (
          <input
            type="number"
            step="any"
            aria-label={t("variable.valueOf", { name })}
            value={draft ?? variable.value}
            onInput={(event) => setDraft(event.currentTarget.value)}
          />
        )}
        {draft !== null && (
          <button type="submit" class="primary">
            {t("save")}
          </button>
        )}
      </form>
      {isOwner() && <Edit variable={variable} name={name} />}
    </li>
  );
}

function NamedValue(props: { variable: Variable; name: string; change: (value: string) => void }) {
  const { variable, name, change } = props;
  return (
    <select
      aria-label={t("variable.valueOf", { name })}
      value={variable.valueName ?? ""}
      onChange={(event) => change(event.currentTarget.value)}
    >
      {Object.values(variable.valueNames).map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

/** A line for each name: `0 = Home`. */
function linesOf({ valueNames, prec }: Variable): string {
  return Object.entries(valueNames)
    .map(([raw, name]) => `${Number(raw) / 10 ** prec} = ${name}`)
    .join("\n");
}

function namesIn(lines: string, prec: number): Readonly<Record<string, string>> {
  const pairs = lines.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    pairs.map((line) => {
      const [value = "", ...name] = line.split("=");
      return [String(Math.round(Number(value) * 10 ** prec)), name.join("=").trim()];
    }),
  );
}

function Edit({ variable, name }: { variable: Variable; name: string }) {
  return (
    <span class="buttons">
      <DialogButton label={t("edit")} name={t("edit.thing", { name })}>
        <Ask
          title={name}
          submit={t("save")}
          done={t("done.saved")}
          onSubmit={async (form) => {
            const [wanted, init] = [String(form.get("name")).trim(), Number(form.get("init"))];
            if (wanted !== variable.name) await variable.rename(wanted);
            if (init !== variable.init) await variable.setInit(init);
            const lines = String(form.get("names"));
            if (lines !== linesOf(variable)) await variable.nameValues(namesIn(lines, variable.prec));
          }}
        >
          <label>
            {t("rename.name")}
            <input name="name" required maxLength={200} defaultValue={variable.name} />
          </label>
          <label>
            {t("variable.init")}
            <input name="init" type="number" step="any" required defaultValue={String(variable.init)} />
          </label>
          <label>
            {t("variable.names")}
            <textarea name="names" rows={4} defaultValue={linesOf(variable)} placeholder={t("variable.namesExample")} />
          </label>
        </Ask>
      </DialogButton>
      <RemoveButton
        kind="variable"
        key_={`${variable.type}/${variable.id}`}
        name={name}
        remove={() => variable.remove()}
      />
    </span>
  );
}

/** A state variable whose values are modes of the home: programs compare it and set it. */
function NewModes() {
  const home = useHome();
  const act = useAct();
  const create = async () => {
    const key = await home.variables.create(2, t("variable.mode"));
    const names = t("variable.modes").split(", ");
    await home.variable(key).nameValues(Object.fromEntries(names.map((name, value) => [value, name])));
  };
  return (
    <>
      <button type="button" disabled={act.isBusy} onClick={() => act.edit(t("done.created"), create)}>
        {t("variable.newModes")}
      </button>
      <span role="alert">{act.problem}</span>
    </>
  );
}

function NewVariable({ type }: { type: VariableType }) {
  const home = useHome();
  return (
    <DialogButton label={t(`variable.new.${type}`)}>
      <Ask
        title={t(`variable.new.${type}`)}
        submit={t("create")}
        done={t("done.created")}
        onSubmit={(form) => home.variables.create(type, String(form.get("name")).trim(), Number(form.get("prec")))}
      >
        <label>
          {t("rename.name")}
          <input name="name" required maxLength={200} />
        </label>
        <label>
          {t("variable.prec")}
          <input name="prec" type="number" min="0" max="6" defaultValue="0" required />
        </label>
      </Ask>
    </DialogButton>
  );
}
