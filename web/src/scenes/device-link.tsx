/** Controllers of a scene whose devices command a member themselves, or shall. */

import { useEffect } from "preact/hooks";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { type TextKey, t } from "../text/text.ts";
import type { DeviceLink } from "./scene-links.ts";

const TEXTS: Readonly<Record<string, TextKey>> = {
  done: "scene.linkDone",
  pending: "scene.linkPending",
  failed: "scene.linkFailed",
};

/** Of commands to the scene itself. */
const GROUP_TEXTS: Readonly<Record<string, TextKey>> = {
  done: "scene.groupDone",
  pending: "scene.groupPending",
  failed: "scene.groupFailed",
};

export function DeviceLinks({
  scene,
  links,
  reload,
}: {
  scene: string;
  links: readonly DeviceLink[];
  reload: () => void;
}) {
  const home = useHome();
  const act = useAct();
  const retry = async () => {
    if (await act.run(() => home.edits.writeLinks(scene))) reload();
  };
  return links.map(({ controller, state, detail }) => {
    const text = (controller === scene ? GROUP_TEXTS : TEXTS)[state];
    return (
      text && (
        <small key={controller} class={state === "failed" ? "command failed" : ""}>
          {t(text, { name: home.nodes.find(controller)?.name ?? controller, detail })}{" "}
          {state === "failed" && (
            <button type="button" disabled={act.isBusy} onClick={() => void retry()}>
              {t("command.retry")}
            </button>
          )}
        </small>
      )
    );
  });
}

/** Verbs of events about writes to a device. */
const WRITES: readonly string[] = ["WH", "WD"];

export function useDeviceWrites(heard: () => void): void {
  const store = useStore();
  const home = store.home.value;
  useEffect(() => home?.on("lifecycle", ({ verb }) => WRITES.includes(verb) && heard()), [home, heard]);
}
