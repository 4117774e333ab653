/** The second factor of the person who is signed in: digits of an app on the phone, beside the password. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Ask, DialogButton, STAY } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { QrCode } from "../parts/qr-code.tsx";
import { useHome } from "../store/context.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { type Codes, CodesDialog } from "./recovery-codes.tsx";

type Offer = { readonly secret: string; readonly uri: string };

const PATH = "/api/me/second-factor";

export function SecondFactorCard({ addedAt, reload }: { addedAt: string | null; reload: () => void }) {
  const home = useHome();
  const remove = async () => {
    await home.request("DELETE", PATH);
    reload();
  };
  return (
    <Card
      title={t("factor.title")}
      actions={
        addedAt === null ? (
          <DialogButton key="add" label={t("factor.add")}>
            <AddFactor onDone={reload} />
          </DialogButton>
        ) : (
          <DialogButton key="remove" class="danger" label={t("remove")} name={t("factor.remove")}>
            <Ask title={t("factor.remove")} submit={t("remove")} isDangerous onSubmit={remove}>
              <p>{t("factor.removeAbout")}</p>
            </Ask>
          </DialogButton>
        )
      }
    >
      <p class="hint">
        {addedAt === null ? t("factor.about") : t("factor.since", { time: timeText(Date.parse(addedAt)) })}
      </p>
    </Card>
  );
}

function AddFactor({ onDone }: { onDone: () => void }) {
  const home = useHome();
  const [offer, setOffer] = useState<Offer | null>(null);
  const [codes, setCodes] = useState<Codes | null>(null);
  const isAdded = useRef(false);
  // The card changes when the codes were read: it would take this dialog away.
  useEffect(() => () => void (isAdded.current && onDone()), []);
  if (codes) return <CodesDialog codes={codes} />;
  const begin = async () => {
    const { data } = await home.request("POST", `${PATH}/options`);
    setOffer(data as Offer);
    return STAY;
  };
  const add = async (form: FormData) => {
    const { data } = await home.request("POST", PATH, { code: String(form.get("code")).replaceAll(" ", "") });
    isAdded.current = true;
    const { recoveryCodes } = data as { readonly recoveryCodes: Codes | null };
    setCodes(recoveryCodes);
    return recoveryCodes && STAY;
  };
  if (!offer) {
    return (
      <Ask title={t("factor.add")} submit={t("passkeys.continue")} onSubmit={begin}>
        <p>{t("factor.addAbout")}</p>
      </Ask>
    );
  }
  return (
    <Ask title={t("factor.add")} submit={t("factor.confirm")} onSubmit={add}>
      <p>{t("factor.scan")}</p>
      <QrCode text={offer.uri} />
      <label>
        {t("factor.secret")}
        <input readOnly value={offer.secret} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <label>
        {t("factor.digits")}
        <input name="code" inputMode="numeric" autocomplete="one-time-code" required maxLength={7} />
      </label>
    </Ask>
  );
}
