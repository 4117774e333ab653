/**
 * Sign-in or the home. The home's code is loaded after sign-in. When the controller ends a session, sign-in covers
 * the home without removing it, so that the user does not lose what was typed.
 */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isGuest, person } from "./session/role.ts";
import { SignIn } from "./session/sign-in.tsx";
import { onLoginChange } from "./session/token-store.ts";
import type { ShellProps } from "./shell/shell.tsx";
import { loadErrors } from "./text/problem.ts";
import { t } from "./text/text.ts";

/** With the names of what devices report, in the language of the page. */
async function shellWithNames() {
  const module = await import("./shell/shell.tsx");
  await module.loadNames();
  return module;
}

type People = {
  readonly signedIn: string | null;
  /** The account of the home on the screen, which sign-in may cover. */
  readonly shown: string | null;
};

export function App() {
  const [{ signedIn, shown }, setPeople] = useState<People>(() => ({ signedIn: person(), shown: person() }));
  const [shell, setShell] = useState<{ readonly Shell: ComponentType<ShellProps> } | null>(null);
  const isSignedIn = signedIn !== null;
  useEffect(() => {
    const follow = () => setPeople((before) => peopleAfter(before, person()));
    return onLoginChange(follow);
  }, []);
  useEffect(() => {
    if (isSignedIn && !shell)
      void Promise.all([shellWithNames(), loadErrors()]).then(([{ Shell }]) => setShell({ Shell }));
  }, [isSignedIn]);

  const leave = () => setPeople((before) => ({ ...before, shown: null }));
  const ended = shown && t(isGuest(shown) ? "signIn.guestEnded" : "signIn.ended");
  return (
    <>
      {shown !== null && shell && <shell.Shell key={shown} isSignedIn={isSignedIn} onSignOut={leave} />}
      {isSignedIn && !(shown !== null && shell) && <p class="starting">{t("starting")}</p>}
      {!isSignedIn && <SignIn ended={ended} user={shown !== null && !isGuest(shown) ? shown : ""} />}
    </>
  );
}

/** The same object unless the account changed: tokens are also written when they are renewed. */
function peopleAfter(before: People, signedIn: string | null): People {
  if (signedIn === before.signedIn) return before;
  return { signedIn, shown: signedIn ?? before.shown };
}
