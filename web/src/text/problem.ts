/** Why something failed, as a sentence with what to do. */

import { language, t } from "./text.ts";

type Texts = Readonly<Record<string, string>>;

/** The controller's own sentences are English. */
const OTHERS = import.meta.glob<Texts>(["./languages/*.json", "!./languages/en.json"], {
  query: "?part=errors",
  import: "default",
});

let texts: Texts = {};

export async function loadErrors(): Promise<void> {
  texts = (await OTHERS[`./languages/${language()}.json`]?.()) ?? {};
}

/** null when the controller's sentence is to be shown. @param detail its sentence, which some texts hold */
export function errorText(code: string, detail: string): string | null {
  return texts[code]?.replace("{detail}", () => detail) ?? null;
}

export function problemText(error: unknown): string {
  const { code, message, reason } = error as Error & { readonly code?: string; readonly reason?: string | null };
  if (code === "CONNECTION_FAILED" || code === "DEADLINE_PASSED") return t("problem.noAnswer");
  if (code === "AUTH_FAILED") return t("signIn.ended");
  return errorText(reason ?? "", message) ?? message;
}
