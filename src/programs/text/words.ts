/** The words of the text form that stand for one thing of the syntax, for both ways. Longer phrases come before shorter ones. */

import type { Comparison, ProgramControl, VariableOperator } from "../../home/program-syntax.ts";

export const COMPARISON_WORDS: readonly (readonly [phrase: string, comparison: Comparison])[] = [
  [">=", "GE"],
  [">", "GT"],
  ["<=", "LE"],
  ["<", "LT"],
  ["is not", "ISNOT"],
  ["is", "IS"],
];

/** How other languages write them. */
export const COMPARISONS_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["=", "is"],
  ["==", "is"],
  ["!=", "is not"],
  ["<>", "is not"],
]);

export const OPERATOR_WORDS: readonly (readonly [phrase: string, operator: VariableOperator])[] = [
  ["+=", "ADD="],
  ["-=", "SUB="],
  ["*=", "MUL="],
  ["/=", "DIV="],
  ["%=", "REM="],
  ["&=", "AND="],
  ["|=", "OR="],
  ["^=", "XOR="],
  ["= random", "RDM="],
  ["=", "EQ"],
  ["init to", "INIT"],
];

/** The words before and behind the program. */
export const CONTROL_WORDS: readonly (readonly [before: string, behind: string, control: ProgramControl])[] = [
  ["Run program", "(If)", "runif"],
  ["Run program", "(Then path)", "runthen"],
  ["Run program", "(Else path)", "runelse"],
  ["Enable program", "", "enable"],
  ["Disable program", "", "disable"],
  ["Stop program", "", "stop"],
  ["Set program", "to run at startup", "rebootrun"],
  ["Set program", "to not run at startup", "rebootnotrun"],
];

/** The phrase for a meaning. */
export function phraseFor<T>(words: readonly (readonly [phrase: string, meaning: T])[], meaning: T): string {
  return words.find(([, each]) => each === meaning)?.[0] ?? "";
}
