/** `domovoi login` and `domovoi logout`: which controllers are known by name, and with which account. */

import { complain } from "../complain.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { ask, askPassword } from "./ask-password.ts";
import { fetchAuthority, sameFingerprint } from "./fetch-authority.ts";
import { type Access, checkUrl, modeOf, readAuthority } from "./find-access.ts";
import {
  checkControllerName,
  controllersFile,
  readSavedControllers,
  type SavedController,
  writeSavedControllers,
} from "./saved-controllers.ts";
import { openHome } from "./with-home.ts";

export type LoginOptions = {
  readonly url?: string;
  readonly user?: string;
  readonly ca?: string;
  /** A fingerprint, or true: the person decides. */
  readonly trust?: string | true;
};

/** Keeps the account when the controller has accepted it. */
export async function login(name: string, options: LoginOptions): Promise<void> {
  try {
    const { controllers } = readSavedControllers();
    const access = await accessFor(options, controllers.get(checkControllerName(name)));
    const controller = await test(access);
    const { url, user, password, ca = null } = access;
    const kept = new Map(controllers).set(name, { url, user, password, ca });
    writeSavedControllers({ chosen: name, controllers: kept });
    process.stdout.write(`${name}: ${controller}, kept in ${controllersFile()}.\n`);
  } catch (error) {
    complain(error);
  }
}

/** Nothing is told to the controller: commands end their sessions themselves. */
export function logout(name: string | undefined): void {
  try {
    const { chosen, controllers } = readSavedControllers();
    const gone = name ?? chosen;
    if (gone === null || !controllers.has(gone)) {
      throw new CommandFailure(
        "notFound",
        gone === null ? "No controller is kept." : `No controller "${gone}" is kept.`,
      );
    }
    const left = new Map([...controllers].filter(([each]) => each !== gone));
    writeSavedControllers({ chosen: gone === chosen ? null : chosen, controllers: left });
    process.stdout.write(`${gone} is forgotten.\n`);
  } catch (error) {
    complain(error);
  }
}

async function accessFor({ url, user, ca, trust }: LoginOptions, before: SavedController | undefined): Promise<Access> {
  if (ca !== undefined && trust !== undefined) throw usageFailure("Either --ca or --trust, not both.");
  const address = url ?? (process.env.DOMOVOI_URL || before?.url);
  if (!address) throw usageFailure("Where is the controller? --url or DOMOVOI_URL says it.");
  const origin = checkUrl(address);
  const account = (user ?? (process.env.DOMOVOI_USER || before?.user)) || (await askUser());
  const authority = ca === undefined ? await trusted(origin, trust, before) : readAuthority(ca);
  const password = process.env.DOMOVOI_PASSWORD || (await askPassword(`Password of ${account} at ${origin}: `));
  const access = { url: origin, mode: modeOf(account), user: account, password, insecure: false };
  return authority === null ? access : { ...access, ca: authority };
}

function askUser(): Promise<string> {
  return ask("Account: ", "Whose account? --user or DOMOVOI_USER says it.");
}

/** PEM; what was trusted before stays trusted at the same address. */
async function trusted(
  url: string,
  trust: LoginOptions["trust"],
  before: SavedController | undefined,
): Promise<string | null> {
  if (trust === undefined) return before?.url === url ? before.ca : null;
  if (!url.startsWith("https:")) throw usageFailure(`There is no certificate at ${url} to trust.`);
  const { pem, fingerprint, subject, validTo } = await fetchAuthority(url);
  if (trust !== true) {
    if (sameFingerprint(fingerprint, trust)) return pem;
    throw new CommandFailure("unreachable", `${url} shows another authority: ${fingerprint}. It is not trusted.`);
  }
  process.stderr.write(
    `${url} shows this authority:\n  ${plain(subject)}, good until ${validTo}\n  SHA-256 ${fingerprint}\n`,
  );
  const answer = await ask("Trust it? Write yes: ", `Nobody can be asked here: --trust ${fingerprint} trusts it.`);
  if (answer === "yes") return pem;
  throw new CommandFailure("failed", "It is not trusted; nothing was kept.");
}

/** @returns what answered, for a person. */
async function test(access: Access): Promise<string> {
  await using home = await openHome(access, { stream: "off" });
  const name = home.name === "" ? home.config.uuid : home.name;
  return `${name} at ${access.url} as ${access.user}`;
}
