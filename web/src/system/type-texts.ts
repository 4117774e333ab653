/** Names and descriptions of integration types in the language of the page. The controller's own are English. */

import type { IntegrationType } from "@domovoi/client";
import { language } from "../text/text.ts";

type Texts = Readonly<Record<string, Pick<IntegrationType, "name" | "about">>>;

const OTHERS = import.meta.glob<Texts>(["../text/languages/*.json", "!../text/languages/en.json"], {
  query: "?part=types",
  import: "default",
});

export async function localTypes(types: readonly IntegrationType[]): Promise<readonly IntegrationType[]> {
  const texts = await OTHERS[`../text/languages/${language()}.json`]?.();
  return texts ? types.map((type) => ({ ...type, ...texts[type.type] })) : types;
}
