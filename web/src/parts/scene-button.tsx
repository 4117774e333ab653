/** Turns a scene on, and shows how many of its members followed. */

import type { Group } from "@domovoi/client";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { isWaiting } from "../store/command-states.ts";
import { useStore } from "../store/context.ts";
import { t } from "../text/text.ts";
import { CommandLine } from "./command-line.tsx";
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

/** A row of scenes. It takes the focus where it scrolls, so that the arrow keys move it. */
export function SceneStrip({ children }: { children: ComponentChildren }) {
  const strip = useRef<HTMLElement>(null);
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const measure = () => {
      const { scrollWidth = 0, clientWidth = 0 } = strip.current ?? {};
      setScrolled(scrollWidth > clientWidth);
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  });
  return (
    <section ref={strip} class="scenes" aria-label={t("scenes.title")} {...(isScrolled && { tabIndex: 0 })}>
      {children}
    </section>
  );
}
