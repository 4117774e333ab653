/**
 * How the members of a program's JSON are spelled in the XML of older clients: one row for each kind of condition and action. A
 * new kind is a row here.
 */

import { PROGRAM_CONTROLS, WEEKDAYS } from "../../home/program-syntax.ts";
import {
  anything,
  attribute,
  child,
  each,
  element,
  flag,
  inside,
  Misspelled,
  mapped,
  type Spelling,
  whole,
  word,
} from "./xml-spelling.ts";

const VALUE = element({ uom: attribute(whole), prec: attribute(whole), value: inside(whole) });
const VARIABLE = element({ id: attribute(whole), type: attribute(word), uom: attribute(whole) });
const SPAN = { hours: child(whole), minutes: child(whole), seconds: child(whole) };
const RANDOM_SPAN = { ...SPAN, random: child(flag) };
const STATUS = {
  id: attribute(word),
  node: attribute(word),
  op: attribute(word),
  val: child(VALUE),
  var: child(VARIABLE),
};
const VARIABLE_PART = {
  id: attribute(whole),
  varType: attribute(word, "type"),
  op: child(word),
  val: child(VALUE),
  var: child(VARIABLE),
};
/** The unnamed parameter is empty here. */
const PARAMETER_NAME = {
  toText: (value: unknown) => (value === "n/a" ? "" : word.toText(value)),
  ofText: (text: string) => (text === "" ? "n/a" : text),
};
const PARAMETERS = each(element({ id: attribute(PARAMETER_NAME), val: child(VALUE), var: child(VARIABLE) }), "p");

/** In JSON the time has a type; in XML its element has that name. */
const TIME = mapped(
  element({
    time: child(whole),
    sunrise: child(whole),
    sunset: child(whole),
    lastruntime: child(element({ refid: child(whole), seconds: child(whole), daily: child(flag) })),
    date: child(word),
    day: child(whole),
  }),
  ({ type, time, offsetSec, refid, daily, date, offsetDays }) => ({
    ...(type === "time" && { time }),
    ...((type === "sunrise" || type === "sunset") && { [type]: offsetSec }),
    ...(type === "lastruntime" && { lastruntime: { refid, seconds: offsetSec, ...(daily === true && { daily }) } }),
    ...(date !== undefined && { date }),
    ...(offsetDays !== undefined && { day: offsetDays }),
  }),
  ({ date, day, ...kinds }) => {
    const [[type, given] = ["", null], another] = Object.entries(kinds);
    if (type === "" || another) {
      throw new Misspelled("structure", "needs one of <time>, <sunrise>, <sunset>, <lastruntime>");
    }
    const { seconds, ...lastRun } = type === "lastruntime" ? (given as Record<string, unknown>) : {};
    return {
      type,
      ...(type === "time"
        ? { time: given }
        : { offsetSec: type === "lastruntime" ? (seconds ?? 0) : given, ...lastRun }),
      ...(date !== undefined && { date }),
      ...(day !== undefined && { offsetDays: day }),
    };
  },
);

/** In JSON a command of a link is an object of its own, and the parameters of a native one have another name. */
const SCENE_LINK = mapped(
  element({
    group: attribute(word),
    ctl: child(
      element({
        id: attribute(word),
        rsp: child(
          element({
            link: child(
              element({
                cmd: attribute(word),
                node: attribute(word),
                type: attribute(word),
                linkdef: attribute(word),
                p: PARAMETERS,
              }),
            ),
          }),
        ),
      }),
    ),
  }),
  ({ group, ctlId, rsp }) => {
    const { type, node, linkdef, params, cmd } = rsp as Record<string, unknown>;
    const { cmdId, p = params } = (cmd ?? {}) as Record<string, unknown>;
    const link = {
      ...(cmdId !== undefined && { cmd: cmdId }),
      node,
      type,
      ...(linkdef !== undefined && { linkdef }),
      ...(p !== undefined && { p }),
    };
    return { group, ctl: { id: ctlId, rsp: { link } } };
  },
  ({ group, ctl }) => {
    const { id, rsp } = (ctl ?? {}) as Record<string, unknown>;
    const { link } = (rsp ?? {}) as Record<string, unknown>;
    const { type, node, linkdef, cmd, p = [] } = (link ?? {}) as Record<string, unknown>;
    const content = type === "cmd" ? { cmd: { cmdId: cmd, p } } : type === "native" ? { linkdef, params: p } : {};
    return { group, ctlId: id, rsp: { type, node, ...content } };
  },
);

const ROLES = {
  how: attribute(word),
  role: attribute(word),
  measure: attribute(word),
  is: attribute(word),
  do: attribute(word),
  op: attribute(word),
  cmd: attribute(word),
  number: attribute(whole),
  in: each(word),
  except: each(word),
  val: child(VALUE),
  for: child(element(SPAN)),
};
const X10 = element({ hc: child(word), uc: child(whole), cc: child(whole), op: child(word) });

/** By the `type` of the JSON, which is the name of the element. Parentheses are read and written apart. */
export const CONDITION_ELEMENTS: Readonly<Record<string, Spelling>> = {
  status: element(STATUS),
  held: element({ ...STATUS, for: child(element(SPAN)) }),
  control: element({ id: attribute(word), node: attribute(word), op: attribute(word) }),
  var: element(VARIABLE_PART),
  triggerref: mapped(
    element({ refid: child(whole), true: child(flag), false: child(flag) }),
    ({ refid, is }) => ({ refid, [String(is)]: true }),
    ({ refid, true: isTrue, false: isFalse }) => {
      if (isTrue === isFalse) throw new Misspelled("structure", "needs one of <true />, <false />");
      return { ...(refid !== undefined && { refid }), is: isTrue === true };
    },
  ),
  schedule: element({
    daysofweek: child(element(Object.fromEntries(WEEKDAYS.map((day) => [day, child(flag)])))),
    at: child(TIME),
    from: child(TIME),
    to: child(TIME),
    for: child(element(SPAN)),
  }),
  roles: element(ROLES),
  x10: X10,
  inet: anything,
  ir: element({ code: child(whole), op: child(word), control: child(word) }),
  unread: anything,
};

export const ACTION_ELEMENTS: Readonly<Record<string, Spelling>> = {
  cmd: element({ id: attribute(word), node: attribute(word), p: PARAMETERS }),
  roles: element(ROLES),
  wait: element(RANDOM_SPAN),
  repeat: element({
    for: child(element({ times: child(whole), random: child(flag) })),
    every: child(element(RANDOM_SPAN)),
    while: child(element({ var: child(element(VARIABLE_PART)) })),
  }),
  var: element({
    ...VARIABLE_PART,
    status: child(element({ id: attribute(word), node: attribute(word), uom: attribute(whole) })),
    sysval: child(element({ id: attribute(whole) })),
  }),
  ...Object.fromEntries(PROGRAM_CONTROLS.map((control) => [control, element({ id: inside(whole) })])),
  // Six is "run a network resource"; no other command of this element is known.
  net: element({ id: child(whole, "parm") }, { fixed: { cmd: "6" } }),
  notify: element({ recipient: inside(whole), content: attribute(whole), to: attribute(word), text: child(word) }),
  lp: SCENE_LINK,
  device: element({ group: child(word), node: child(word), control: child(word), action: child(word) }),
  sys: anything,
  x10: X10,
  unread: anything,
};
