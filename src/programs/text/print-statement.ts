/** Conditions and actions as lines of text; the other way is parse-condition.ts and parse-action.ts. */

import type { SceneLink } from "../../home/groups.ts";
import type {
  Action,
  ActionOperand,
  Condition,
  GivenValue,
  SyntaxValue,
  VariableOperand,
  VariableTest,
} from "../../home/program-syntax.ts";
import { hexId } from "../../home/programs.ts";
import type { VariableType } from "../../home/variables.ts";
import type { NameDirectory } from "./directory.ts";
import type { ProgramNames } from "./names.ts";
import { printDecimal, printQuantity, printUnit } from "./quantity.ts";
import { quoted, reference } from "./quoting.ts";
import { roleActionText, roleConditionText } from "./roles.ts";
import { printDays, printSchedule, printSpan } from "./times.ts";
import { COMPARISON_WORDS, CONTROL_WORDS, OPERATOR_WORDS, phraseFor } from "./words.ts";

const INDENT = "    ";

/** A line each; those in parentheses are set in. */
export function conditionLines(conditions: readonly Condition[], names: ProgramNames): readonly string[] {
  return conditions.flatMap((condition, at) => {
    const joined = at === 0 && condition.andOr === "and" ? "" : condition.andOr === "and" ? "And " : "Or ";
    if (condition.kind !== "paren") return [joined + conditionText(condition, names)];
    const inside = conditionLines(condition.conditions, names).map((line) => INDENT + line);
    return [`${joined}(`, ...inside, ")"];
  });
}

/** A line each; what a repeat repeats is set in, up to the next repeat. */
export function actionLines(actions: readonly Action[], names: ProgramNames): readonly string[] {
  let indent = "";
  return actions.map((action) => {
    const isRepeat = action.kind.startsWith("repeat");
    const line = (isRepeat ? "" : indent) + actionText(action, names);
    if (isRepeat) indent = INDENT;
    return line;
  });
}

export function conditionText(condition: Exclude<Condition, { kind: "paren" }>, names: ProgramNames): string {
  switch (condition.kind) {
    case "status": {
      const { node, property, comparison, value } = condition;
      const what = `${named(names.nodes, node)} ${named(names.properties(node), property)}`;
      const shown = givenText(value, () => names.propertyValues(node, property), names);
      return `Status ${what} ${phraseFor(COMPARISON_WORDS, comparison)} ${shown}`;
    }
    case "held": {
      const { node, property, comparison, value, lasting } = condition;
      const what = `${named(names.nodes, node)} ${named(names.properties(node), property)}`;
      const shown = valueText(value, names.propertyValues(node, property));
      return `Status ${what} ${phraseFor(COMPARISON_WORDS, comparison)} ${shown} for ${printSpan(lasting)}`;
    }
    case "control": {
      const { node, command, comparison } = condition;
      const verb = comparison === "IS" ? "is switched" : "is not switched";
      return `Control ${named(names.nodes, node)} ${verb} ${named(names.sends(node), command)}`;
    }
    case "variable":
      return variableTestText(condition, names);
    case "program":
      return `Program ${named(names.programs, hexId(condition.id))} is ${condition.is ? "True" : "False"}`;
    case "schedule":
      return printDays(condition.days) + printSchedule(condition.when, names);
    case "roles":
      return roleConditionText(condition, names);
    case "foreign":
      return `Foreign ${condition.json}`;
  }
}

function actionText(action: Action, names: ProgramNames): string {
  switch (action.kind) {
    case "command": {
      const { node, command, parameters } = action;
      return `Set ${named(names.nodes, node)} ${commandText(node, command, parameters, names)}`;
    }
    case "roles":
      return roleActionText(action, names);
    case "wait":
      return `Wait ${printSpan(action.span)}${randomText(action.random)}`;
    case "repeat-times":
      return `Repeat ${action.times} times${randomText(action.random)}`;
    case "repeat-every":
      return `Repeat every ${printSpan(action.span)}${randomText(action.random)}`;
    case "repeat-while":
      return `Repeat while ${variableTestText(action, names)}`;
    case "variable": {
      const { type, id, operator, operand } = action;
      const verb = phraseFor(OPERATOR_WORDS, operator);
      const values = names.variableValues(type, id);
      return `${variableText(type, id, names)} ${verb} ${operandText(operand, values, names)}`;
    }
    case "program": {
      const [before, behind] = CONTROL_WORDS.find(([, , control]) => control === action.control) ?? ["", ""];
      return `${before} ${named(names.programs, hexId(action.id))} ${behind}`.trimEnd();
    }
    case "resource":
      return `Resource ${named(names.resources, String(action.id))}`;
    case "notify": {
      const content = action.content === null ? "" : ` content ${action.content}`;
      return `Send notification to ${action.recipient}${content}`;
    }
    case "message":
      return `Send notification ${quoted(action.text)} to ${named(names.channels, action.channel)}`;
    case "link": {
      const { group, controller, link } = action;
      return `In scene ${named(names.scenes, group)} of ${named(names.nodes, controller)} ${linkText(link, names)}`;
    }
    case "foreign":
      return `Foreign ${action.json}`;
  }
}

