/** Programs as owners write them, with nothing wrong: climate, alarms, water, doors. */

import {
  assign,
  at,
  between,
  clockTime,
  dimTo,
  either,
  isOn,
  OR,
  programIs,
  runThen,
  sends,
  sendValue,
  sunTime,
  tell,
  variableIs,
  wait,
} from "../../../src/demo/program-words.ts";
import {
  ALL_OFF,
  BLIND,
  type CaseProgram,
  CELSIUS,
  control,
  DEGREES,
  DOOR,
  EVENING_SCENE,
  every,
  FAN,
  GARAGE,
  HALF_DEGREES,
  LAWN,
  LEAK,
  LOCK,
  LOCKED,
  lasting,
  lock,
  MODE,
  MOTION,
  notify,
  or,
  P0,
  P1,
  PORCH,
  RADIATOR,
  resource,
  SIREN,
  STATION,
  status,
  THERMOSTAT,
  TOWELS,
  times,
  WASHER_METER,
  WINDOW,
} from "./case-words.ts";

const WATTS = 73;
const HUMIDITY = 22;

export const SENSIBLE_HOUSE: Readonly<Record<string, readonly CaseProgram[]>> = {
  "heating is set back by night": [
    {
      if: [between(clockTime(22), clockTime(6, 0, 1))],
      then: [sendValue(THERMOSTAT, "CLISPH", 64, DEGREES)],
      else: [sendValue(THERMOSTAT, "CLISPH", 69, DEGREES)],
    },
  ],
  "a radiator is set by two times": [
    { if: [at(clockTime(6))], then: [sendValue(RADIATOR, "CLISPH", 210, CELSIUS, 1)] },
    { if: [at(clockTime(22))], then: [sendValue(RADIATOR, "CLISPH", 170, CELSIUS, 1)] },
  ],
  "heating is off while a window is open": [
    {
      if: [status(WINDOW, "ST", "IS", 0, 79)],
      then: [wait(2), sendValue(RADIATOR, "CLIMD", 0, 67)],
      else: [sendValue(RADIATOR, "CLIMD", 1, 67)],
    },
  ],
  "a fan while it is warm and somebody is there": [
    {
      if: [status(THERMOSTAT, "ST", "GT", 156, HALF_DEGREES), variableIs(2, 1, "IS", 0)],
      then: [sendValue(FAN, "DON", 75, 51)],
      else: [tell(FAN, "DOF")],
    },
  ],
  "a fan with a span between on and off": [
    { if: [status(STATION, "CLITEMP", "GT", 260, CELSIUS, 1)], then: [tell(FAN, "DON")] },
    { if: [status(STATION, "CLITEMP", "LT", 240, CELSIUS, 1)], then: [tell(FAN, "DOF")] },
  ],
  "comfort by mode": [
    { if: [variableIs(2, 9, "IS", 1)], then: [sendValue(THERMOSTAT, "CLISPH", 70, DEGREES)] },
    { if: [variableIs(2, 9, "IS", 2)], then: [sendValue(THERMOSTAT, "CLISPH", 64, DEGREES)] },
    { if: [variableIs(2, 9, "IS", 3)], then: [sendValue(THERMOSTAT, "CLISPH", 58, DEGREES)] },
  ],
  "a blind against the sun": [
    {
      if: [status(STATION, "UV", "GE", 60, 71, 1), between(clockTime(11), clockTime(18))],
      then: [dimTo(BLIND, 20)],
      else: [dimTo(BLIND, 100)],
    },
  ],
  "a blind that is told what lamps are told": [
    { if: [at(sunTime("sunrise"))], then: [tell(BLIND, "DON")] },
    { if: [at(sunTime("sunset"))], then: [tell(BLIND, "DOF")] },
  ],
  "towels are warmed in the morning": [
    { if: [lasting(clockTime(6), 90)], then: [tell(TOWELS, "DON")], else: [tell(TOWELS, "DOF")] },
  ],
  "humid air starts the fan for a while": [
    { if: [status(THERMOSTAT, "CLIHUM", "GT", 65, HUMIDITY)], then: [tell(FAN, "DON"), wait(30), tell(FAN, "DOF")] },
  ],
  "a thermostat is not left in cooling in winter": [
    {
      if: [status(THERMOSTAT, "CLIMD", "IS", 2, MODE), status(STATION, "CLITEMP", "LT", 100, CELSIUS, 1)],
      then: [sendValue(THERMOSTAT, "CLIMD", 1, MODE)],
    },
  ],
  "a door is counted": [{ if: [sends(DOOR, "DON")], then: [assign(1, 1, "ADD=", 1)] }],
  "counters are cleared at midnight": [
    { if: [at(clockTime(0))], then: [assign(1, 1, "EQ", 0), assign(1, 4, "EQ", 0)] },
  ],
  "a chime, unless the alarm sounds": [
    { if: [sends(DOOR, "DON"), programIs(P1, false)], then: [resource(1)] },
    { if: [variableIs(2, 6, "IS", 1), sends(MOTION, "DON")], then: [tell(SIREN, "DON"), notify] },
  ],
  "an alarm while nobody is there": [
    {
      if: [variableIs(2, 1, "IS", 1), either(sends(DOOR, "DON"), sends(MOTION, "DON", OR))],
      then: [times(3), tell(SIREN, "BEEP"), wait(0, 10), times(1), tell(SIREN, "DON"), notify],
      else: [tell(SIREN, "DOF")],
    },
  ],
  "an alarm with time to leave": [
    { if: [variableIs(2, 1, "IS", 1)], then: [wait(1), assign(2, 6, "EQ", 1)], else: [assign(2, 6, "EQ", 0)] },
    {
      if: [sends(DOOR, "DON"), variableIs(2, 6, "IS", 1)],
      then: [wait(0, 30), tell(SIREN, "DON")],
      else: [tell(SIREN, "DOF")],
    },
  ],
  "the siren ends by itself": [{ if: [isOn(SIREN)], then: [wait(4), tell(SIREN, "DOF")] }],
  "water is told of, again and again": [{ if: [isOn(LEAK)], then: [every(15), notify], else: [notify] }],
  "a leak is looked for at the start": [{ if: [isOn(LEAK)], then: [notify], runAtStartup: true }],
  "the house is locked late": [
    { if: [at(clockTime(23, 15)), status(LOCK, "ST", "ISNOT", 100, LOCKED)], then: [lock(LOCK, true)] },
  ],
  "a door locks itself": [{ if: [status(LOCK, "ST", "IS", 0, LOCKED)], then: [wait(10), lock(LOCK, true)] }],
  "a door locks itself only while it is closed": [
    {
      if: [status(LOCK, "ST", "IS", 0, LOCKED), { ...isOn(DOOR), comparison: "IS" } as ReturnType<typeof isOn>],
      then: [wait(5), lock(LOCK, true)],
    },
  ],
  "the garage was left open": [
    {
      if: [status(GARAGE, "ST", "IS", 0, 79), between(clockTime(21), clockTime(6))],
      then: [wait(10), notify],
    },
  ],
  "good night": [
    { then: [tell(ALL_OFF, "DON"), lock(LOCK, true), assign(2, 2, "EQ", 1)] },
    { if: [at(clockTime(23, 30))], then: [runThen(P0)] },
  ],
  "night mode ends in the morning": [
    { if: [at(clockTime(6, 30)), variableIs(2, 2, "IS", 1)], then: [assign(2, 2, "EQ", 0)] },
  ],
  "the lawn is watered, unless it rained": [
    {
      if: [at(sunTime("sunrise", -30)), variableIs(1, 2, "LE", 0)],
      then: [sendValue(LAWN, "DON", 15, 45)],
      else: [tell(LAWN, "DOF")],
    },
  ],
  "rain puts watering off": [
    { if: [status(STATION, "RAINRT", "GT", 100, 46, 2)], then: [assign(1, 2, "EQ", 2), tell(LAWN, "DOF")] },
  ],
  "the dishwasher is done": [
    {
      if: [status(WASHER_METER, "ST", "GT", 500, WATTS, 1)],
      then: [assign(2, 7, "EQ", 1)],
    },
    {
      if: [status(WASHER_METER, "ST", "LT", 50, WATTS, 1), variableIs(2, 7, "IS", 1)],
      then: [assign(2, 7, "EQ", 0), notify],
    },
  ],
  "programs of a folder rest on vacation": [
    { if: [at(clockTime(18))], then: [tell(PORCH, "DON")], gate: [variableIs(2, 5, "IS", 0)] },
    { if: [at(clockTime(18))], then: [tell(PORCH, "DOF")], gate: [variableIs(2, 5, "IS", 1)] },
  ],
  "a scene at sunset, once": [
    {
      if: [at(sunTime("sunset")), variableIs(2, 1, "IS", 0)],
      then: [tell(EVENING_SCENE, "DON"), assign(1, 4, "ADD=", 1)],
    },
  ],
  "an occupied house by two sensors and a timer": [
    { if: [sends(MOTION, "DON"), or(sends(DOOR, "DON"))], then: [assign(2, 4, "EQ", 1), control(P1, "runthen")] },
    { then: [wait(45), assign(2, 4, "EQ", 0)] },
  ],
};
