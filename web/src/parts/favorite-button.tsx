/** Marks a node as one of the person's favorites, which are at the top of Home. */

import { Star } from "lucide-preact";
import { useStore } from "../store/context.ts";
import { t } from "../text/text.ts";

/** @param name where several are on the screen */
export function FavoriteButton({ address, name }: { address: string; name?: string }) {
  const { layer } = useStore();
  const isMarked = layer.list("favorites").includes(address);
  return (
    <button
      type="button"
      class="icon"
      aria-pressed={isMarked}
      aria-label={name === undefined ? t("node.favorite") : t("node.favoriteOf", { name })}
      onClick={() => layer.toggle("favorites", address)}
    >
      <Star size={20} fill={isMarked ? "currentColor" : "none"} aria-hidden />
    </button>
  );
}
