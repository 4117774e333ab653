/** The person at this browser: who is signed in, passkeys, sessions, how the page looks here, and signing out. */

import { Avatar } from "../parts/avatar.tsx";
import { Card, Head } from "../parts/layout.tsx";
import { nameOf } from "../session/login-name.ts";
import { accountRole, isGuest, person } from "../session/role.ts";
import { t } from "../text/text.ts";
import { Sessions } from "../system/account-sessions.tsx";
import { Appearance } from "./appearance.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";

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
          <PasskeysCard />
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
