/** A title that can be changed in place. */

import { useState } from "preact/hooks";
import { t } from "../text/text.ts";

export function Renamer({ name, rename }: { name: string; rename: (name: string) => Promise<void> }) {
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      await rename((draft ?? "").trim());
      setDraft(null);
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  if (draft === null) {
    return (
      <header class="title">
        <h1>{name}</h1>
        <button type="button" class="link" onClick={() => setDraft(name)}>
          {t("rename")}
        </button>
      </header>
    );
  }
  return (
    <form class="title" onSubmit={submit}>
      <label>
        {t("rename.name")}
        <input value={draft} maxLength={200} required onInput={(event) => setDraft(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary">
        {t("save")}
      </button>
      <button type="button" onClick={() => setDraft(null)}>
        {t("cancel")}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
