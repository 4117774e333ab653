/** A program as lines for people. A run or non-run is laid over it: conditions with what was found, lines that were reached. */

import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { hrefOf } from "../parts/things.ts";
import { useHome, useStore } from "../store/context.ts";
import { t } from "../text/text.ts";
import { localLine } from "./local-line.ts";
import type { Mark } from "./marks.ts";
import { type Clause, type Piece, type ProgramLine, piecesOf, programLines } from "./program-lines.ts";

const CLAUSES: readonly Clause[] = ["if", "then", "else"];
const DEEPEST = 4;
const SECOND_MS = 1000;

type SentencesProps = {
  readonly text: string;
  /** What stands beside a line. */
  readonly markOf: (line: ProgramLine) => Mark;
  /** Places that a finding is about. */
  readonly marked: ReadonlySet<string>;
};

export function Sentences({ text, markOf, marked }: SentencesProps) {
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
                mark={markOf(line)}
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
      <span class="found">{mark.untilMs ? <Countdown untilMs={mark.untilMs} /> : mark.found}</span>
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

/** How long a wait still takes: `4:59`. */
function Countdown({ untilMs }: { untilMs: number }) {
  const store = useStore();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{t("program.left", { time: clockSpan(untilMs - store.nowMs()) })}</>;
}

function clockSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND_MS));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (parts[0] === 0 ? parts.slice(1) : parts)
    .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0")))
    .join(":");
}

/** A name is a link when the page has a place for the thing. */
function Name({ piece: { text, id } }: { piece: Piece }) {
  const home = useHome();
  const kinds = ["node", "group", "program"] as const;
  const href =
    id === null ? null : (kinds.map((kind) => hrefOf(home, kind, id)).find((found) => found !== null) ?? null);
  return href ? <Link href={href}>{text}</Link> : <b>{text}</b>;
}
