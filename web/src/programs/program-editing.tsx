/** A program's text while it is edited: verified while somebody types. Saving is never blocked by findings; text that is no program is refused. */

import type { Finding, Program } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Card } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";
import { Findings } from "./findings.tsx";
import type { ProgramText } from "./program-detail.tsx";
import { programLines } from "./program-lines.ts";

const editor = () => import("./program-editor.tsx").then((module) => module.ProgramEditor);

const whatIf = () => import("./what-if.tsx").then((module) => module.WhatIf);

const VERIFY_AFTER_MS = 350;

export type LineMark = { readonly line: number; readonly severity: "error" | "warning" | "info"; readonly message: string };

type Verified = { readonly findings: readonly Finding[]; readonly refused: string };

export function ProgramEditing({ program, stored, onEnd }: { program: Program; stored: ProgramText; onEnd: () => void }) {
  const home = useHome();
  const act = useAct();
  const [draft, setDraft] = useState(stored.text);
  const [verified, setVerified] = useState<Verified>({ findings: [], refused: "" });
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      void verify(home.request, draft).then((next) => isOver || setVerified(next));
    }, VERIFY_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [draft]);
  const save = () =>
    act.edit(t("done.saved"), () => home.request("PUT", `/api/programs/${program.id}/text`, { text: draft, version: stored.version }));
  const isChanged = draft !== stored.text;
  return (
    <Card title={t("program.text")}>
      <Lazy load={editor} text={stored.text} marks={marksOf(draft, verified)} change={setDraft} />
      <p role="status" class="problem">{verified.refused}</p>
      <Findings findings={verified.findings} text={draft} />
      <p role="alert" class="problem">{act.problem}</p>
      <div class="buttons end">
        <button type="button" onClick={onEnd}>{t(isChanged ? "program.discard" : "close")}</button>
        <button type="button" class="primary" disabled={act.isBusy} onClick={async () => (await save()) && onEnd()}>{t("save")}</button>
      </div>
      <Lazy load={whatIf} program={program} text={draft} />
    </Card>
  );
}

/** The whole answers of the controller: the client's method leaves out the chains. */
type Request = ReturnType<typeof useHome>["request"];

async function verify(request: Request, text: string): Promise<Verified> {
  try {
    const { data } = await request("POST", "/api/programs/verify", { text });
    return { findings: (data as { readonly findings: readonly Finding[] }).findings, refused: "" };
  } catch (error) {
    return { findings: [], refused: (error as Error).message };
  }
}

/** Findings name a place of the tree, refusals a line and a column. */
function marksOf(text: string, { findings, refused }: Verified): readonly LineMark[] {
  const lines = programLines(text);
  const found = findings.map(({ path, severity, sentence }): LineMark => ({
    line: lines.find((some) => some.path === path)?.number ?? 1,
    severity: severity === "error" ? "error" : severity === "hint" ? "info" : "warning",
    message: sentence,
  }));
  const wrong = Array.from(refused.matchAll(/^.*?\b(\d+)\D+(\d+): (.*)$/gm), ([, line = "1", , message = ""]): LineMark => ({
    line: Number(line),
    severity: "error",
    message,
  }));
  return [...found, ...wrong];
}
