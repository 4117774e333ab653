/** Every edit of the home, newest first, with what was different, and the way back. */

import type { EditDetail, EditedThing, EditSummary } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { titleText } from "../text/titles.ts";

const PAGE = 30;

export function HistorySection() {
  const home = useHome();
  const { revision } = useStore();
  const act = useAct();
  const [edits, setEdits] = useState<readonly EditSummary[] | null>(null);
  useEffect(() => void act.run(async () => setEdits(await home.edits.history({ limit: PAGE }))), [revision.value]);
  const more = () => {
    const before = edits?.at(-1)?.edit;
    if (before === undefined) return;
    void act.run(async () => setEdits([...(edits ?? []), ...(await home.edits.history({ limit: PAGE, before }))]));
  };
  return (
    <Card title={t("system.history")}>
      <p role="alert">{act.problem}</p>
      {edits?.length === 0 && <p class="empty">{t("history.none")}</p>}
      <ol class="rows">
        {edits?.map((edit) => (
          <EditRow key={edit.edit} edit={edit} />
        ))}
      </ol>
      {edits && edits.length >= PAGE && edits.length % PAGE === 0 && (
        <button type="button" disabled={act.isBusy} onClick={more}>
          {t("more")}
        </button>
      )}
    </Card>
  );
}

function EditRow({ edit }: { edit: EditSummary }) {
  const title = titleText(edit.title);
  const home = useHome();
  const act = useAct();
  const [detail, setDetail] = useState<EditDetail | null>(null);
  const toggle = () => {
    if (detail) setDetail(null);
    else void act.run(async () => setDetail(await home.edits.edit(edit.edit)));
  };
  return (
    <li>
      <span class="main">
        {title}
        <small>
          <time dateTime={edit.at}>{timeText(Date.parse(edit.at))}</time> {edit.by}
        </small>
      </span>
      {edit.undoneBy !== null && <span class="tag">{t("history.undone")}</span>}
      <span class="buttons">
        <button
          type="button"
          aria-expanded={detail !== null}
          aria-label={t("history.detailOf", { title })}
          onClick={toggle}
        >
          {t("history.detail")}
        </button>
        {edit.undoneBy === null && (
          <button
            type="button"
            disabled={act.isBusy}
            aria-label={t("history.undoOf", { title })}
            onClick={() => void act.edit(t("done.undone"), () => home.edits.undo(edit.edit))}
          >
            {t("history.undo")}
          </button>
        )}
      </span>
      <p role="alert">{act.problem}</p>
      {detail && <Detail detail={detail} />}
    </li>
  );
}

function Detail({ detail }: { detail: EditDetail }) {
  return (
    <div class="wide fields">
      {detail.obstacle && <p class="hint">{detail.obstacle}</p>}
      {detail.things.map((thing) => (
        <div key={`${thing.kind} ${thing.key}`}>
          <h3>
            {thing.kind} {thing.key}
          </h3>
          <div class="diff">
            <Side title={t("history.before")} record={thing.before} />
            <Side title={t("history.after")} record={thing.after} />
          </div>
        </div>
      ))}
    </div>
  );
}

function Side({ title, record }: { title: string; record: EditedThing["before"] }) {
  const text =
    record === null ? t("history.absent") : typeof record === "string" ? record : JSON.stringify(record, null, 2);
  return (
    <figure>
      <figcaption class="hint">{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
