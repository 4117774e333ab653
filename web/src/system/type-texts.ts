/** Names and descriptions of integration types in the language of the page. The controller's own are English. */

import type { IntegrationType } from "@domovoi/client";
import { language } from "../text/text.ts";

type Texts = Readonly<Record<string, Pick<IntegrationType, "name" | "about">>>;

const OTHERS: Readonly<Record<string, () => Promise<{ readonly default: Texts }>>> = {
  de: () => import("../text/types-de.json"),
};

export async function localTypes(types: readonly IntegrationType[]): Promise<readonly IntegrationType[]> {
  const texts = (await OTHERS[language()]?.())?.default;
  return texts ? types.map((type) => ({ ...type, ...texts[type.type] })) : types;
}
