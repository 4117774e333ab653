/** The person at this browser: who is signed in, passkeys, sessions, how the page looks here, and signing out. */

import { Avatar } from "../parts/avatar.tsx";
import { Card, Head, Rest } from "../parts/layout.tsx";
import { nameOf } from "../session/login-name.ts";
import { accountRole, isGuest, person } from "../session/role.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { Sessions } from "../system/account-sessions.tsx";
import { t } from "../text/text.ts";
import { Appearance } from "./appearance.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { RecoveryCodesCard } from "./recovery-codes.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";

export function AccountPlace({ onSignOut }: { onSignOut: () => void }) {
  const who = person() ?? "";
  const isLink = isGuest(who);
  return (
    <>
      <Head title={t("place.account")} />
      <Card title={isLink ? t("account.guestLink") : nameOf(who)}>
        <p class="buttons">
          {!isLink && <Avatar name={nameOf(who)} />}
          {t(`account.${isLink ? "guest" : accountRole()}`)}
        </p>
        <div class="buttons">
          <button type="button" onClick={onSignOut}>
            {t("signOut")}
          </button>
        </div>
      </Card>
      {!isLink && (
        <>
          <SignInCards />
          <Card title={t("sessions.own")}>
            <Sessions path="/api/me/sessions" />
          </Card>
        </>
      )}
      <h2>{t("system.appearance")}</h2>
      <Appearance />
    </>
  );
}

type Factor = { readonly addedAt: string | null; readonly recoveryCodesLeft: number };

function SignInCards() {
  const factor = useLoaded<Factor>("/api/me/second-factor");
  const { addedAt = null, recoveryCodesLeft = 0 } = factor.data ?? {};
  return (
    <>
      <PasskeysCard onChange={factor.reload} />
      <Rest of={factor} />
      {factor.data && <SecondFactorCard addedAt={addedAt} reload={factor.reload} />}
      {(addedAt !== null || recoveryCodesLeft > 0) && (
        <RecoveryCodesCard left={recoveryCodesLeft} reload={factor.reload} />
      )}
    </>
  );
}
