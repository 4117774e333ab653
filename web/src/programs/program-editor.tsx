/** The text of a program in CodeMirror, with a mark on each line that has a finding. */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../text/text.ts";

type EditorProps = {
  readonly text: string;
  readonly marks: readonly LineMark[];
  readonly change: (text: string) => void;
};

const LOOK = EditorView.theme({
  "&": { fontSize: "14px", color: "var(--text)", backgroundColor: "var(--card)" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-content": { fontFamily: "ui-monospace, monospace", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--quiet)", border: "none" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--text)", borderColor: "var(--line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
});

export type LineMark = {
  readonly line: number;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
};

export function ProgramEditor({ text, marks, change }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  useEffect(() => {
    // In a shadow root the editor adds its styles as style sheets. In the document it would add inline styles, which
    // the page's Content-Security-Policy forbids.
    const root = (place.current as HTMLDivElement).attachShadow({ mode: "open" });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [
          LOOK,
          lineNumbers(),
          lintGutter(),
          history(),
          bracketMatching(),
          EditorView.lineWrapping,
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
    if (!editor) return;
    const diagnostics = marks
      .filter(({ line }) => line >= 1 && line <= editor.state.doc.lines)
      .map(({ line, severity, message }) => {
        const { from, to } = editor.state.doc.line(line);
        return { from, to, severity, message };
      });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [marks]);
  return <div ref={place} class="editor" />;
}
