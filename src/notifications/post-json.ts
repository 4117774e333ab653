/** One JSON body to one address. Redirects are not followed: the owner named the receiver. */

import { unreachable } from "./unreachable.ts";

/** @throws Error with a sentence that holds neither the address nor the body: both may be secret */
export async function postJson(
  url: string,
  body: object,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    redirect: "manual",
    signal,
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`The receiver answered with status ${answer.status}.`);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error ? (error.cause as { code?: unknown } | undefined)?.code : undefined;
  if (error instanceof Error && error.name === "AbortError") return "The receiver did not answer in time.";
  return unreachable("The receiver", typeof code === "string" ? code : null);
}
