/** Sign-in or the home. The home's code is loaded when somebody is signed in. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SignIn } from "./session/sign-in.tsx";
import { onLoginChange, tokenStore } from "./session/token-store.ts";
import { t } from "./text/text.ts";

export type ShellProps = { readonly onEnd: (reason: string | null) => void };

export function App() {
  const [isSignedIn, setSignedIn] = useState(tokenStore.read() !== null);
  const [notice, setNotice] = useState<string | null>(null);
  const [shell, setShell] = useState<{ readonly Shell: ComponentType<ShellProps> } | null>(null);
  useEffect(() => onLoginChange(() => setSignedIn(tokenStore.read() !== null)), []);
  useEffect(() => {
    if (isSignedIn && !shell) void import("./shell/shell.tsx").then(({ Shell }) => setShell({ Shell }));
  }, [isSignedIn]);

  const end = (reason: string | null) => {
    tokenStore.write(null);
    setNotice(reason);
    setSignedIn(false);
  };
  if (!isSignedIn) return <SignIn notice={notice} onDone={() => setSignedIn(true)} />;
  return shell ? <shell.Shell onEnd={end} /> : <p class="starting">{t("starting")}</p>;
}
