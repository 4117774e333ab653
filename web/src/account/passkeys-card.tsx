/** The passkeys of the person who is signed in: added here, and removed when a device is lost. */

import { useState } from "preact/hooks";
import { deviceName } from "../parts/device-name.ts";
import { Ask, DialogButton, STAY } from "../parts/dialog.tsx";
import { Card, Rest } from "../parts/layout.tsx";
import { whyNoPasskeys } from "../session/passkey-support.ts";
import { useHome } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { type Codes, CodesDialog } from "./recovery-codes.tsx";

type Passkey = {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};
type Listed = { readonly passkeys: readonly Passkey[] };

const PATH = "/api/me/passkeys";

export function PasskeysCard({ onChange }: { onChange: () => void }) {
  const listed = useLoaded<Listed>(PATH);
  const why = whyNoPasskeys();
  const reload = () => {
    listed.reload();
    onChange();
  };
  return (
    <Card
      title={t("passkeys.title")}
      actions={
        why === null && (
          <DialogButton label={t("passkeys.add")}>
            <AddPasskey onDone={reload} />
          </DialogButton>
        )
      }
    >
      <p class="hint">{t(why ?? "passkeys.about", { host: location.hostname })}</p>
      <Rest of={listed} />
      <ul class="rows">
        {listed.data?.passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} reload={reload} />
        ))}
      </ul>
    </Card>
  );
}

function PasskeyRow({ passkey, reload }: { passkey: Passkey; reload: () => void }) {
  const home = useHome();
  const { id, name, host, createdAt, lastUsedAt } = passkey;
  const created = timeText(Date.parse(createdAt));
  const remove = async () => {
    await home.request("DELETE", `${PATH}/${encodeURIComponent(id)}`);
    reload();
  };
  return (
    <li>
      <span class="main">
        {name}
        <small>
          {lastUsedAt === null
            ? t("passkeys.unused", { host, created })
            : t("passkeys.times", { host, created, used: timeText(Date.parse(lastUsedAt)) })}
        </small>
      </span>
      <DialogButton class="danger" label={t("remove")} name={t("passkeys.removeOne", { name })}>
        <Ask title={t("passkeys.removeOne", { name })} submit={t("remove")} isDangerous onSubmit={remove}>
          <p>{t("passkeys.removeAbout")}</p>
        </Ask>
      </DialogButton>
    </li>
  );
}

/** Recovery codes are shown once, here. */
function AddPasskey({ onDone }: { onDone: () => void }) {
  const home = useHome();
  const [codes, setCodes] = useState<Codes | null>(null);
  if (codes) return <CodesDialog codes={codes} />;
  const add = async (form: FormData) => {
    const { data: options } = await home.request("POST", `${PATH}/options`);
    const { makePasskey } = await import("../session/passkey.ts");
    const made = await makePasskey(options as PublicKeyCredentialCreationOptionsJSON).catch((error: unknown) => {
      throw error instanceof DOMException ? new Error(t("passkeys.notDone")) : error;
    });
    const { data } = await home.request("POST", PATH, { name: String(form.get("name")), ...made });
    onDone();
    const { recoveryCodes } = data as { readonly recoveryCodes: Codes | null };
    setCodes(recoveryCodes);
    return recoveryCodes && STAY;
  };
  return (
    <Ask title={t("passkeys.add")} submit={t("passkeys.continue")} onSubmit={add}>
      <label>
        {t("passkeys.name")}
        <input name="name" required maxLength={100} defaultValue={deviceName(navigator.userAgent)} />
      </label>
    </Ask>
  );
}
