/** The button that opens a past moment: in the navigation of a desk, on a phone in the head of Home. */

import { CalendarClock } from "lucide-preact";
import { useSearch } from "wouter-preact";
import { seesPast } from "../session/role.ts";
import { useStore } from "../store/context.ts";
import { t } from "../text/text.ts";
import { pastMs, showMoment } from "./moment.ts";

export function ToPast({ isIcon = false }: { isIcon?: boolean }) {
  const store = useStore();
  const atMs = pastMs(useSearch());
  if (store.home.value === null || atMs !== null || !seesPast()) return null;
  return (
    <button
      type="button"
      class={isIcon ? "icon only-small" : "to-past"}
      aria-label={t("past.open")}
      onClick={() => showMoment(store.nowMs())}
    >
      <CalendarClock size={isIcon ? 20 : 22} aria-hidden />
      {!isIcon && <span>{t("past.short")}</span>}
    </button>
  );
}
