/** Order and hiding of rooms, for this person only; and new rooms, for all. */

import { ArrowDown, ArrowUp } from "lucide-preact";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { isOwner } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { t } from "../text/text.ts";
import type { Room } from "./rooms.ts";

export function Arrange({ rooms }: { rooms: readonly Room[] }) {
  const { layer } = useStore();
  const hidden = layer.list("hidden");
  const keys = rooms.map(({ key }) => key);
  return (
    <section class="card" aria-label={t("arrange.title")}>
      <p class="hint">{t("arrange.about")}</p>
      {isOwner() && <div class="buttons"><NewFolder /></div>}
      <ul class="rows">
        {rooms.map(({ key, name }, at) => (
          <li key={key}>
            <span class="main">{name}</span>
            <span class="buttons">
              <button type="button" class="icon" disabled={at === 0} aria-label={t("arrange.up", { name })} onClick={() => layer.move(keys, key, -1)}><ArrowUp size={20} aria-hidden /></button>
              <button type="button" class="icon" disabled={at === keys.length - 1} aria-label={t("arrange.down", { name })} onClick={() => layer.move(keys, key, 1)}><ArrowDown size={20} aria-hidden /></button>
              <button type="button" role="switch" class="switch" aria-checked={!hidden.includes(key)} aria-label={t("arrange.show", { name })} onClick={() => layer.toggle("hidden", key)}><span /></button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NewFolder() {
  const home = useHome();
  return (
    <DialogButton label={t("folder.new")}>
      <Ask
        title={t("folder.new")}
        submit={t("create")}
        done={t("done.created")}
        onSubmit={(form) => home.edits.createFolder(String(form.get("name")).trim())}
      >
        <label>
          {t("rename.name")}
          <input name="name" required maxLength={200} />
        </label>
      </Ask>
    </DialogButton>
  );
}
