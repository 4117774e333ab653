/** Logs in and stores the tokens. The client library comes later, with the home. */

import { t } from "../text/text.ts";
import { tokenStore } from "./token-store.ts";

/** @returns what went wrong, as a sentence with what to do; null when it worked */
export async function signIn(username: string, password: string): Promise<string | null> {
  let answer: Response;
  try {
    answer = await fetch("/api/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ username, password }),
    });
  } catch {
    return t(navigator.onLine ? "signIn.unreachable" : "signIn.offline");
  }
  if (answer.status === 401 || answer.status === 400) return t("signIn.wrong");
  if (answer.status === 429) return t("signIn.locked", { minutes: minutesOf(answer) });
  if (!answer.ok) return t("signIn.trouble", { status: answer.status });
  const { data } = (await answer.json()) as { data: { accessToken: string; refreshToken: string } };
  tokenStore.write({ access: data.accessToken, refresh: data.refreshToken });
  return null;
}

function minutesOf(answer: Response): number {
  return Math.max(1, Math.ceil(Number(answer.headers.get("Retry-After") ?? 60) / 60));
}
