/**
 * Sends one message to one browser by its push service: encrypted for the browser (RFC 8291) and signed with the key
 * of this controller (RFC 8292). The browser supplies the service's address, so only public addresses are allowed
 * unless `networkTargets` lists others.
 */

import { createECDH, createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes } from "node:crypto";
import type { NotificationMessage } from "../drivers/channel.ts";
import { badValue, ControllerError } from "../errors.ts";
import { hostAndPort, sendChecked } from "../util/checked-request.ts";
import { withoutEnd } from "../util/foreign-text.ts";
import { ownAddresses, parseTargets, refuseKnownTarget, type TargetRules } from "../util/network-target.ts";

/** Keys of a browser, base64url. */
export type PushTarget = { readonly endpoint: string; readonly p256dh: string; readonly auth: string };

/** `gone`: the subscription has ended, and its record can be removed. */
type PushOutcome = "delivered" | "gone";

type PushSending = {
  /** The key pair from `makePushKey`. */
  readonly key: string;
  /** Contact for the operator of the push service: a mailto: or https: address. */
  readonly contact: string;
  readonly nowMs: number;
  readonly rules: TargetRules;
  readonly signal: AbortSignal;
};

const HTTPS_PORT = 443;
const CURVE = "prime256v1";
/** Push services accept 4096 bytes. Title and text as JSON, encrypted, stay below. */
const SUBJECT_BYTES_MAX = 300;
const TEXT_BYTES_MAX = 1500;
/** How long a push service keeps a message for a device that is off. */
const KEPT_FOR_S = 86_400;
const SIGNATURE_LASTS_S = 3_600;

export function pushRules(networkTargets: readonly string[]): TargetRules {
  return { targets: parseTargets(networkTargets), ownAddresses: ownAddresses(), isPublicOnly: true };
}

/** Checks without a DNS query. @throws ControllerError BAD_VALUE */
export function checkEndpoint(endpoint: string, rules: TargetRules): void {
  const url = URL.parse(endpoint);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
    throw badValue("The address of a push service starts with https:// and contains no password.");
  const { host, port } = hostAndPort(url);
  if (port !== HTTPS_PORT && !rules.targets.allows(host, host, port))
    throw badValue("A push service has the port 443, or is listed in the setting networkTargets.");
  try {
    refuseKnownTarget(host, port, rules);
  } catch (cause) {
    throw badValue("A push service has a public address, or is listed in the setting networkTargets.", cause);
  }
}

/** Generates the key pair with which this controller signs. @returns JWK as JSON */
export function makePushKey(): string {
  return JSON.stringify(generateKeyPairSync("ec", { namedCurve: CURVE }).privateKey.export({ format: "jwk" }));
}

/** The public key as a point, in base64url, as browsers expect it. */
export function publicPushKey(key: string): string {
  const { x = "", y = "" } = JSON.parse(key) as JsonWebKey;
  return Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]).toString("base64url");
}

/** @throws Error with a sentence that leaves out the address, because it is secret */
export async function sendPush(
  target: PushTarget,
  message: NotificationMessage,
  sending: PushSending,
): Promise<PushOutcome> {
  const url = new URL(target.endpoint);
  const body = await encrypted(target, payloadOf(message));
  const authorization = await authorizationFor(url, sending);
  const status = await post(url, body, authorization, sending).catch((error: unknown) => {
    throw new Error(reasonOf(error, sending.signal));
  });
  if (status === 404 || status === 410) return "gone";
  if (status < 200 || status > 299) throw new Error(`The push service answered with status ${status}.`);
  return "delivered";
}

/** Of an alert with what answers it. */
function payloadOf({ subject, text, atMs, alert, isSilent }: NotificationMessage): Buffer {
  const short = { subject: cut(subject, SUBJECT_BYTES_MAX), text: cut(text, TEXT_BYTES_MAX), atMs };
  const { tag, urgency, token = "", buttons } = alert ?? {};
  const about = {
    ...(alert && { tag, urgency }),
    ...(token !== "" && { token, buttons }),
    ...((isSilent || urgency === "low") && { silent: true }),
  };
  return Buffer.from(JSON.stringify({ ...short, ...about }));
}

/** A control character takes six bytes in JSON. */
function cut(text: string, bytesMax: number): string {
  const plain = text.toWellFormed().replace(/[^\P{Cc}\n]/gu, " ");
  const bytes = Buffer.from(plain);
  return bytes.length <= bytesMax ? plain : `${withoutEnd(bytes.subarray(0, bytesMax).toString(), "\uFFFD")}…`;
}

async function encrypted({ p256dh, auth }: PushTarget, payload: Buffer): Promise<Buffer> {
  const { default: ece } = await import("http_ece");
  const privateKey = createECDH(CURVE);
  privateKey.generateKeys();
  const salt = randomBytes(16).toString("base64url");
  try {
    return ece.encrypt(payload, { version: "aes128gcm", dh: p256dh, authSecret: auth, privateKey, salt });
  } catch (cause) {
    throw new Error("The keys of the browser cannot be used. Allow notifications there again.", { cause });
  }
}

async function authorizationFor({ origin }: URL, { key, contact, nowMs }: PushSending): Promise<string> {
  const { SignJWT } = await import("jose");
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "ES256", typ: "JWT" })
    .setAudience(origin)
    .setSubject(contact)
    .setExpirationTime(Math.floor(nowMs / 1000) + SIGNATURE_LASTS_S)
    .sign(createPrivateKey({ key: JSON.parse(key) as JsonWebKey, format: "jwk" }));
  return `vapid t=${token}, k=${publicPushKey(key)}`;
}

/** @returns the status */
async function post(url: URL, body: Buffer, authorization: string, { rules, signal }: PushSending): Promise<number> {
  const headers = {
    "Content-Type": "application/octet-stream",
    "Content-Encoding": "aes128gcm",
    Authorization: authorization,
    TTL: KEPT_FOR_S,
    Urgency: "high",
  };
  const answer = await sendChecked(url, { method: "POST", headers, body, rules, signal });
  answer.destroy();
  return answer.statusCode ?? 0;
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "The push service did not answer in time.";
  if (error instanceof ControllerError)
    return "The push service has no public address. To allow it, list it in the setting networkTargets.";
  const code = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return `The push service cannot be reached${typeof code === "string" ? ` (${code})` : ""}.`;
}
