/** Where an account is signed in, loaded when it is opened. Each login can be ended. */

import type { AccountSession } from "@domovoi/client";
import { useState } from "preact/hooks";
import { deviceName } from "../parts/device-name.ts";
import { Rest } from "../parts/layout.tsx";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";

export function AccountSessions({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="below" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("sessions.title")}</summary>
      {isOpen && <Sessions path={`/api/accounts/${encodeURIComponent(id)}/sessions`} />}
    </details>
  );
}

/** @param path of the list, and before the id of each */
export function Sessions({ path }: { path: string }) {
  const home = useHome();
  const act = useAct();
  const sessions = useLoaded<readonly AccountSession[]>(path);
  const end = (session: string) =>
    act.run(async () => {
      await home.request("DELETE", `${path}/${encodeURIComponent(session)}`);
      sessions.reload();
    });
  return (
    <>
      <Rest of={sessions} empty={t("sessions.none")} />
      <ul class="rows">
        {sessions.data?.map(({ id: session, client, createdAt, renewedAt, isCurrent }) => {
          const name = deviceName(client ?? "");
          const since = timeText(Date.parse(createdAt));
          return (
            <li key={session}>
              <span class="main">
                {name}
                <small>{t("sessions.times", { since, seen: timeText(Date.parse(renewedAt)) })}</small>
              </span>
              {isCurrent ? (
                <span class="tag good">{t("sessions.here")}</span>
              ) : (
                <button
                  type="button"
                  class="danger"
                  disabled={act.isBusy}
                  aria-label={t("sessions.endOf", { name, since })}
                  onClick={() => void end(session)}
                >
                  {t("signOut")}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <p role="alert">{act.problem}</p>
    </>
  );
}
