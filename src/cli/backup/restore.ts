/** `domovoi restore`: a backup becomes the home of a data directory. */

import { restoreBackup } from "../../store/backup/restore-backup.ts";
import { systemClock } from "../../util/clock.ts";
import { ProgressLine } from "../show/progress-line.ts";
import { leftOutText } from "./backup-text.ts";
import { knownPassphrase } from "./passphrase.ts";

type RestoreOptions = {
  readonly data: string;
  readonly replace?: boolean;
  readonly passphraseFile?: string;
};

/** Prints what the owner has to set again. */
export async function runRestore(
  file: string,
  { data, replace = false, passphraseFile }: RestoreOptions,
): Promise<void> {
  const line = new ProgressLine("Restoring");
  const passphrase = await knownPassphrase(file, passphraseFile);
  const order = { passphrase, replaces: replace, nowMs: systemClock.now() };
  const { header, aside } = await restoreBackup(file, data, order, line.show).finally(line.end);
  const time = new Date(header.takenAtMs).toISOString();
  const before = aside === null ? "" : `The previous home was moved to ${aside} in that directory.\n`;
  process.stdout.write(
    `"${header.name}" of ${time} is restored into ${data}.\n${before}${leftOutText(header.leftOut)}`,
  );
}
