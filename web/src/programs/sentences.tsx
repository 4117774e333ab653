/** A program as lines for people. A run or non-run is laid over it: conditions with what was found, lines that were reached. */

import { Link } from "wouter-preact";
import { hrefOf } from "../parts/things.ts";
import { useHome } from "../store/context.ts";
import { messageText } from "../text/messages.ts";
import { type TextKey, t } from "../text/text.ts";
import { localLine } from "./local-line.ts";
import { type Clause, conditionPath, type Piece, type ProgramLine, piecesOf, programLines } from "./program-lines.ts";
import type { TraceEntry } from "./trace-entry.ts";

const CLAUSES: readonly Clause[] = ["if", "then", "else"];
const DEEPEST = 4;

export type Mark = {
  readonly sign: string;
  readonly kind: "yes" | "no" | "failed" | "not-reached" | "";
  readonly found: string;
  readonly label: TextKey | null;
};

export const NOTHING: Mark = { sign: "", kind: "", found: "", label: null };

type SentencesProps = {
  readonly text: string;
  readonly run: TraceEntry | null;
  /** Places that a finding is about. */
  readonly marked: ReadonlySet<string>;
};

export function Sentences({ text, run, marked }: SentencesProps) {
  const lines = programLines(text);
  return (
    <ol class="sentences">
      {CLAUSES.map((clause) => {
        const own = lines.filter((line) => line.clause === clause);
        return (
          <>
            <li>
              <span />
              <h3>{t(`clause.${clause}`)}</h3>
            </li>
            {own.length === 0 && (
              <li class="not-reached">
                <span />
                <span>{t(clause === "if" ? "clause.always" : "clause.nothing")}</span>
              </li>
            )}
            {own.map((line) => (
              <Sentence
                key={line.number}
                line={line}
                mark={run ? markOf(line, run) : NOTHING}
                isMarked={line.path !== null && marked.has(line.path)}
              />
            ))}
          </>
        );
      })}
    </ol>
  );
}

function Sentence({ line, mark, isMarked }: { line: ProgramLine; mark: Mark; isMarked: boolean }) {
  return (
    <li class={`${mark.kind} ${isMarked ? "has-finding" : ""}`}>
      <Sign mark={mark} />
      <span class={`in-${Math.min(line.depth, DEEPEST)}`}>
        {piecesOf(localLine(line.text)).map((piece) => (piece.isName ? <Name piece={piece} /> : piece.text))}
      </span>
      <span class="found">{mark.found}</span>
    </li>
  );
}

export function Sign({ mark: { sign, label } }: { mark: Mark }) {
  return (
    <span class="mark">
      {sign && <span aria-hidden="true">{sign}</span>}
      {label && <span class="hidden">{t(label)}</span>}
    </span>
  );
}

/** A name is a link when the page has a place for the thing. */
function Name({ piece: { text, id } }: { piece: Piece }) {
  const home = useHome();
  const kinds = ["node", "group", "program"] as const;
  const href =
    id === null ? null : (kinds.map((kind) => hrefOf(home, kind, id)).find((found) => found !== null) ?? null);
  return href ? <Link href={href}>{text}</Link> : <b>{text}</b>;
}

/** What a run found or did at a path of the tree. */
export function markOf({ clause, path }: Pick<ProgramLine, "clause" | "path">, run: TraceEntry): Mark {
  if (path === null) return NOTHING;
  if (clause === "if") {
    const condition = run.conditions.find((some) => conditionPath(some.path) === path);
    if (!condition) return NOTHING;
    const found = condition.foundText === null ? "" : t("trace.found", { value: condition.foundText });
    return condition.isTrue
      ? { sign: "✓", kind: "yes", found, label: "trace.true" }
      : { sign: "✗", kind: "no", found, label: "trace.false" };
  }
  const statement = run.statements.findLast((some) => `${some.clause}[${some.position}]` === path);
  if (!statement) return { ...NOTHING, kind: "not-reached" };
  if (statement.outcome?.outcome === "failed")
    return {
      sign: "✗",
      kind: "failed",
      found: messageText(statement.outcome.message, statement.outcome.detail),
      label: "trace.failed",
    };
  return { sign: "✓", kind: "yes", found: "", label: "trace.done" };
}