function linkText(link: SceneLink, names: ProgramNames): string {
  const { node } = link;
  const member = named(names.nodes, node);
  switch (link.kind) {
    case "native": {
      const { linkdef, parameters } = link;
      const values = (id: string) => names.linkValues(node, linkdef, id);
      const list = parameterList(parameters, names.linkParameters(node, linkdef), values, names);
      return `link ${member} by ${named(names.linkdefs(node), linkdef)}${list}`;
    }
    case "cmd":
      return `set ${member} ${commandText(node, link.command, link.parameters, names)}`;
    case "default":
      return `reset ${member}`;
    case "ignore":
      return `ignore ${member}`;
  }
}

type Parameters = Extract<Action, { kind: "command" }>["parameters"];

function commandText(node: string, command: string, parameters: Parameters, names: ProgramNames): string {
  const values = (id: string) => names.parameterValues(node, command, id);
  return (
    named(names.accepts(node), command) + parameterList(parameters, names.parameters(node, command), values, names)
  );
}

function parameterList(
  parameters: Parameters,
  known: NameDirectory,
  values: (id: string) => NameDirectory,
  names: ProgramNames,
): string {
  const shown = parameters.map((parameter) => {
    const value = givenText(parameter, () => values(parameter.id), names);
    return parameter.id === "" ? value : `${named(known, parameter.id)} = ${value}`;
  });
  return shown.length === 0 ? "" : ` ${shown.join(", ")}`;
}

function variableTestText({ type, id, comparison, operand }: VariableTest, names: ProgramNames): string {
  const phrase = phraseFor(COMPARISON_WORDS, comparison);
  return `${variableText(type, id, names)} ${phrase} ${operandText(operand, names.variableValues(type, id), names)}`;
}

function variableText(type: VariableType, id: number, names: ProgramNames): string {
  return `${type === 1 ? "Integer" : "State"} variable ${named(names.variables(type), String(id))}`;
}

function operandText(operand: VariableOperand | ActionOperand, values: NameDirectory, names: ProgramNames): string {
  switch (operand.kind) {
    case "value":
      return labelText(printDecimal(operand), values);
    case "variable":
      return variableText(operand.type, operand.id, names);
    case "status": {
      const { node, property, uom } = operand;
      const unit = uom === undefined ? "" : ` in ${printUnit(uom)}`;
      return `Status ${named(names.nodes, node)} ${named(names.properties(node), property)}${unit}`;
    }
    case "system":
      return `System ${operand.value}`;
  }
}

function givenText(given: GivenValue, labels: () => NameDirectory, names: ProgramNames): string {
  if (!("variable" in given)) return valueText(given, labels());
  const { variable, uom } = given;
  const unit = uom === 0 ? "" : ` in ${printUnit(uom)}`;
  return variableText(variable.type, variable.id, names) + unit;
}

function valueText(value: SyntaxValue, labels: NameDirectory): string {
  return labelText(printQuantity(value), labels);
}

/** A value that has a word, with its number behind it. */
function labelText(value: string, labels: NameDirectory): string {
  const label = labels.nameOf(value);
  return label === null ? value : reference(label, value);
}

function named(directory: NameDirectory, id: string): string {
  return reference(directory.nameOf(id), id);
}

function randomText(random: boolean): string {
  return random ? " (random)" : "";
}

/** `'Hall Ceiling' [1A 2B 3C 1]` without the part in brackets. */
export function withoutIds(text: string): string {
  return text.replace(/('(?:[^'\\]|\\[\s\S])*(?:'|\\?$))(?: \[(?:[^\]\\]|\\[\s\S])*(?:\]|\\?$))?/g, "$1");
}
