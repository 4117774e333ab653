/** The home's time zone, recomputed only when the controller was moved to another one. */

import type { Home } from "../home/home.ts";
import { createZone, type Zone } from "../util/zone.ts";

export function homeZone(home: Home): () => Zone {
  let zone = createZone(home.controller.timeZone);
  return () => {
    if (zone.id !== home.controller.timeZone) zone = createZone(home.controller.timeZone);
    return zone;
  };
}
