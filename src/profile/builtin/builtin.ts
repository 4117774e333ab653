/** Declares what every controller knows before a driver speaks: common and wired definitions, small families, radio editors. */

import { WIRED } from "../../families.ts";
import type { Profile } from "../profile.ts";
import { editorsUsedBy } from "./definition-text.ts";
import { COMMON_EDITORS, RADIO_EDITORS, SMALL_FAMILIES } from "./families-table.ts";
import { WIRED_EDITORS } from "./wired-editors-table.ts";
import { WIRED_LINKDEFS, WIRED_NODEDEFS } from "./wired-nodedefs-table.ts";

const INSTANCE = 1;

export function declareBuiltinProfile(profile: Profile): void {
  profile.declare("common", INSTANCE, { editors: COMMON_EDITORS });
  profile.declare(WIRED.id, INSTANCE, {
    nodedefs: WIRED_NODEDEFS,
    editors: WIRED_EDITORS,
    linkdefs: WIRED_LINKDEFS,
  });
  for (const [family, nodedefs] of SMALL_FAMILIES) {
    profile.declare(family, INSTANCE, { nodedefs, editors: editorsUsedBy(nodedefs, WIRED_EDITORS) });
  }
  for (const [family, editors] of RADIO_EDITORS) profile.declare(family, INSTANCE, { editors });
}
