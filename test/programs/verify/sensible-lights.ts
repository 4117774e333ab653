/** Programs as owners write them, with nothing wrong: lights, paddles, scenes. */

import {
  assign,
  at,
  between,
  clockTime,
  dimTo,
  doesNotSend,
  isOn,
  OR,
  runThen,
  sends,
  sunTime,
  tell,
  variableIs,
  WORKDAYS,
  wait,
} from "../../../src/demo/program-words.ts";
import {
  ALL_OFF,
  BATH,
  BATH_MOTION,
  BEDROOM,
  BEDSIDE,
  BUTTON,
  type CaseProgram,
  COFFEE,
  COUNTER,
  control,
  copyStatus,
  DESK,
  DOOR,
  DUSK,
  EVENING_SCENE,
  every,
  FLOOR,
  GARAGE,
  group,
  HALL,
  KEYPAD,
  KITCHEN,
  LEVEL,
  level,
  MIRROR,
  MOTION,
  MOVIE_SCENE,
  OFF_ON,
  or,
  P0,
  P1,
  PERCENT,
  PORCH,
  READING,
  status,
  times,
  whileIs,
} from "./case-words.ts";

export const SENSIBLE_LIGHTS: Readonly<Record<string, readonly CaseProgram[]>> = {
  "a lamp that keeps its level when it is switched on once more": [
    {
      if: [sends(KEYPAD, "DOF"), status(READING, "ST", "IS", 0, PERCENT)],
      then: [tell(HALL, "DOF")],
      else: [tell(READING, "DON"), tell(EVENING_SCENE, "DON")],
    },
  ],
  "a lamp follows motion and goes off later": [
    { if: [sends(MOTION, "DON")], then: [dimTo(HALL, 60), wait(5), tell(HALL, "DOF")] },
  ],
  "a lamp goes off when motion ends": [
    { if: [level(MOTION, "GT", 0)], then: [tell(HALL, "DON")], else: [wait(5), tell(HALL, "DOF")] },
  ],
  "a lamp turns itself off after a while": [{ if: [isOn(BATH)], then: [wait(20), tell(BATH, "DOF")] }],
  "a lamp turns itself off after a while, by a condition in percent": [
    { if: [status(COUNTER, "ST", "GT", 0, PERCENT)], then: [wait(20), tell(COUNTER, "DOF")] },
  ],
  "motion at night dims, by day not": [
    { if: [sends(MOTION, "DON"), variableIs(2, 2, "IS", 1)], then: [dimTo(HALL, 10), wait(2), tell(HALL, "DOF")] },
    { if: [sends(MOTION, "DON"), variableIs(2, 2, "IS", 0)], then: [dimTo(HALL, 80), wait(5), tell(HALL, "DOF")] },
  ],
  "motion is looked at while it is dark": [
    { if: [sends(MOTION, "DON"), isOn(DUSK)], then: [tell(HALL, "DON"), wait(5), tell(HALL, "DOF")] },
  ],
  "motion by time of day": [
    { if: [sends(MOTION, "DON"), between(sunTime("sunset"), sunTime("sunrise"))], then: [dimTo(HALL, 30)] },
    { if: [sends(MOTION, "DON"), between(sunTime("sunrise"), sunTime("sunset"))], then: [tell(HALL, "DON")] },
  ],
  "a porch light from dusk until late": [
    {
      if: [between(sunTime("sunset", 15), clockTime(23, 30))],
      then: [tell(PORCH, "DON")],
      else: [tell(PORCH, "DOF")],
    },
  ],
  "a porch light all night": [
    {
      if: [between(sunTime("sunset"), sunTime("sunrise"))],
      then: [tell(PORCH, "DON")],
      else: [tell(PORCH, "DOF")],
    },
  ],
  "a porch light until sunrise of the next day": [
    {
      if: [between(sunTime("sunset", -20), { ...sunTime("sunrise", 10), offsetDays: 1 })],
      then: [tell(PORCH, "DON")],
      else: [tell(PORCH, "DOF")],
    },
  ],
  "two lamps in two windows that follow one another": [
    { if: [between(clockTime(18), clockTime(21))], then: [tell(KITCHEN, "DON")], else: [tell(KITCHEN, "DOF")] },
    { if: [between(clockTime(21), clockTime(23))], then: [tell(HALL, "DON")], else: [tell(HALL, "DOF")] },
  ],
  "a morning light on workdays": [
    { if: [at(clockTime(6, 30), WORKDAYS)], then: [dimTo(MIRROR, 70), wait(45), tell(MIRROR, "DOF")] },
  ],
  "another time at the weekend": [
    { if: [at(clockTime(6, 30), WORKDAYS)], then: [dimTo(MIRROR, 70)] },
    { if: [at(clockTime(8, 30), ["sat", "sun"])], then: [dimTo(MIRROR, 50)] },
    { if: [at(clockTime(6, 30), ["sat", "sun"])], then: [tell(MIRROR, "DOF")] },
  ],
  "a double tap": [{ if: [sends(HALL, "DFON")], then: [tell(EVENING_SCENE, "DON")] }],
  "a double tap off turns everything off": [{ if: [sends(HALL, "DFOF")], then: [tell(ALL_OFF, "DON")] }],
  "a paddle that another one follows": [
    { if: [sends(HALL, "DON"), doesNotSend(HALL, "DOF")], then: [tell(DESK, "DON")], else: [tell(DESK, "DOF")] },
  ],
  "two lamps that follow one another": [
    { if: [isOn(KITCHEN)], then: [tell(BATH, "DON")], else: [tell(BATH, "DOF")] },
    { if: [isOn(BATH)], then: [tell(KITCHEN, "DON")], else: [tell(KITCHEN, "DOF")] },
  ],
  "two dimmers that switch one another on at their own levels": [
    { if: [isOn(COUNTER)], then: [dimTo(FLOOR, 40)] },
    { if: [isOn(FLOOR)], then: [dimTo(COUNTER, 70)] },
  ],
  "a keypad button begins a scene": [
    { if: [sends(BUTTON, "DON"), or(sends(KEYPAD, "DFON"))], then: [tell(MOVIE_SCENE, "DON")] },
  ],
  "a lamp is held at most at a level": [{ if: [level(FLOOR, "GT", 200)], then: [dimTo(FLOOR, 70)] }],
  "a lamp is dimmed while it is too bright": [{ if: [level(FLOOR, "GT", 230)], then: [tell(FLOOR, "DIM")] }],
  "a stairway: dim first, then off": [
    { if: [sends(MOTION, "DON")], then: [tell(HALL, "DON"), wait(3), dimTo(HALL, 20), wait(1), tell(HALL, "DOF")] },
  ],
  "blinks three times": [
    {
      if: [sends(DOOR, "DON")],
      then: [times(3), tell(DESK, "DON"), wait(0, 1), tell(DESK, "DOF"), wait(0, 1)],
    },
  ],
  "blinks while a variable is set": [
    {
      if: [variableIs(2, 6, "IS", 1)],
      then: [every(0, 4), tell(DESK, "DON"), wait(0, 2), tell(DESK, "DOF")],
      else: [tell(DESK, "DOF")],
    },
  ],
  "brightens slowly in the morning": [
    {
      if: [at(clockTime(6))],
      then: [assign(1, 8, "EQ", 0), whileIs(1, 8, "LT", 20), tell(BEDROOM, "BRT"), assign(1, 8, "ADD=", 1), wait(1)],
    },
  ],
  "lamps come and go while nobody is there": [
    {
      if: [variableIs(2, 1, "IS", 1), between(sunTime("sunset"), clockTime(22, 45))],
      then: [every(40), dimTo(COUNTER, 65), wait(15, 0, true), tell(COUNTER, "DOF")],
      else: [tell(COUNTER, "DOF")],
    },
  ],
  "the light of the garage while its door is open": [
    {
      if: [status(GARAGE, "ST", "IS", 0, 79)],
      then: [tell(PORCH, "DON")],
      else: [wait(2), tell(PORCH, "DOF")],
    },
  ],
  "a bath light by a radio sensor": [
    {
      if: [status(BATH_MOTION, "ST", "IS", 100, OFF_ON)],
      then: [tell(BATH, "DON")],
      else: [wait(10), tell(BATH, "DOF")],
    },
  ],
  "a bath light by either sensor": [
    {
      if: [status(BATH_MOTION, "ST", "IS", 100, OFF_ON), or(level(MOTION, "IS", 255))],
      then: [tell(BATH, "DON")],
      else: [tell(BATH, "DOF")],
    },
  ],
  "a reading lamp by percent": [
    { if: [status(READING, "ST", "GE", 60, PERCENT)], then: [dimTo(BEDSIDE, 20)], else: [tell(BEDSIDE, "DOF")] },
  ],
  "a lamp keeps its level in a variable": [{ if: [sends(FLOOR, "DOF")], then: [copyStatus(1, 8, FLOOR, "OL")] }],
  "a program that others run": [
    { then: [tell(HALL, "DON"), wait(10), tell(HALL, "DOF")] },
    { if: [sends(DOOR, "DON")], then: [runThen(P0)] },
    { if: [sends(MOTION, "DON")], then: [runThen(P0)] },
  ],
  "a program whose both clauses others run": [
    { then: [tell(HALL, "DON")], else: [tell(HALL, "DOF")] },
    { if: [sends(DOOR, "DON")], then: [runThen(P0)] },
    { if: [sends(DOOR, "DOF")], then: [control(P0, "runelse")] },
  ],
  "coffee, when somebody is up": [
    {
      if: [between(clockTime(6), clockTime(10)), group(isOn(KITCHEN), or(level(COUNTER, "GT", 0)))],
      then: [tell(COFFEE, "DON"), wait(60), tell(COFFEE, "DOF")],
    },
  ],
  "a motion program is switched off while guests sleep": [
    { if: [sends(MOTION, "DON")], then: [tell(HALL, "DON")] },
    { if: [variableIs(2, 4, "IS", 1)], then: [control(P0, "disable")], else: [control(P0, "enable")] },
  ],
  "a timer that begins anew with each motion": [
    { if: [sends(MOTION, "DON")], then: [tell(HALL, "DON"), runThen(P1)] },
    { then: [wait(10), tell(HALL, "DOF")] },
  ],
  "a level as a raw byte": [
    {
      if: [sends(MOTION, "DON")],
      then: [
        { kind: "command", node: HALL, command: "DON", parameters: [{ id: "", value: 128, prec: 0, uom: LEVEL }] },
      ],
    },
  ],
  "on any change of a lamp": [
    {
      if: [isOn(FLOOR), or(level(DESK, "GT", 0)), or(level(COUNTER, "GT", 0))],
      then: [tell(PORCH, "DON")],
      else: [tell(PORCH, "DOF")],
    },
  ],
  "on, in two programs, at the level that the lamp goes to by itself": [
    { if: [sends(MOTION, "DON")], then: [tell(COUNTER, "DON")] },
    { if: [sends(MOTION, "DON"), isOn(DUSK)], then: [dimTo(COUNTER, 80)] },
  ],
  "fast off in a window with a button": [
    { if: [sends(KEYPAD, "DFOF"), between(clockTime(20), clockTime(2), OR)], then: [tell(KITCHEN, "DOF")] },
  ],
};
