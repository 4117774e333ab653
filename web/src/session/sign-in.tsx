/** The first screen: e-mail address and password. Small, because it is all that a stranger loads. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useTitle } from "../parts/use-title.ts";
import { t } from "../text/text.ts";
import { loginOf, nameOf } from "./login-name.ts";
import { whyNoPasskeys } from "./passkey-support.ts";
import { type Failure, signIn, signInWithPasskey } from "./sign-in.ts";

type SignInProps = {
  /** Why the session is over, when it was one: then sign-in covers the home. */
  readonly ended: string | null;
  /** The previous login, or empty. */
  readonly user: string;
};

export function SignIn({ ended, user }: SignInProps) {
  useTitle(t("signIn.title"));
  if (ended === null) {
    return (
      <main class="sign-in">
        <SignInForm problem={null} user="" />
      </main>
    );
  }
  return (
    <Cover>
      <SignInForm problem={ended} user={user} />
    </Cover>
  );
}

/** Hides the page and its open dialogs, and cannot be closed. */
function Cover({ children }: { children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const show = () => dialog.current?.showModal();
  useEffect(() => {
    const cover = dialog.current;
    show();
    // Gives the focus back to where it was.
    return () => cover?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="sign-in"
      aria-labelledby="sign-in-title"
      closedby="none"
      // Safari does not know `closedby`.
      onClose={() => dialog.current?.isConnected && show()}
    >
      {children}
    </dialog>
  );
}

function focus(input: HTMLInputElement | null): void {
  input?.focus();
}

function SignInForm({ problem: first, user }: { problem: string | null; user: string }) {
  const [problem, setProblem] = useState<string | null>(first);
  const [isBusy, setBusy] = useState(false);
  const [asksCode, setAsksCode] = useState(false);

  const run = async (attempt: Promise<Failure | null>) => {
    setBusy(true);
    const failure = await attempt;
    setBusy(false);
    if (!failure) return;
    setProblem(failure.sentence);
    setAsksCode(failure.asksCode === true);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const code = String(form.get("code") ?? "");
    return run(signIn(loginOf(String(form.get("user"))), String(form.get("password")), code));
  };

  return (
    <form onSubmit={submit} aria-labelledby="sign-in-title">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1 id="sign-in-title">{t("signIn.title")}</h1>
      <label>
        {t("signIn.user")}
        <input name="user" autocomplete="username" autocapitalize="none" required defaultValue={nameOf(user)} />
      </label>
      <label>
        {t("signIn.password")}
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      {asksCode && (
        <label>
          {t("signIn.code")}
          <input
            ref={focus}
            name="code"
            inputMode="numeric"
            autocomplete="one-time-code"
            autocapitalize="none"
            required
          />
        </label>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="primary" aria-busy={isBusy} disabled={isBusy}>
        {t(isBusy ? "signIn.busy" : "signIn.submit")}
      </button>
      {whyNoPasskeys() === null && (
        <button type="button" disabled={isBusy} onClick={() => void run(signInWithPasskey())}>
          {t("signIn.passkey")}
        </button>
      )}
      {first === null && <p class="hint">{t("signIn.first")}</p>}
    </form>
  );
}
