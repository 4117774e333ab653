/** Why something failed, as a sentence with what to do. */

import { t } from "./text.ts";

export function problemText(error: unknown): string {
  const { code, message } = error as Error & { readonly code?: string };
  if (code === "CONNECTION_FAILED" || code === "DEADLINE_PASSED") return t("problem.noAnswer");
  return code === "AUTH_FAILED" ? t("signIn.ended") : message;
}
