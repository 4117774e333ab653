/** Backups: made while the controller runs, and proved by restoring them. A restore is done on the machine itself. */

import { useEffect, useState } from "preact/hooks";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card, Rest } from "../parts/layout.tsx";
import { saveFile } from "../parts/save-file.ts";
import { tokenStore } from "../session/token-store.ts";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { number, t } from "../text/text.ts";
import { timeText } from "../text/time.ts";

type Backup = {
  readonly id: string;
  readonly kind: string;
  readonly state: "making" | "proving" | "ready" | "failed";
  readonly progress: number;
  readonly bytes: number | null;
  readonly failure: string | null;
  readonly time: string;
  readonly encrypted: boolean;
};

const POLL_MS = 700;
const PASSPHRASE_MIN = 12;

export function BackupSection() {
  const home = useHome();
  const backups = useLoaded<readonly Backup[]>("/api/backup");
  const isUnderWay = backups.data?.some(({ state }) => state === "making" || state === "proving") ?? false;
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(backups.reload, POLL_MS);
    return () => clearTimeout(timer);
  }, [backups.data]);
  const begin = async (form: FormData) => {
    const passphrase = String(form.get("passphrase"));
    await home.request("POST", "/api/backup", {
      history: form.has("history"),
      ...(passphrase !== "" && { passphrase }),
    });
    backups.reload();
  };
  const add = (
    <DialogButton class="primary" label={t("backup.new")}>
      <Ask title={t("backup.new")} submit={t("backup.new")} onSubmit={begin}>
        <label>
          {t("backup.passphrase")}
          <input name="passphrase" type="password" minLength={PASSPHRASE_MIN} autocomplete="new-password" />
          <small class="hint">{t("backup.passphraseAbout")}</small>
        </label>
        <label class="check">
          <input type="checkbox" name="history" />
          {t("backup.history")}
        </label>
      </Ask>
    </DialogButton>
  );
  return (
    <Card title={t("system.backup")} actions={add}>
      <p class="hint">{t("backup.about")}</p>
      <Rest of={backups} empty={t("backup.none")} />
      <ul class="rows">
        {backups.data?.map((backup) => (
          <BackupRow key={backup.id} backup={backup} reload={backups.reload} />
        ))}
      </ul>
    </Card>
  );
}

function BackupRow({ backup, reload }: { backup: Backup; reload: () => void }) {
  const home = useHome();
  const act = useAct();
  const [isSaving, setSaving] = useState(false);
  const path = `/api/backup/${encodeURIComponent(backup.id)}`;
  const { state, bytes, failure, encrypted, progress } = backup;
  const save = async () => {
    setSaving(true);
    await act.run(async () => {
      // Renews the access token where it has to be; the library has no way to read a file of a home.
      await home.request("GET", path);
      const answer = await fetch(`${path}/file`, { headers: { Authorization: `Bearer ${tokenStore.read()?.access}` } });
      if (!answer.ok) throw new Error(t("backup.notSaved"));
      saveFile(`${backup.id}.domovoi-backup`, await answer.blob());
    });
    setSaving(false);
  };
  const remove = () =>
    act.run(async () => {
      await home.request("DELETE", path);
      reload();
    });
  return (
    <li>
      <span class="main">
        {timeText(Date.parse(backup.time))}
        <small>
          {bytes !== null && t("backup.size", { size: number(Math.round(bytes / 1024)) })}{" "}
          {t(encrypted ? "backup.encrypted" : "backup.open")}
        </small>
        {(state === "making" || state === "proving") && (
          <progress class="progress" max={1} value={progress} aria-label={t(`backup.${state}`)} />
        )}
        <span role="alert">{act.problem ?? failure}</span>
      </span>
      <span class={state === "ready" ? "tag good" : state === "failed" ? "tag bad" : "tag lit"}>
        {t(`backup.${state}`)}
      </span>
      <span class="buttons">
        {state === "ready" && (
          <button type="button" disabled={isSaving} onClick={() => void save()}>
            {t("backup.save")}
          </button>
        )}
        {(state === "ready" || state === "failed") && (
          <button type="button" class="danger" disabled={act.isBusy} onClick={() => void remove()}>
            {t("remove")}
          </button>
        )}
      </span>
    </li>
  );
}
