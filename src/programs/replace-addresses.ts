/** A program or folder with other addresses in the place of some: for devices that were replaced. */

import type { Action, ActionOperand, Condition, Selector } from "../home/program-syntax.ts";
import type { ProgramEntry } from "../home/programs.ts";

/** @param addresses the old one to the new one. @returns the same entry when it names none of them. */
export function withAddresses(entry: ProgramEntry, addresses: ReadonlyMap<string, string>): ProgramEntry {
  const of = (address: string) => addresses.get(address) ?? address;
  if (entry.kind === "folder") {
    const conditions = entry.conditions.map((each) => inCondition(each, of));
    return isSame(conditions, entry.conditions) ? entry : { ...entry, conditions };
  }
  const { tree } = entry;
  const written = {
    if: tree.if.map((each) => inCondition(each, of)),
    then: tree.then.map((each) => inAction(each, of)),
    else: tree.else.map((each) => inAction(each, of)),
  };
  const isUnchanged = isSame(written.if, tree.if) && isSame(written.then, tree.then) && isSame(written.else, tree.else);
  return isUnchanged ? entry : { ...entry, tree: written };
}

type Of = (address: string) => string;

function inCondition(condition: Condition, of: Of): Condition {
  switch (condition.kind) {
    case "paren": {
      const conditions = condition.conditions.map((each) => inCondition(each, of));
      return isSame(conditions, condition.conditions) ? condition : { ...condition, conditions };
    }
    case "status":
    case "held":
    case "control":
      return of(condition.node) === condition.node ? condition : { ...condition, node: of(condition.node) };
    case "roles": {
      const selector = inSelector(condition.selector, of);
      return selector === condition.selector ? condition : { ...condition, selector };
    }
    default:
      return condition;
  }
}

function inSelector(selector: Selector, of: Of): Selector {
  const except = selector.except.map(of);
  return isSame(except, selector.except) ? selector : { ...selector, except };
}

function inAction(action: Action, of: Of): Action {
  switch (action.kind) {
    case "command":
      return of(action.node) === action.node ? action : { ...action, node: of(action.node) };
    case "roles": {
      const selector = inSelector(action.selector, of);
      return selector === action.selector ? action : { ...action, selector };
    }
    case "link": {
      const [controller, node] = [of(action.controller), of(action.link.node)];
      if (controller === action.controller && node === action.link.node) return action;
      return { ...action, controller, link: { ...action.link, node } };
    }
    case "variable": {
      const operand = inOperand(action.operand, of);
      return operand === action.operand ? action : { ...action, operand };
    }
    default:
      return action;
  }
}

function inOperand(operand: ActionOperand, of: Of): ActionOperand {
  if (operand.kind !== "status" || of(operand.node) === operand.node) return operand;
  return { ...operand, node: of(operand.node) };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((each, at) => each === b[at]);
}
