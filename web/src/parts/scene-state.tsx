/** How many members of a scene are on, by the one rule that the client library has; nothing where that is not known. */

import type { Group } from "@domovoi/client";
import { useStore } from "../store/context.ts";
import { useDerived } from "../store/use-derived.ts";
import { t } from "../text/text.ts";

export function SceneState({ scene, class: kind }: { scene: Group; class: "tag" | "value" }) {
  const store = useStore();
  const text = useDerived(() => {
    for (const address of scene.members) void store.property(address, "ST").value;
    return stateText(scene);
  }, [scene, scene.members]);
  if (text === "") return null;
  return <span class={kind === "tag" && scene.anyOn ? "tag lit" : kind}>{text}</span>;
}

/** A guest is not shown the members, and knows of no state. */
function stateText({ membersOn: { on, counted }, members }: Group): string {
  if (counted === 0 || members.length === 0) return "";
  if (on === 0) return t("scene.off");
  return on === counted ? t("scene.allOn") : t("scene.members", { on, all: counted });
}
