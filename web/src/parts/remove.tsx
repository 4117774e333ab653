/** Asks before a thing is removed, and says where it is used. */

import type { Home, Use, UsedKind } from "@domovoi/client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useHome } from "../store/context.ts";
import { t, tn } from "../text/text.ts";
import { Ask, DialogButton } from "./dialog.tsx";
import { hrefOf } from "./things.ts";

type RemoveProps = {
  readonly kind: UsedKind;
  readonly key_: string;
  readonly name: string;
  readonly remove: (form: FormData) => Promise<unknown>;
  readonly children?: ComponentChildren;
};

export function RemoveButton(props: RemoveProps) {
  return (
    <DialogButton class="danger" label={t("remove")}>
      <Question {...props} />
    </DialogButton>
  );
}

function Question({ kind, key_, name, remove, children }: RemoveProps) {
  const home = useHome();
  const [uses, setUses] = useState<readonly Use[] | null>(null);
  useEffect(() => {
    home.edits.uses(kind, key_).then(setUses, () => setUses([]));
  }, [kind, key_]);
  return (
    <Ask
      title={t("remove.title", { name })}
      submit={t("remove")}
      isDangerous
      done={t("done.removed", { name })}
      onSubmit={remove}
    >
      {uses === null && <p class="hint">{t("starting")}</p>}
      {uses?.length === 0 && <p>{t("remove.unused")}</p>}
      {uses !== null && uses.length > 0 && (
        <>
          <p>{tn("remove.used", uses.length)}</p>
          <UseList home={home} uses={uses} />
        </>
      )}
      {children}
    </Ask>
  );
}

function UseList({ home, uses }: { home: Home; uses: readonly Use[] }) {
  return (
    <ul class="rows">
      {uses.map(({ kind, key, name, text }) => {
        const href = hrefOf(home, kind, key);
        return (
          <li key={`${kind} ${key} ${text}`}>
            <span class="main">
              {href ? <Link href={href}>{name || key}</Link> : name || key}
              <small>{text}</small>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
