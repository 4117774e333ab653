/** The browser and the system that a User-Agent names, for people: "Chrome, Android". */

import { t } from "../text/text.ts";

export function deviceName(userAgent: string): string {
  const browser = /(Firefox|Edg|Chrome|Safari)\//.exec(userAgent)?.[1]?.replace("Edg", "Edge");
  const system = /iPhone|iPad|Android|Windows|Mac OS|Linux/.exec(userAgent)?.[0] ?? "";
  // Of apps and command lines the first word: "domovoi/0.1.0".
  const program = browser ?? (/^[\w.-]+\/[\w.-]+/.exec(userAgent)?.[0] || t("push.browser"));
  return [program, system].filter(Boolean).join(", ");
}
