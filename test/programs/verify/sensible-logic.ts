/** Programs as owners write them, with nothing wrong: variables, programs that run programs, dates. */

import {
  assign,
  at,
  between,
  clockTime,
  dimTo,
  doesNotSend,
  isOn,
  programIs,
  runThen,
  sends,
  sunTime,
  tell,
  variableIs,
  wait,
} from "../../../src/demo/program-words.ts";
import {
  BEDSIDE,
  BUTTON,
  type CaseProgram,
  COUNTER,
  compare,
  control,
  copy,
  DESK,
  DOOR,
  every,
  FLOOR,
  group,
  HALL,
  KEYPAD,
  level,
  MOTION,
  notify,
  onDate,
  or,
  P0,
  P1,
  P2,
  PORCH,
  times,
  whileIs,
} from "./case-words.ts";

export const SENSIBLE_LOGIC: Readonly<Record<string, readonly CaseProgram[]>> = {
  "a folder that is as its latest evaluation left it, whatever its integer variable is since": [
    {
      gate: [variableIs(2, 9, "IS", 1), variableIs(1, 9, "LT", 2)],
      if: [sends(KEYPAD, "DON"), variableIs(1, 9, "IS", 2)],
      then: [notify],
    },
  ],
  "a button whose Then asks the conditions once more, which nobody presses by then": [
    {
      if: [sends(KEYPAD, "DON")],
      then: [dimTo(HALL, 50), wait(5), control(P0, "runif")],
      else: [tell(HALL, "DOF")],
    },
  ],
  "a state machine of three states": [
    { if: [variableIs(2, 9, "IS", 1), sends(KEYPAD, "DON")], then: [assign(2, 9, "EQ", 2)] },
    { if: [variableIs(2, 9, "IS", 2), sends(KEYPAD, "DFON")], then: [assign(2, 9, "EQ", 3)] },
    { if: [variableIs(2, 9, "IS", 3), sends(KEYPAD, "DOF")], then: [assign(2, 9, "EQ", 1)] },
  ],
  "a state leads on by itself, to its end": [
    { if: [variableIs(2, 9, "IS", 1)], then: [wait(5), assign(2, 9, "EQ", 2)] },
    { if: [variableIs(2, 9, "IS", 2)], then: [wait(5), assign(2, 9, "EQ", 3)] },
    { if: [variableIs(2, 9, "IS", 3)], then: [assign(2, 9, "EQ", 0)] },
  ],
  "a flag is taken down by the one that acts on it": [
    { if: [variableIs(2, 7, "IS", 1)], then: [notify, assign(2, 7, "EQ", 0)] },
  ],
  "counts down to zero": [{ if: [variableIs(2, 4, "GT", 0)], then: [wait(1), assign(2, 4, "SUB=", 1)] }],
  "counts quickly to ten": [
    { if: [variableIs(2, 4, "GT", 0), variableIs(2, 4, "LT", 10)], then: [assign(2, 4, "ADD=", 1)] },
  ],
  "a button pressed three times": [
    { if: [sends(BUTTON, "DON")], then: [assign(1, 8, "ADD=", 1), control(P1, "runthen"), control(P2, "runif")] },
    { then: [wait(0, 5), assign(1, 8, "EQ", 0)] },
    { if: [variableIs(1, 8, "GE", 3)], then: [tell(HALL, "DON")] },
  ],
  "a toggle by the state of the lamp": [
    { if: [sends(BUTTON, "DON")], then: [control(P1, "runif")] },
    { if: [level(DESK, "GT", 0)], then: [], else: [] },
  ],
  "a self call that a condition ends": [
    {
      if: [variableIs(2, 6, "IS", 1)],
      then: [tell(DESK, "DON"), wait(0, 5), tell(DESK, "DOF"), wait(0, 5), control(P0, "runif")],
    },
  ],
  "a program stops another": [
    { then: [wait(30), tell(FLOOR, "DOF")] },
    { if: [sends(FLOOR, "DON")], then: [runThen(P0)] },
    { if: [sends(FLOOR, "DOF")], then: [control(P0, "stop")] },
  ],
  "a program that is not disturbed while it runs": [
    {
      if: [variableIs(2, 4, "GT", 0)],
      then: [
        control(P0, "disable"),
        assign(2, 4, "EQ", 0),
        tell(HALL, "DON"),
        wait(5),
        tell(HALL, "DOF"),
        control(P0, "enable"),
      ],
    },
  ],
  "the status of a program as a memory": [
    { if: [sends(DOOR, "DON")], then: [wait(10)], else: [] },
    { if: [sends(MOTION, "DON"), programIs(P0, true)], then: [tell(HALL, "DON")] },
  ],
  "a program begins when another is true": [
    { if: [between(sunTime("sunset"), clockTime(23))] },
    { if: [programIs(P0, true), isOn(MOTION)], then: [tell(PORCH, "DON")], else: [tell(PORCH, "DOF")] },
  ],
  "the larger of two variables": [
    { if: [compare([2, 3], "GT", [2, 8])], then: [copy([1, 6], "EQ", [2, 3])], else: [copy([1, 6], "EQ", [2, 8])] },
  ],
  "a mean of readings": [{ if: [at(clockTime(12))], then: [copy([1, 6], "ADD=", [2, 3]), assign(1, 6, "DIV=", 2)] }],
  "a random level": [{ if: [at(sunTime("sunset"))], then: [assign(1, 8, "RDM=", 60), assign(1, 8, "ADD=", 20)] }],
  "days in a row of dates": [
    {
      if: [between(onDate(clockTime(16), "2026/12/01"), onDate(clockTime(23), "2027/01/06"))],
      then: [tell(PORCH, "DON")],
      else: [tell(PORCH, "DOF")],
    },
  ],
  "a day that is far ahead": [{ if: [at(onDate(clockTime(8), "2031/02/28"))], then: [notify] }],
  "a day that is far ahead, whose Then asks the conditions once more": [
    { if: [at(onDate(clockTime(8), "2031/02/28"))], then: [control(P0, "runif")] },
  ],
  "the dice are thrown until there is nothing": [
    { if: [variableIs(2, 9, "GT", 0)], then: [assign(2, 9, "RDM=", 5), control(P0, "runif")] },
  ],
  "a leap day": [{ if: [at(onDate(clockTime(8), "2028/02/29"))], then: [notify] }],
  "every other condition in parentheses": [
    {
      if: [
        group(sends(DOOR, "DON"), or(sends(MOTION, "DON"))),
        group(variableIs(2, 1, "IS", 1), or(variableIs(2, 5, "IS", 1))),
      ],
      then: [notify],
    },
  ],
  "values of a row, apart": [
    { if: [variableIs(2, 9, "GE", 1), variableIs(2, 9, "LT", 4)], then: [dimTo(HALL, 20)] },
    { if: [variableIs(2, 9, "GE", 4), variableIs(2, 9, "LE", 6)], then: [dimTo(HALL, 50)] },
  ],
  "a repeat that a variable ends": [
    {
      if: [sends(BUTTON, "DON")],
      then: [assign(1, 8, "EQ", 5), whileIs(1, 8, "GT", 0), tell(DESK, "BRT"), assign(1, 8, "SUB=", 1), wait(0, 1)],
      else: [],
    },
  ],
  "a repeat that is not over as long as its own conditions hold": [
    {
      if: [variableIs(2, 7, "IS", 1)],
      then: [whileIs(2, 7, "IS", 1), tell(DESK, "BRT"), wait(0, 1), times(1), assign(2, 7, "EQ", 0), wait(5), notify],
    },
  ],
  "two repeats, one after the other": [
    {
      if: [sends(BUTTON, "DFON")],
      then: [
        { kind: "repeat-times", times: 3, random: false },
        tell(BEDSIDE, "DON"),
        wait(0, 1),
        tell(BEDSIDE, "DOF"),
        wait(0, 1),
        { kind: "repeat-times", times: 1, random: false },
        dimTo(BEDSIDE, 30),
      ],
    },
  ],
  "a clock that ticks for ever": [{ runAtStartup: true, then: [every(5), assign(1, 7, "ADD=", 1)] }],
  "a program that is disabled": [{ if: [sends(BUTTON, "DOF")], then: [tell(COUNTER, "DOF")], enabled: false }],
  "a program that another enables": [
    { if: [sends(MOTION, "DON")], then: [notify], enabled: false },
    { if: [variableIs(2, 1, "IS", 1)], then: [control(P0, "enable")], else: [control(P0, "disable")] },
  ],
  "an integer variable beside an event": [
    { if: [sends(DOOR, "DON"), variableIs(1, 1, "GE", 100)], then: [notify, assign(1, 1, "EQ", 0)] },
  ],
  "a folder that a button opens and closes": [
    { if: [isOn(MOTION)], then: [dimTo(HALL, 30)], gate: [sends(KEYPAD, "DON"), doesNotSend(KEYPAD, "DOF")] },
  ],
  "a folder that opens at a moment": [
    { if: [isOn(MOTION)], then: [dimTo(HALL, 30)], gate: [at(clockTime(7)), variableIs(2, 1, "IS", 0)] },
  ],
  "a subroutine on integer variables": [
    { if: [variableIs(1, 1, "GT", 10)], then: [notify], else: [assign(1, 1, "ADD=", 1)] },
    { if: [sends(DOOR, "DON")], then: [control(P0, "runif")] },
  ],
};
