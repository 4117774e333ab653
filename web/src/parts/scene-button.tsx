/** Turns a scene on, and shows how many of its members followed. */

import type { Group } from "@domovoi/client";
import { Link } from "wouter-preact";
import { isWaiting } from "../store/command-states.ts";
import { useStore } from "../store/context.ts";
import { t } from "../text/text.ts";
import { CommandLine } from "./honest.tsx";
import { SceneState } from "./scene-state.tsx";
import { sceneHref } from "./things.ts";

export function SceneButton({ scene }: { scene: Group }) {
  const store = useStore();
  const state = store.commands.of(scene.address).value;
  return (
    <span class="scene">
      <button
        type="button"
        aria-busy={isWaiting(state)}
        disabled={store.past.value !== null}
        onClick={() => void store.commands.run(scene.address, () => scene.send("DON"), "scene")}
      >
        {scene.name}
        <SceneState scene={scene} class="value" />
      </button>
      <CommandLine address={scene.address} />
      {state?.phase === "outcome" && (
        <Link class="hint" href={sceneHref(scene.address)}>
          {t("scene.open")}
        </Link>
      )}
    </span>
  );
}
