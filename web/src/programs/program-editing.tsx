/**
 * A program while it is edited, as blocks or as text: verified all the while. Saving is never blocked by findings; text that is no
 * program is refused.
 */

import type { Program } from "@domovoi/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { messageText } from "../text/messages.ts";
import { loadTextsOf, t } from "../text/text.ts";
import { Findings } from "./findings.tsx";
import { forgetDraft } from "./kept-draft.ts";
import type { LineMark } from "./program-editor.tsx";
import { programLines } from "./program-lines.ts";
import type { TraceEntry } from "./trace-entry.ts";
import { type Draft, type ProgramText, useDraft } from "./use-draft.ts";

const editor = () => import("./program-editor.tsx").then((module) => module.ProgramEditor);

const blocks = () =>
  Promise.all([import("./blocks/blocks.tsx"), loadTextsOf("blocks")]).then(([module]) => module.Blocks);

const whatIf = () => import("./what-if.tsx").then((module) => module.WhatIf);

type EditingProps = {
  readonly program: Program;
  readonly stored: ProgramText;
  /** Laid over the blocks. */
  readonly run: TraceEntry | null;
  /** @param saved as it is stored now; null: nothing was saved */
  readonly onEnd: (saved: ProgramText | null) => void;
};

export function ProgramEditing({ program, stored, run, onEnd }: EditingProps) {
  const home = useHome();
  const act = useAct();
  const draft = useDraft(program, stored);
  const [wanted, setWanted] = useState<"blocks" | "text">("blocks");
  const view = draft.whole === null && draft.refused !== "" ? "text" : wanted;
  const { findings, refused, text, version, isChanged } = draft;
  const end = (saved: ProgramText | null) => {
    forgetDraft();
    onEnd(saved);
  };
  const save = async () => {
    let saved: ProgramText | null = null;
    const isSaved = await act.edit(t("done.saved"), async () => {
      const body = { text: await draft.finalText(), version };
      const answer = await home.request("PUT", `/api/programs/${program.id}/text`, body);
      saved = answer.data as ProgramText;
      return answer;
    });
    if (isSaved) end(saved);
  };
  return (
    <Card title={t("edit")} actions={<ViewButtons view={view} choose={setWanted} draft={draft} />}>
      {view === "text" ? (
        <>
          {draft.isTextOld ? (
            <p class="starting">{t("starting")}</p>
          ) : (
            <Lazy load={editor} text={text} marks={marksOf(text, draft)} change={draft.setText} />
          )}
          <Findings findings={findings} text={text} />
        </>
      ) : (
        <Lazy load={blocks} draft={draft} run={run} />
      )}
      <p role="status" class="problem">
        {refused}
      </p>
      {refused !== "" && draft.whole === null && <p class="hint">{t("program.needsText")}</p>}
      <p role="alert" class="problem">
        {act.problem}
      </p>
      <div class="buttons end">
        <button type="button" onClick={() => end(null)}>
          {t(isChanged ? "program.discard" : "close")}
        </button>
        <button type="button" class="primary" disabled={act.isBusy} onClick={() => void save()}>
          {t("save")}
        </button>
      </div>
      <Lazy load={whatIf} program={program} text={text} />
    </Card>
  );
}

type ViewProps = {
  readonly view: "blocks" | "text";
  readonly choose: (view: "blocks" | "text") => void;
  readonly draft: Draft;
};

function ViewButtons({ view, choose, draft }: ViewProps) {
  const isWrong = draft.whole === null && draft.refused !== "";
  const first = useRef<HTMLButtonElement>(null);
  // The button that opened the editor is gone, and the keyboard's focus with it.
  useEffect(() => first.current?.focus({ preventScroll: true }), []);
  return (
    <fieldset class="buttons" aria-label={t("program.view")}>
      <button
        type="button"
        ref={first}
        aria-pressed={view === "blocks"}
        disabled={isWrong}
        onClick={() => choose("blocks")}
      >
        {t("program.blocks")}
      </button>
      <button type="button" aria-pressed={view === "text"} onClick={() => choose("text")}>
        {t("program.text")}
      </button>
    </fieldset>
  );
}

/** Findings name a place of the tree, refusals a line and a column. */
function marksOf(text: string, { findings, refused }: Pick<Draft, "findings" | "refused">): readonly LineMark[] {
  const lines = programLines(text);
  const found = findings.map(
    ({ path, severity, sentence, message }): LineMark => ({
      line: lines.find((some) => some.path === path)?.number ?? 1,
      severity: severity === "error" ? "error" : severity === "hint" ? "info" : "warning",
      message: messageText(message, sentence),
    }),
  );
  const wrong = Array.from(
    refused.matchAll(/^.*?\b(\d+)\D+(\d+): (.*)$/gm),
    ([, line = "1", , message = ""]): LineMark => ({
      line: Number(line),
      severity: "error",
      message,
    }),
  );
  return [...found, ...wrong];
}
