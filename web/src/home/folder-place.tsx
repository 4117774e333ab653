/** One room: its nodes, scenes and rooms, and what an owner can do with it. */

import { Link, useLocation } from "wouter-preact";
import { FavoriteButton } from "../parts/favorite-button.tsx";
import { FolderSelect } from "../parts/folder-select.tsx";
import { Card, Crumbs, Head, Missing } from "../parts/layout.tsx";
import { NodeRow } from "../parts/node-row.tsx";
import { RemoveButton } from "../parts/remove.tsx";
import { Renamer } from "../parts/renamer.tsx";
import { RoomClimate } from "../parts/room-climate.tsx";
import { SceneButton, SceneStrip } from "../parts/scene-button.tsx";
import { crumbsTo, folderHref } from "../parts/things.ts";
import { isOwner } from "../session/role.ts";
import { useHome } from "../store/context.ts";
import { isAdjustable } from "../store/controls.ts";
import { rename } from "../store/edits.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";
import { roomsOf } from "./rooms.ts";

export function FolderPlace({ address }: { address: string }) {
  const home = useHome();
  const [, navigate] = useLocation();
  const act = useAct();
  const folder = home.folders.find(address);
  if (!folder) return <Missing text={t("folder.unknown")} />;
  const nodes = roomsOf(home).find(({ key }) => key === address)?.nodes ?? [];
  const scenes = [...home.groups].filter(({ parent }) => parent === address);
  const folders = [...home.folders].filter(({ parent }) => parent === address);
  const isEmpty = nodes.length + scenes.length + folders.length === 0;
  return (
    <article class="columns" key={address}>
      <div>
        <Crumbs of={crumbsTo(home, folder.parent)} />
        <Head title={<Renamer name={folder.name} rename={(name) => rename(home, "folder", address, name)} />}>
          <RoomClimate nodes={nodes} hasHumidity />
        </Head>
        {scenes.length > 0 && (
          <SceneStrip>
            {scenes.map((scene) => (
              <SceneButton key={scene.address} scene={scene} />
            ))}
          </SceneStrip>
        )}
        {isEmpty && <p class="empty">{t("folder.empty")}</p>}
        {nodes.length > 0 && (
          <Card title={t("folder.nodes")}>
            <ul class="rows">
              {nodes.map((node) => (
                <NodeRow key={node.address} node={node} room={folder.name}>
                  {/* The sheet of the others has it. */}
                  {!isAdjustable(node) && <FavoriteButton address={node.address} name={node.name} />}
                </NodeRow>
              ))}
            </ul>
          </Card>
        )}
        {folders.length > 0 && (
          <Card title={t("folder.more")}>
            <ul class="rows">
              {folders.map((inner) => (
                <li key={inner.address}>
                  <Link class="main" href={folderHref(inner.address)}>
                    {inner.name}
                  </Link>
                  <span class="tag">{t("folder")}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
      {isOwner() && (
        <div>
          <Card title={t("folder.manage")}>
            <FolderSelect
              value={folder.parent}
              not={address}
              label={t("folder.inside")}
              top={t("folder.top")}
              choose={(parent) => void act.edit(t("done.moved"), () => home.edits.move(address, parent))}
            />
            <p role="alert">{act.problem}</p>
            <div class="buttons">
              <RemoveButton
                kind="folder"
                key_={address}
                name={folder.name}
                remove={async (form) => {
                  const contents = form.get("contents") === "delete" ? "delete" : "keep";
                  const edited = await home.edits.remove(address, isEmpty ? {} : { contents });
                  navigate("/");
                  return edited;
                }}
              >
                {!isEmpty && (
                  <fieldset class="fields">
                    <legend>{t("folder.contents")}</legend>
                    <label class="check">
                      <input type="radio" name="contents" value="keep" defaultChecked />
                      {t("folder.keep")}
                    </label>
                    <label class="check">
                      <input type="radio" name="contents" value="delete" />
                      {t("folder.delete")}
                    </label>
                  </fieldset>
                )}
              </RemoveButton>
            </div>
          </Card>
        </div>
      )}
    </article>
  );
}
