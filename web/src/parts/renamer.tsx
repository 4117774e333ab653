/** A title that can be changed in place. */

import { Pencil } from "lucide-preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isOwner } from "../session/role.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";
import { useReturnedFocus } from "./use-returned-focus.ts";
import { useTitle } from "./use-title.ts";

export function Renamer({ name, rename }: { name: string; rename: (name: string) => Promise<unknown> }) {
  const [draft, setDraft] = useState<string | null>(null);
  const act = useAct();
  useTitle(name);
  const field = useRef<HTMLInputElement>(null);
  const isOpen = draft !== null;
  const button = useReturnedFocus(isOpen);
  useLayoutEffect(() => {
    field.current?.focus();
  }, [isOpen]);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await act.edit(t("done.renamed"), () => rename((draft ?? "").trim()))) setDraft(null);
  };
  if (draft === null) {
    return (
      <div class="title">
        <h1>{name}</h1>
        {isOwner() && (
          <button ref={button} type="button" class="icon" aria-label={t("rename")} onClick={() => setDraft(name)}>
            <Pencil size={18} aria-hidden />
          </button>
        )}
      </div>
    );
  }
  return (
    <form class="title" onSubmit={submit} onKeyDown={({ key }) => key === "Escape" && setDraft(null)}>
      <h1 class="hidden">{name}</h1>
      <label>
        {t("rename.name")}
        <input
          ref={field}
          value={draft}
          maxLength={200}
          required
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={act.isBusy}>
        {t("save")}
      </button>
      <button type="button" onClick={() => setDraft(null)}>
        {t("cancel")}
      </button>
      <p role="alert">{act.problem}</p>
    </form>
  );
}
