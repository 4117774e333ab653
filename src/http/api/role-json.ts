/** Conditions and statements by room and role in the interface's JSON, both ways. @see docs/interface/triggers.md */

import {
  type Action,
  COMPARISONS,
  type Condition,
  SYNTAX_LIMITS as MAX,
  ROLE_SUMMARIES,
  type RoleTest,
  type Selector,
} from "../../home/program-syntax.ts";
import { valueNeed } from "../../profile/role-commands.ts";
import {
  MEASURE_NAMES,
  ROLE_WORD_NAMES,
  ROLE_WORDS,
  type RoleCommand,
  type RoleWord,
} from "../../profile/role-words.ts";
import type { StatusWord } from "../../profile/status-words.ts";
import { list } from "../schema.ts";
import type { Part } from "./codec.ts";
import type { Members } from "./located-value.ts";
import { LASTING, VALUE } from "./syntax-codecs.ts";

type RoleCondition = Omit<Extract<Condition, { readonly kind: "roles" }>, "andOr">;
type RoleAction = Extract<Action, { readonly kind: "roles" }>;

const HOW = ["any", "all", "none", "number", ...ROLE_SUMMARIES, "sends"] as const;
const STATES = [...new Set(ROLE_WORD_NAMES.flatMap((word): readonly StatusWord[] => ROLE_WORDS[word].states))];
const COMMANDS = [...new Set(ROLE_WORD_NAMES.flatMap((word): readonly RoleCommand[] => ROLE_WORDS[word].commands))];
const places = {
  in: list({ type: "string" }, { description: "Addresses of folders, with all below them; empty: the whole home." }),
  except: list({ type: "string" }, { description: "Addresses of nodes that are left out." }),
} as const;
const role = { type: "string", enum: ROLE_WORD_NAMES } as const;

export const ROLE_CONDITION: Part<Omit<RoleCondition, "kind">> = {
  required: { how: { type: "string", enum: HOW }, ...places },
  optional: {
    role,
    measure: { type: "string", enum: MEASURE_NAMES },
    is: { type: "string", enum: STATES },
    op: { type: "string", enum: COMPARISONS },
    number: { type: "integer", description: "Of nodes." },
    val: VALUE.schema,
    cmd: { type: "string", description: "A command that the node sends." },
    for: LASTING.schema,
  },
  write: (condition, into) => void Object.assign(into, conditionMembers(condition)),
  read: readCondition,
};
export const ROLE_CONDITION_ABOUT =
  "any, all, none: `role`, `is`, and `for` where it must have been so for that time; number: also `op`, `number`; average, min, max: `measure`, `op`, `val`; sends: `role`, `cmd`, `op`.";

export const ROLE_ACTION: Part<Omit<RoleAction, "kind">> = {
  required: { role, do: { type: "string", enum: COMMANDS }, ...places },
  optional: { val: VALUE.schema },
  write: ({ selector, command, value }, into) => {
    Object.assign(into, { role: selector.role, in: selector.places, except: selector.except, do: command });
    if (value !== null) into.val = VALUE.write(value);
  },
  read: readAction,
};
export const ROLE_ACTION_ABOUT = "A command to all of these nodes that take it. `val`: a level, a set-point.";

function conditionMembers({ selector, test }: Omit<RoleCondition, "kind">) {
  const { places: in_, except } = selector;
  const of = { how: test.how, ...subjectJson(selector), in: in_, except };
  switch (test.how) {
    case "any":
    case "all":
    case "none":
      return { ...of, is: test.is, ...(test.lasting && { for: LASTING.write(test.lasting) }) };
    case "number":
      return { ...of, is: test.is, op: test.comparison, number: test.number };
    case "average":
    case "min":
    case "max":
      return { ...of, op: test.comparison, val: VALUE.write(test.value) };
    case "sends":
      return { ...of, cmd: test.command, op: test.comparison };
  }
}

function subjectJson({ role: word }: Selector) {
  const measure = MEASURE_NAMES.find((each) => each === word);
  return measure === undefined ? { role: word as RoleWord } : { measure };
}

function readCondition(members: Members): Omit<RoleCondition, "kind"> {
  const how = members.get("how").oneOf(HOW);
  switch (how) {
    case "average":
    case "min":
    case "max": {
      const selector = parsePlaces(members, members.get("measure").oneOf(MEASURE_NAMES));
      const comparison = members.get("op").oneOf(COMPARISONS);
      return { selector, test: { how, comparison, value: VALUE.read(members.get("val")) } };
    }
    default: {
      const word = members.get("role").oneOf(ROLE_WORD_NAMES);
      return { selector: parsePlaces(members, word), test: parseTest(members, word, how) };
    }
  }
}

function parseTest(members: Members, word: RoleWord, how: "any" | "all" | "none" | "number" | "sends"): RoleTest {
  if (how === "sends") {
    const comparison = members.get("op").oneOf(["IS", "ISNOT"]);
    return { how, command: members.get("cmd").text(MAX.wordLength), comparison };
  }
  const is = members.get("is").oneOf<StatusWord>(ROLE_WORDS[word].states);
  if (how !== "number") {
    const lasting = members.find("for");
    return { how, is, ...(lasting && { lasting: LASTING.read(lasting) }) };
  }
  const comparison = members.get("op").oneOf(COMPARISONS);
  return { how, is, comparison, number: members.get("number").integer(0, MAX.times) };
}

/** Things that are never commanded all at once are refused. */
function readAction(members: Members): Omit<RoleAction, "kind"> {
  const written = members.get("role");
  const word = written.oneOf(ROLE_WORD_NAMES);
  const commands: readonly RoleCommand[] = ROLE_WORDS[word].commands;
  if (commands.length === 0) throw written.refuse("has to be of things that are commanded all at once");
  const command = members.get("do").oneOf(commands);
  const need = valueNeed(command);
  const given = need === "required" ? members.get("val") : need === "optional" ? members.find("val") : null;
  return { selector: parsePlaces(members, word), command, value: given && VALUE.read(given) };
}

function parsePlaces(members: Members, word: Selector["role"]): Selector {
  const addresses = (name: "in" | "except", max: number) => {
    const listed = members.find(name);
    const all = listed?.list((each) => each.text(MAX.addressLength)) ?? [];
    if (listed && all.length > max) throw listed.refuse(`has to have at most ${max} members`);
    return all;
  };
  return { role: word, places: addresses("in", MAX.places), except: addresses("except", MAX.except) };
}
