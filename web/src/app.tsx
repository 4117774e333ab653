/**
 * Sign-in or the home. The home's code is loaded when somebody is signed in. When the controller ends a session, sign-in covers
 * the home, which stays: the same person goes on with what was typed.
 */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isGuest, person } from "./session/role.ts";
import { SignIn } from "./session/sign-in.tsx";
import { onLoginChange } from "./session/token-store.ts";
import { t } from "./text/text.ts";

export type ShellProps = {
  readonly isSignedIn: boolean;
  /** Called before the login is given up: nothing of the home is shown any more. */
  readonly onSignOut: () => void;
};

type People = {
  readonly signedIn: string | null;
  /** Whose home is on the screen, maybe covered. */
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
    if (isSignedIn && !shell) void import("./shell/shell.tsx").then(({ Shell }) => setShell({ Shell }));
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

/** The same object when nobody came or went: tokens are also written when they are renewed. */
function peopleAfter(before: People, signedIn: string | null): People {
  if (signedIn === before.signedIn) return before;
  return { signedIn, shown: signedIn ?? before.shown };
}
