/** All scenes: run them, create one. */

import type { Group } from "@domovoi/client";
import { Plus } from "lucide-preact";
import { Link, useLocation } from "wouter-preact";
import { CommandLine } from "../parts/command-line.tsx";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Crumbs, Head } from "../parts/layout.tsx";
import { SceneState } from "../parts/scene-state.tsx";
import { roomOf, sceneHref } from "../parts/things.ts";
import { isOwner } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { t, tn } from "../text/text.ts";

export function ScenesPlace() {
  const home = useHome();
  const scenes = [...home.groups].sort((a, b) => a.path.localeCompare(b.path));
  return (
    <>
      <Crumbs of={[{ text: t("place.home"), href: "/" }]} />
      <Head title={t("scenes.title")}>{isOwner() && <NewScene />}</Head>
      {scenes.length === 0 && <p class="empty">{t("scenes.empty")}</p>}
      {scenes.length > 0 && (
        <ul class="card rows scene-list">
          {scenes.map((scene) => (
            <SceneRow key={scene.address} scene={scene} />
          ))}
        </ul>
      )}
    </>
  );
}

function SceneRow({ scene }: { scene: Group }) {
  return (
    <li>
      <span class="main">
        <Link class="main" href={sceneHref(scene.address)}>
          {scene.name}
        </Link>
        <span class="value">
          {[roomOf(scene.path), scene.members.length > 0 && tn("scene.count", scene.members.length)]
            .filter(Boolean)
            .join(" · ")}
        </span>
        <CommandLine address={scene.address} />
      </span>
      <SceneState scene={scene} class="tag" />
      <SceneButtons scene={scene} />
    </li>
  );
}

export function SceneButtons({ scene }: { scene: Group }) {
  const store = useStore();
  const run = (command: string) => void store.commands.run(scene.address, () => scene.send(command), "scene");
  return (
    <fieldset class="buttons" aria-label={scene.name}>
      <button type="button" onClick={() => run("DON")}>
        {t("scene.on")}
      </button>
      <button type="button" onClick={() => run("DOF")}>
        {t("scene.turnOff")}
      </button>
    </fieldset>
  );
}

function NewScene() {
  const home = useHome();
  const [, navigate] = useLocation();
  return (
    <DialogButton class="primary" label={<Label />}>
      <Ask
        title={t("scene.new")}
        submit={t("create")}
        done={t("done.created")}
        onSubmit={async (form) => {
          const edited = await home.edits.createScene(String(form.get("name")).trim());
          navigate(sceneHref(edited.address));
          return edited;
        }}
      >
        <label>
          {t("rename.name")}
          <input name="name" required maxLength={200} />
        </label>
      </Ask>
    </DialogButton>
  );
}

function Label() {
  return (
    <>
      <Plus size={18} aria-hidden /> {t("scene.new")}
    </>
  );
}
