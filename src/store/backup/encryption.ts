/** Encryption with a passphrase in the age format. The one place that knows the library; `age -d` opens what it made. */

import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { badValue } from "../../errors.ts";
import { refusedBackup } from "./format.ts";

/**
 * 2^17: half a second and 128 MiB for each try, here and for an attacker. The format's own default takes twice the
 * memory, which small machines do not have.
 */
const WORK_FACTOR = 17;
const PASSPHRASE_CHARACTERS_MIN = 12;

/** The first bytes of an encrypted file. */
export const ENCRYPTED_BEGINNING = Buffer.from("age-encryption.org/");

/** A file can be guessed at for years. @throws ControllerError BAD_VALUE */
export function checkNewPassphrase(passphrase: string): void {
  if ([...passphrase].length >= PASSPHRASE_CHARACTERS_MIN) return;
  throw badValue(`A passphrase has at least ${PASSPHRASE_CHARACTERS_MIN} characters.`);
}

// Loaded only when something is encrypted or decrypted.
export async function encrypt(content: Readable, passphrase: string): Promise<Readable> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(WORK_FACTOR);
  return readable(await encrypter.encrypt(webStream(content)));
}

/** @throws ControllerError BACKUP_REFUSED for a wrong passphrase and a damaged beginning; damage behind it ends the stream. */
export async function decrypt(content: Readable, passphrase: string): Promise<Readable> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return readable(await decrypter.decrypt(webStream(content)));
  } catch (cause) {
    content.destroy();
    const isWrong = cause instanceof Error && cause.message.startsWith("no identity matched");
    throw isWrong
      ? refusedBackup(
          "does not open with this passphrase: it is another one, or the file's first lines are damaged",
          cause,
        )
      : refusedBackup("is damaged: its beginning is not that of an encrypted file", cause);
  }
}

/** Node's own type of web streams and the library's name the same thing. */
function webStream(content: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(content) as unknown as globalThis.ReadableStream<Uint8Array>;
}

function readable(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>);
}
