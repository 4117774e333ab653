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
          <Card key={type} title={t(`variable.type.${type}`)} actions={isOwner() && <NewVariable type={type} />}>
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
        <input
          type="number"
          step="any"
          aria-label={t("variable.valueOf", { name })}
          value={draft ?? variable.value}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
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
