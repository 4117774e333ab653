/** The passphrase of a backup: from the environment, from a file, or from the person at the terminal; never an argument. */

import { badValue } from "../../errors.ts";
import { checkNewPassphrase } from "../../store/backup/encryption.ts";
import { wrappingOf } from "../../store/backup/read-backup.ts";
import { readSecretFile } from "../../util/secret-file.ts";
import { askPassword } from "../connection/ask-password.ts";

/** null: the backup is open. @throws ControllerError BAD_VALUE for one that is too short, or that was typed differently. */
export async function newPassphrase({
  encrypt = false,
  passphraseFile,
}: {
  readonly encrypt?: boolean;
  readonly passphraseFile?: string;
}): Promise<string | null> {
  const passphrase = given(passphraseFile) ?? (encrypt ? await askTwice() : null);
  if (passphrase !== null) checkNewPassphrase(passphrase);
  return passphrase;
}

/** null: the file takes none. @throws ControllerError BACKUP_REFUSED when it is no backup. */
export async function knownPassphrase(file: string, passphraseFile: string | undefined): Promise<string | null> {
  if (wrappingOf(file) === "open") return null;
  return given(passphraseFile) ?? (await ask(`Passphrase of ${file}: `));
}

function given(passphraseFile: string | undefined): string | null {
  if (passphraseFile !== undefined) return readSecretFile("passphrase", passphraseFile);
  return process.env.DOMOVOI_BACKUP_PASSPHRASE || null;
}

async function askTwice(): Promise<string> {
  const passphrase = await ask("New passphrase: ");
  checkNewPassphrase(passphrase);
  if ((await ask("Once more: ")) === passphrase) return passphrase;
  throw badValue("The two passphrases are not the same.");
}

function ask(question: string): Promise<string> {
  if (process.stdin.isTTY) return askPassword(question);
  throw badValue(
    "Not a terminal, so the passphrase cannot be entered. Set DOMOVOI_BACKUP_PASSPHRASE or use --passphrase-file.",
  );
}
