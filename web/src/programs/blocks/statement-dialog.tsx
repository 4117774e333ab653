/** Adds a statement, in two steps: what it is about, then what about it; or changes one. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { FormDialog, STAY } from "../../parts/dialog.tsx";
import { useHome } from "../../store/context.ts";
import { t } from "../../text/text.ts";
import type { Clause } from "../program-lines.ts";
import { ActionFields } from "./action-fields.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { type Choice, choicesFor, findChoices } from "./kinds.ts";
import type { KnownAction, KnownCondition, Statement } from "./tree.ts";

const SHOWN_MAX = 40;

type DialogProps = {
  readonly clause: Clause;
  /** null: a new one */
  readonly statement: Statement | null;
  readonly onClose: () => void;
  readonly onDone: (statement: Statement) => void;
};

export function StatementDialog({ clause, statement, onClose, onDone }: DialogProps) {
  const home = useHome();
  const [value, setValue] = useState(statement);
  const [query, setQuery] = useState("");
  const all = useMemo(() => choicesFor(home, clause), [home, clause]);
  const found = findChoices(all, query, kindText);
  const submit = async () => {
    if (value) onDone(value);
    else if (found[0]) setValue(found[0].statement);
    else throw new Error(t("blocks.none"));
    return STAY;
  };
  const isIf = clause === "if";
  const change = (next: KnownCondition | KnownAction) => setValue(next as Statement);
  const title = statement ? "blocks.change" : isIf ? "blocks.addCondition" : "blocks.addAction";
  return (
    <FormDialog
      title={t(title)}
      submit={t(value === null ? "blocks.next" : statement ? "blocks.apply" : "blocks.add")}
      onSubmit={submit}
      onClose={onClose}
    >
      {value === null ? (
        <Chooser found={found} query={query} setQuery={setQuery} choose={(choice) => setValue(choice.statement)} />
      ) : isIf ? (
        <ConditionFields value={value as KnownCondition} change={change} />
      ) : (
        <ActionFields value={value as KnownAction} change={change} />
      )}
    </FormDialog>
  );
}

type ChooserProps = {
  readonly found: readonly Choice[];
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly choose: (choice: Choice) => void;
};

function Chooser({ found, query, setQuery, choose }: ChooserProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <label>
        {t("blocks.about")}
        <input ref={field} type="search" value={query} onInput={({ currentTarget }) => setQuery(currentTarget.value)} />
      </label>
      <p role="status" class="hint">
        {found.length === 0 ? t("blocks.none") : ""}
      </p>
      <ul class="choices">
        {found.slice(0, SHOWN_MAX).map((choice) => (
          <li key={choice.key}>
            <button type="button" onClick={() => choose(choice)}>
              <span>{choice.path || kindText(choice.kind)}</span>
              <span class="tag">{kindText(choice.kind)}</span>
              {choice.hint && <small class="hint">{choice.hint}</small>}
            </button>
          </li>
        ))}
      </ul>
      {found.length > SHOWN_MAX && <p class="hint">{t("blocks.refine")}</p>}
    </>
  );
}

function kindText(kind: Choice["kind"]): string {
  return t(`blocks.kind.${kind}`);
}
