/** Recovery codes: shown once when they are made, and made anew on request. */

import { useState } from "preact/hooks";
import { Ask, DialogButton, STAY } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { useHome } from "../store/context.ts";
import { t } from "../text/text.ts";

export type Codes = readonly string[];

export function CodesDialog({ codes }: { codes: Codes }) {
  return (
    <Ask title={t("codes.title")} submit={t("people.noted")} onSubmit={async () => {}}>
      <p>{t("codes.about")}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Ask>
  );
}

export function RecoveryCodesCard({ left, reload }: { left: number; reload: () => void }) {
  return (
    <Card
      title={t("codes.title")}
      actions={
        <DialogButton label={t("codes.renew")}>
          <Renew onDone={reload} />
        </DialogButton>
      }
    >
      <p class="hint">{t("codes.left", { count: left })}</p>
    </Card>
  );
}

function Renew({ onDone }: { onDone: () => void }) {
  const home = useHome();
  const [codes, setCodes] = useState<Codes | null>(null);
  if (codes) return <CodesDialog codes={codes} />;
  const renew = async () => {
    const { data } = await home.request("POST", "/api/me/recovery-codes");
    setCodes((data as { readonly recoveryCodes: Codes }).recoveryCodes);
    onDone();
    return STAY;
  };
  return (
    <Ask title={t("codes.renew")} submit={t("codes.make")} onSubmit={renew}>
      <p>{t("codes.renewAbout")}</p>
    </Ask>
  );
}
