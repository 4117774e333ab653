/** `domovoi login`, `logout`, `use` and `controllers`: which controllers are saved by name, and with which account. */

import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { connect, type DetailedPeerCertificate } from "node:tls";
import { ClientError, login as openLogin, type StoredTokens, type TokenStore } from "@domovoi/client";
import { modeOfUser } from "../../util/controller-address.ts";
import { type ListOptions, printList } from "../home/list.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { readNamedFile } from "../unreadable-file.ts";
import { ask, askPassword, givenPassword } from "./ask-password.ts";
import { type Access, checkUrl, namedController } from "./find-access.ts";
import {
  checkControllerName,
  controllersFile,
  readSavedControllers,
  type SavedController,
  writeSavedControllers,
} from "./saved-controllers.ts";
import { openHome } from "./with-home.ts";

type LoginOptions = {
  readonly url?: string;
  readonly user?: string;
  readonly ca?: string;
  /** A fingerprint, or true: the person decides. */
  readonly trust?: string | true;
  readonly insecure?: boolean;
  readonly passwordStdin?: boolean;
};

/** Saves the login when the controller has accepted the account. */
export async function login(name: string, options: LoginOptions): Promise<void> {
  const before = readSavedControllers().controllers.get(checkControllerName(name));
  const access = await accessFor(name, options, before);
  const { controller, tokens } = await test(access);
  const { url, user, ca = null } = access;
  const all = new Map(readSavedControllers().controllers).set(name, { url, user, tokens, ca });
  writeSavedControllers({ chosen: name, controllers: all });
  process.stdout.write(`${name}: ${controller}, saved in ${controllersFile()}.\n`);
  if (tokens === null)
    process.stderr.write(
      "The local listener has no logins to save: commands ask for the password, or take DOMOVOI_PASSWORD.\n",
    );
  if (before?.tokens) await end(before);
}

/** Ends the saved login at the controller too, if it answers. */
export async function logout(name: string | undefined): Promise<void> {
  const saved = readSavedControllers();
  const gone = name ?? saved.chosen;
  if (gone === null) throw new CommandFailure("notFound", NONE_SAVED);
  const isEnded = await end(namedController(saved, gone));
  if (!isEnded) process.stderr.write("The controller does not answer. Its login ends there when it expires.\n");
  const controllers = new Map([...saved.controllers].filter(([each]) => each !== gone));
  writeSavedControllers({ chosen: gone === saved.chosen ? null : saved.chosen, controllers });
  process.stdout.write(`${gone} is removed.\n`);
}

/** Commands go to this controller from now on, unless they name another. */
export function useController(name: string): Done {
  const saved = readSavedControllers();
  const { url, user } = namedController(saved, name);
  writeSavedControllers({ ...saved, chosen: name });
  return done(`Commands go to ${name} at ${url} as ${user}.`, { name, url, user, isInUse: true });
}

export function listControllers(options: ListOptions): void {
  const { chosen, controllers } = readSavedControllers();
  const rows = Array.from(controllers, ([name, { url, user }]) => ({ name, url, user, isInUse: name === chosen }));
  printList(rows, options, NONE_SAVED, [
    { title: "CONTROLLER", text: ({ name }) => name },
    { title: "IN USE", text: ({ isInUse }) => (isInUse ? "yes" : ""), paint: () => "green" },
    { title: "ADDRESS", text: ({ url }) => url },
    { title: "ACCOUNT", text: ({ user }) => user },
  ]);
}

const NONE_SAVED = 'No controller is saved. Save one with "domovoi login".';

async function accessFor(
  name: string,
  { url, user, ca, trust, insecure = false, passwordStdin = false }: LoginOptions,
  before: SavedController | undefined,
): Promise<Access> {
  if (ca !== undefined && trust !== undefined) throw usageFailure("Either --ca or --trust, not both.");
  const address = url ?? (process.env.DOMOVOI_URL || before?.url);
  if (!address)
    throw usageFailure("No address given. Give one with --url or DOMOVOI_URL, such as https://localhost:9443.");
  const origin = checkUrl(address, insecure);
  const account = (user ?? (process.env.DOMOVOI_USER || before?.user)) || (await askUser());
  if (before && (before.url !== origin || before.user !== account)) await confirmReplacement(name, before);
  const authority = ca === undefined ? await trusted(origin, trust, before) : readNamedFile(ca, "certificate file");
  const password =
    (await givenPassword({ passwordStdin })) || (await askPassword(`Password of ${account} at ${origin}: `));
  const access = { url: origin, mode: modeOfUser(account), user: account, password, insecure };
  return authority === null ? access : { ...access, ca: authority };
}

/** @throws CommandFailure when the person does not confirm, and without a terminal */
async function confirmReplacement(name: string, { url, user }: SavedController): Promise<void> {
  const what = `${name} is saved already: ${url} as ${user}.`;
  const choice = `${what} Save this one under another name (domovoi login NAME), or remove that one first: domovoi logout ${name}`;
  if ((await ask(`${what} Replace it? Write yes: `, choice)) !== "yes")
    throw new CommandFailure("failed", "Nothing was saved.");
}

