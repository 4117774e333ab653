/** The text of a program in CodeMirror, with a mark on each line that has a finding. */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { Finding } from "@domovoi/client";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../text/text.ts";

type EditorProps = {
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly change: (text: string) => void;
};

export function ProgramEditor({ text, findings, change }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  useEffect(() => {
    // In a shadow root the editor adds its styles as style sheets; in the document it would add inline styles, which the
    // page's Content-Security-Policy forbids.
    const root = (place.current as HTMLDivElement).attachShadow({ mode: "open" });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ "aria-label": t("program.text") }),
          EditorView.updateListener.of((update) => update.docChanged && change(update.state.doc.toString())),
        ],
      }),
    });
    view.current = editor;
    editor.focus();
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, findings)));
  }, [findings]);
  return <div ref={place} class="editor" />;
}

function diagnosticsOf(state: EditorState, findings: EditorProps["findings"]): Diagnostic[] {
  return findings.flatMap(({ line, severity, sentence }) => {
    if (line === null || line < 1 || line > state.doc.lines) return [];
    const { from, to } = state.doc.line(line);
    return [{ from, to, message: sentence, severity: severity === "hint" ? "info" : (severity as "error" | "warning") }];
  });
}
