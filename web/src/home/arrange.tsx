/** Order and hiding of rooms, for this person only; and new rooms, for all. Rooms are moved by dragging, by keys and by buttons. */

import { ArrowDown, ArrowUp, GripVertical } from "lucide-preact";
import { useRef, useState } from "preact/hooks";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { isOwner } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { t } from "../text/text.ts";
import type { Room } from "./rooms.ts";

export function Arrange({ rooms }: { rooms: readonly Room[] }) {
  const { layer } = useStore();
  const hidden = layer.list("hidden");
  const list = useRef<HTMLUListElement>(null);
  /** While a room is dragged: the order that it would have. */
  const [dragged, setDragged] = useState<{ readonly key: string; readonly keys: readonly string[] } | null>(null);
  const [said, setSaid] = useState("");
  const keys = dragged?.keys ?? rooms.map(({ key }) => key);
  const shown = keys.flatMap((key) => rooms.find((room) => room.key === key) ?? []);
  const place = (key: string, to: number) => {
    if (to < 0 || to >= keys.length) return;
    layer.order(placed(keys, key, to));
    setSaid(
      t("arrange.placed", {
        name: rooms.find((room) => room.key === key)?.name ?? "",
        place: to + 1,
        all: keys.length,
      }),
    );
  };
  const drag = (event: PointerEvent) => {
    if (!dragged) return;
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const to = rows.findIndex(({ bottom }) => event.clientY < bottom);
    setDragged({ ...dragged, keys: placed(dragged.keys, dragged.key, to < 0 ? rows.length - 1 : to) });
  };
  const drop = () => {
    if (dragged) place(dragged.key, dragged.keys.indexOf(dragged.key));
    setDragged(null);
  };
  return (
    <section class="card" aria-label={t("arrange.title")}>
      <p class="hint">{t("arrange.about")}</p>
      {isOwner() && (
        <div class="buttons">
          <NewFolder />
        </div>
      )}
      <p class="hidden" role="status">
        {said}
      </p>
      <ul class="rows arranged" ref={list}>
        {shown.map(({ key, name }, at) => (
          <li key={key} class={dragged?.key === key ? "dragged" : undefined}>
            <button
              type="button"
              class="icon grip"
              aria-label={t("arrange.drag", { name })}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged({ key, keys });
              }}
              onPointerMove={drag}
              onPointerUp={drop}
              onPointerCancel={() => setDragged(null)}
              onKeyDown={(event) => {
                const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
                if (by === 0) return;
                event.preventDefault();
                place(key, at + by);
                // A row that is moved in the list loses the focus.
                const { currentTarget } = event;
                requestAnimationFrame(() => currentTarget.focus());
              }}
            >
              <GripVertical size={20} aria-hidden />
            </button>
            <span class="main">{name}</span>
            <span class="buttons">
              <button
                type="button"
                class="icon"
                disabled={at === 0}
                aria-label={t("arrange.up", { name })}
                onClick={() => place(key, at - 1)}
              >
                <ArrowUp size={20} aria-hidden />
              </button>
              <button
                type="button"
                class="icon"
                disabled={at === keys.length - 1}
                aria-label={t("arrange.down", { name })}
                onClick={() => place(key, at + 1)}
              >
                <ArrowDown size={20} aria-hidden />
              </button>
              <button
                type="button"
                role="switch"
                class="switch"
                aria-checked={!hidden.includes(key)}
                aria-label={t("arrange.show", { name })}
                onClick={() => layer.toggle("hidden", key)}
              >
                <span />
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function placed(keys: readonly string[], key: string, to: number): readonly string[] {
  return keys.filter((other) => other !== key).toSpliced(to, 0, key);
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