function askUser(): Promise<string> {
  return ask("Account: ", "Not a terminal, so the account cannot be entered. Name it with --user or DOMOVOI_USER.");
}

/** PEM; what was trusted before stays trusted at the same address. */
async function trusted(
  url: string,
  trust: LoginOptions["trust"],
  before: SavedController | undefined,
): Promise<string | null> {
  if (trust === undefined) return before?.url === url ? before.ca : null;
  if (!url.startsWith("https:")) throw usageFailure(`${url} does not use TLS, so it has no certificate to trust.`);
  const { pem, fingerprint, subject, validTo } = await fetchAuthority(url);
  if (trust !== true) {
    if (sameFingerprint(fingerprint, trust)) return pem;
    throw new CommandFailure(
      "unreachable",
      `${url} shows another certificate authority: ${fingerprint}. Nothing was saved.`,
    );
  }
  process.stderr.write(
    `${url} shows this certificate authority:\n  ${plain(subject)}, good until ${validTo}\n  SHA-256 ${fingerprint}\n`,
  );
  const answer = await ask(
    "Trust it? Write yes: ",
    `Not a terminal, so the certificate cannot be confirmed. To trust it, run again with --trust ${fingerprint}`,
  );
  if (answer === "yes") return pem;
  throw new CommandFailure("failed", "Not trusted. Nothing was saved.");
}

/** @returns what answered, for a person, and its login. */
async function test(access: Access): Promise<{ readonly controller: string; readonly tokens: StoredTokens | null }> {
  const store = heldLogin(null);
  const given = access.mode === "portal" ? { ...access, tokenStore: store } : access;
  await using home = await openHome(given, { stream: "off" });
  const name = home.name === "" ? home.config.uuid : home.name;
  return { controller: `${name} at ${access.url} as ${access.user}`, tokens: store.read() };
}

/** @returns false when the controller does not answer; a login that has ended already is no failure. */
async function end({ url, user, tokens, ca }: SavedController): Promise<boolean> {
  if (!tokens) return true;
  const access = { url, mode: modeOfUser(user), user: "", password: "", insecure: false, ...(ca !== null && { ca }) };
  try {
    await using _session = await openLogin({ ...access, tokenStore: heldLogin(tokens), deadlineMs: TIMEOUT_MS });
    return true;
  } catch (error) {
    return error instanceof ClientError && error.code === "AUTH_FAILED";
  }
}

/** A login that is in this process alone. */
function heldLogin(first: StoredTokens | null): TokenStore {
  let held = first;
  return {
    read: () => held,
    write(tokens) {
      held = tokens;
    },
    exclusively: (work) => work(),
  };
}

/** The authority that a controller shows for its certificate, so that a person can compare its fingerprint and trust it. */
type ShownAuthority = {
  readonly pem: string;
  /** SHA-256 of the certificate, pairs of hex digits with colons, as other tools show it. */
  readonly fingerprint: string;
  readonly subject: string;
  /** When it ends, as the certificate writes it. */
  readonly validTo: string;
};

const TIMEOUT_MS = 10_000;

/**
 * Returns the last certificate of the chain that the controller sends. It is not verified here, and no secret is
 * sent.
 * @throws CommandFailure unreachable; failed when the chain ends before an authority.
 */
async function fetchAuthority(url: string): Promise<ShownAuthority> {
  const last = lastOf(await peerCertificate(new URL(url)));
  const certificate = new X509Certificate(last.raw);
  if (!certificate.checkIssued(certificate)) {
    const sentence = `${url} does not send the authority of its certificate (${oneLine(certificate.issuer)}). Name it with --ca.`;
    throw new CommandFailure("failed", sentence);
  }
  return {
    pem: certificate.toString(),
    fingerprint: certificate.fingerprint256,
    subject: oneLine(certificate.subject),
    validTo: certificate.validTo,
  };
}

/** @param text as a person writes it: with or without colons, in any case */
function sameFingerprint(shown: string, text: string): boolean {
  const digits = (fingerprint: string) => fingerprint.replaceAll(/[:\s]/g, "").toUpperCase();
  return digits(shown) === digits(text);
}

function peerCertificate(url: URL): Promise<DetailedPeerCertificate> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const servername = isIP(host) ? {} : { servername: host };
  return new Promise((resolve, reject) => {
    const failed = (error: Error) =>
      reject(new CommandFailure("unreachable", `No controller answers at ${url.origin}: ${error.message}.`, error));
    const options = { host, port: Number(url.port || 443), rejectUnauthorized: false, ...servername };
    const socket = connect(options, () => {
      resolve(socket.getPeerCertificate(true));
      socket.destroy();
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("no answer in time")));
    socket.once("error", failed);
  });
}

/** The chain ends where a certificate is its own issuer, or where the controller sends no more. */
function lastOf(first: DetailedPeerCertificate): DetailedPeerCertificate {
  let last = first;
  while (last.issuerCertificate && last.issuerCertificate.fingerprint256 !== last.fingerprint256) {
    last = last.issuerCertificate;
  }
  return last;
}

function oneLine(name: string): string {
  return name.replaceAll("\n", ", ");
}
