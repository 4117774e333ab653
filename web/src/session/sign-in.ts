/** Logs in and stores the tokens. The client library comes later, with the home. */

import { type TextKey, t } from "../text/text.ts";
import { tokenStore } from "./token-store.ts";

/** What went wrong, as a sentence with what to do. `asksCode`: the account has a second factor. */
export type Failure = { readonly sentence: string; readonly asksCode?: boolean };

/** @param code of the second factor; "" where it was not asked for. @returns null when it worked */
export function signIn(username: string, password: string, code: string): Promise<Failure | null> {
  return enter("signIn.wrong", () => post("/api/login", { username, password, ...(code !== "" && { code }) }));
}

/** With a passkey of this device, which also says whose it is. @returns as `signIn` */
export function signInWithPasskey(): Promise<Failure | null> {
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

async function enter(wrong: TextKey, send: () => Promise<Response>): Promise<Failure | null> {
  let answer: Response;
  try {
    answer = await send();
  } catch (error) {
    // What the browser says when no passkey was used; a connection that fails is another kind of error.
    if (error instanceof DOMException) return { sentence: t("signIn.passkeyNone") };
    return { sentence: t(navigator.onLine ? "signIn.unreachable" : "signIn.offline") };
  }
  if (!answer.ok) return failureOf(answer, wrong);
  const { data } = (await answer.json()) as { data: { accessToken: string; refreshToken: string } };
  tokenStore.write({ access: data.accessToken, refresh: data.refreshToken });
  return null;
}

async function failureOf(answer: Response, wrong: TextKey): Promise<Failure> {
  const { status } = answer;
  const { code, error = "" } = (await answer.json().catch(() => ({}))) as { code?: string; error?: string };
  if (code === "SECOND_FACTOR_NEEDED") return { sentence: t("signIn.codeNeeded"), asksCode: true };
  if (code === "SECOND_FACTOR_REFUSED") return { sentence: t("signIn.codeWrong"), asksCode: true };
  if (status === 401 || status === 400) return { sentence: t(wrong) };
  // The account cannot be used at this time: the controller says when it can.
  if (status === 403) return { sentence: t("signIn.outOfHours", { detail: error }) };
  if (status === 429) return { sentence: t("signIn.locked", { minutes: minutesOf(answer) }) };
  return { sentence: t("signIn.trouble", { status }) };
}

function minutesOf(answer: Response): number {
  return Math.max(1, Math.ceil(Number(answer.headers.get("Retry-After") ?? 60) / 60));
}
