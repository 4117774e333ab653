/** Logs in and stores the tokens. The client library comes later, with the home. */

import { type TextKey, t } from "../text/text.ts";
import { tokenStore } from "./token-store.ts";

/** @returns what went wrong, as a sentence with what to do; null when it worked */
export function signIn(username: string, password: string): Promise<string | null> {
  return enter("signIn.wrong", () => post("/api/login", { username, password }));
}

/** With a passkey of this device, which also says whose it is. @returns as `signIn` */
export function signInWithPasskey(): Promise<string | null> {
  return enter("signIn.passkeyWrong", async () => {
    const asked = await post("/api/login/passkey/options", {});
    if (!asked.ok) return asked;
    const { signWithPasskey } = await import("./passkey.ts");
    return post("/api/login/passkey", await signWithPasskey((await asked.json()).data));
  });
}

function post(path: string, body: object): Promise<Response> {
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function enter(wrong: TextKey, send: () => Promise<Response>): Promise<string | null> {
  let answer: Response;
  try {
    answer = await send();
  } catch (error) {
    // What the browser says when no passkey was used; a connection that fails is another kind of error.
    if (error instanceof DOMException) return t("signIn.passkeyNone");
    return t(navigator.onLine ? "signIn.unreachable" : "signIn.offline");
  }
  if (answer.status === 401 || answer.status === 400) return t(wrong);
  if (answer.status === 403) return t("signIn.outOfHours", { detail: await sentenceOf(answer) });
  if (answer.status === 429) return t("signIn.locked", { minutes: minutesOf(answer) });
  if (!answer.ok) return t("signIn.trouble", { status: answer.status });
  const { data } = (await answer.json()) as { data: { accessToken: string; refreshToken: string } };
  tokenStore.write({ access: data.accessToken, refresh: data.refreshToken });
  return null;
}

/** The account cannot be used at this time: the controller says when it can. */
async function sentenceOf(answer: Response): Promise<string> {
  const { error = "" } = (await answer.json().catch(() => ({}))) as { error?: string };
  return error;
}

function minutesOf(answer: Response): number {
  return Math.max(1, Math.ceil(Number(answer.headers.get("Retry-After") ?? 60) / 60));
}
