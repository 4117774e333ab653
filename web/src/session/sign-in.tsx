/** The first screen: e-mail address and password. Small, because it is all that a stranger loads. */

import { useState } from "preact/hooks";
import { t } from "../text/text.ts";
import { signIn } from "./sign-in.ts";

export function SignIn({ notice, onDone }: { notice: string | null; onDone: () => void }) {
  const [problem, setProblem] = useState<string | null>(notice);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    const failure = await signIn(String(form.get("user")).trim(), String(form.get("password")));
    setBusy(false);
    if (failure === null) onDone();
    else setProblem(failure);
  };

  return (
    <main class="sign-in">
      <form onSubmit={submit} aria-labelledby="sign-in-title">
        <img src="/icon.svg" alt="" width="56" height="56" />
        <h1 id="sign-in-title">{t("signIn.title")}</h1>
        <label>
          {t("signIn.user")}
          <input name="user" type="email" autocomplete="username" required />
        </label>
        <label>
          {t("signIn.password")}
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <p class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="primary" aria-busy={isBusy} disabled={isBusy}>
          {t(isBusy ? "signIn.busy" : "signIn.submit")}
        </button>
        <p class="hint">{t("signIn.first")}</p>
      </form>
    </main>
  );
}
