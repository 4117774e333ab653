/**
 * The sentences about programs, their runs and the causes of values, by code. `/api` sends the code and the values beside the English
 * sentence, so that the page says the same in another language (part `messages` of web/src/text/languages/*.json; a test compares the codes).
 *
 * `{name}` stands for a value; `{Name}` for the value `name` with a capital letter. A value may be a message itself.
 */

import type { ErrorCode } from "./errors.ts";

const SENTENCES = {
  plain: "{text}",

  // Things and persons.
  "thing.program": 'program "{name}"',
  "thing.folder": 'folder "{name}"',
  "thing.deletedProgram": "a deleted program ({id})",
  "thing.variable": 'variable "{name}"',
  "thing.account": 'account "{login}"',
  "thing.someone": "a person or client",
  "thing.value": "a value",
  "thing.parameter": "the parameter {id}",

  // What started a program; follows "because".
  "start.status": '"{node}" reported {value} at {time}',
  "start.property": '"{node}" reported {property} {value} at {time}',
  "start.held": '"{node}" was {value} for {span}, since {since}',
  "start.heldNoLonger": '"{node}" reported {value} at {time}, after more than {span} as it was',
  "start.control": '"{node}" sent {command} at {time}',
  "start.variable": "{variable} became {value} at {time}",
  "start.programTrue": "the status of {program} became true at {time}",
  "start.programFalse": "the status of {program} became false at {time}",
  "start.programUnknown": "the status of {program} became unknown at {time}",
  "start.schedule": "its time came at {time}",
  "start.scheduleOf": "its time came at {time} ({condition})",
  "start.call": "{program} called it at {time}",
  "start.order": "{who} asked for it ({verb}) at {time}",
  "order.run": "Run",
  "order.runIf": "Check and run",
  "order.runThen": "Run now",
  "order.runElse": "Run the other part",
  "order.stop": "Stop",
  "order.enable": "Enable",
  "order.disable": "Disable",
  "order.enableRunAtStartup": "Run at startup",
  "order.disableRunAtStartup": "Do not run at startup",
  "start.startup": "the controller started at {time}",

  // Entries of the trace.
  "run.then": "Ran, because {start}{end}{trouble}.",
  "run.else": "Ran the other part, because {start}{end}{trouble}.",
  "run.thenBegins": "Runs, because {start}.",
  "run.elseBegins": "Runs the other part, because {start}.",
  "run.not": "Did nothing, because {reason}{detail}. It was to run, because {start}.",
  "run.cut": "Was stopped and disabled, because a limit was reached: {detail}",
  "run.resumed": "Continued after a restart{end}.",
  "run.true": "Its conditions are true, looked at because {start}.",
  "run.false": "Its conditions are false, looked at because {start}.",
  "run.unknownStart": "Continued{end}; its start is no longer stored.",
  "run.end.finished": "; finished",
  "run.end.stopped": "; was stopped",
  "run.end.interrupted": "; was interrupted by another start",
  "run.end.cut": "; was stopped by a limit",
  "run.end.underWay": "; under way",
  "run.failed": "; of its commands {failed} failed",
  "run.uncertain": "; of its commands of {uncertain} it is not known whether they were done",
  "run.failedAndUncertain": "; of its commands {failed} failed, of {uncertain} it is not known whether they were done",
  "run.statementFailed": "A statement failed: {detail}",
  "run.statementUncertain": "It is unknown whether a statement was carried out: {detail}",
  "run.detail": ": {detail}",

  // Why a start led to no run; follows "because".
  "notRun.disabled": "the program is disabled",
  "notRun.not-loaded": "the program is not loaded",
  "notRun.folder-false": "the conditions of a folder above it are false",
  "notRun.missed": "its time was missed",
  "notRun.cut": "a limit was reached",
  "notRun.overloaded":
    "too many starts of programs waited already (programStartsWaitingMax, programCausedStartsWaitingMax)",

  // Why a program was stopped by a limit.
  "cut.calls": "Programs that call one another too deeply: {programs}.",
  "cut.loop": "Programs that start one another, or themselves, without a wait: {programs}.",
  "cut.statements": "More than {count} statements without a wait.",

  // Causes of a value.
  "did.set": "set it",
  "did.setNode": 'set "{name}"',
  "did.wrote": "wrote the {variable}",
  "did.ran": "ran",
  "did.began": "began it",
  "cause.scene": ' with the scene "{name}"',
  "cause.line": " (line {line})",
  "cause.because": ", because {start}",
  "cause.device": "The device reported it by itself.",
  "cause.automation": 'The automation "{name}" of {system} {did}.',
  "cause.anAutomation": "An automation of {system} {did}.",
  "cause.person": "Somebody {did} in {system}.",
  "cause.used": '"{name}" was used at the device ({command}) at {time}.',
  "cause.account": "{Who} {did}{scene} at {time}.",
  "cause.schedule": "Its time came at {time}.",
  "cause.controller": "The controller {did} by itself.",
  "cause.sceneController": '"{name}" {did}{scene} at {time}.',
  "cause.someSceneController": '"{name}" {did} as a controller of a scene at {time}.',
  "cause.program": "{Program} {did}{scene}{line}{because}.",
  "cause.programAt": "{Program} {did} at {time}.",

  // Answers to "why".
  "why.is": "{what} is {value} since {since}.",
  "why.was": "{what} was {value} at {time}, since {since}.",
  "why.noDevice": "{name} has no device here yet: its values are simulated.",
  "why.property": "{property} of {name}",
  "why.unknownValue": "The journal does not hold what {name} reported before that time.{searched}",
  "why.searched": " It was searched back to {time}.",
  "why.missing.cause": "The journal no longer contains the cause.{searched}",
  "why.missing.rest": "The chain of causes is longer; the rest is not shown.",
  "why.missing.command": "The command that led to it is no longer stored.",
  "why.missing.start": "The trace no longer holds why that program ran.",
  "why.missing.startOf": "The trace no longer holds why {program} ran.",
  "why.missing.trigger": "The trace no longer contains its trigger.",
  "why.then": "{Program} ran at {time}{because}.",
  "why.else": "{Program} ran its other part at {time}{because}.",
  "why.cut": "{Program} was stopped and disabled at {time}: {detail}",
  "why.notRun": "{Program} did not run at {time}: {reason}{detail}.{trigger}",
  "why.notRun.detail": " ({detail})",
  "why.notRun.trigger": " It was to run, because {start}.",
  "why.true": "The conditions of {program} became true{because}.",
  "why.false": "The conditions of {program} became false{because}.",
  "why.running": "{Program} was running at {time}; the trace no longer holds how the run began.",
  "why.finished": "It finished at {time}.",
  "why.stopped": "It was stopped at {time}.",
  "why.interrupted": "Another start interrupted it at {time}.",
  "why.limited": "A limit stopped it at {time}.",
  "why.underWay": "It is still running.",
  "why.failed": "A command of it failed: {detail}",
  "why.conditionFalse": "{condition} was false.",
  "why.conditionFound": "{condition} was false: it was {found}.",
  "why.staysDisabled": "It stays disabled until you enable it.",
  "why.nothing": "Nothing started {program}, as far back as the trace goes.",
  "why.nothingAt": "Nothing started {program} at {time}, as far back as the trace goes.",
  "why.before": "Before that: {last}",
  "why.deleted": "It was deleted.",
  "why.notLoaded": "It is not loaded: {detail}",
  "why.disabled": "It is disabled, so nothing starts it.",
  "why.onlyCommands": "Only a command or another program starts it.",
  "why.starts": "These start it: {starts}.",
  "why.startIs": "{condition} (it is {value} since {time})",
  "why.startWritten": "{condition} (it is {value}, written at {time})",
  "why.startNext": "{condition} (next at {time})",
  "why.start": "{condition}",

  // What becomes of a home that its owner moves in from; a line each.
  "wayIn.adminToken":
    "The token is not one of an administrator, so automations, scripts and scenes cannot be read. Make a token there with an account of an administrator, and set it here.",
  "wayIn.unread": "{entity} could not be read: {sentence}",
  "wayIn.otherFile": "{entity} could not be read: its configuration is not in the file that the page there edits.",
  "wayIn.tooMany": "There are {count}; the first {max} are read.",
  "wayIn.noDevice": "{entity} is no device here.",
  "wayIn.noState": 'The device here does not show "{state}" of {entity}.',
  "wayIn.noControl": "The device here sends no command for this event of {entity}.",
  "wayIn.noService": "{service} cannot be sent to {entity}.",
  "wayIn.noTarget": "It names no device, or one that cannot be found.",
  "wayIn.nothing": "Nothing is left that starts it, or nothing that it does.",
  "wayIn.device": "This trigger, condition or action of a device has no counterpart here.",
  "wayIn.link": '"unavailable" and "unknown" are no states here: the last value stays.',
  "wayIn.template": "This template is not translated.",
  "wayIn.variables": "Variables are left out; what uses them is not translated.",
  "wayIn.limitOfEntity": "The limit is the value of another entity.",
  "wayIn.span": "This length of time is not translated.",
  "wayIn.sun": "This position of the sun is not translated: only sunrise and sunset are.",
  "wayIn.helperTime": "A time of a helper or a sensor is not translated.",
  "wayIn.pattern": "This pattern of times is not translated.",
  "wayIn.midnight": "It runs in equal steps since midnight; the first time after the next midnight.",
  "wayIn.nightDays": "The days are those on which the time begins.",
  "wayIn.startup": "It runs after a start of the machine, not after each start of the service.",
  "wayIn.crossing": "It starts a second after the change, if that lasts a second.",
  "wayIn.from": "The value before is not asked for.",
  "wayIn.zones": "Other zones are away here, too.",
  "wayIn.eachPress": "Each press starts it; there, a second one of the same kind in a row does not.",
  "wayIn.attributes": "Changes of attributes alone do not start it.",
  "wayIn.anyChange": "Any change of a number or of one value of many is not translated.",
  "wayIn.disabled": "It is switched off there, so it is left out.",
  "wayIn.otherTrigger": 'Triggers of the kind "{kind}" are not translated.',
  "wayIn.otherCondition": 'Conditions of the kind "{kind}" are not translated.',
  "wayIn.otherAction": '"{kind}" is not translated.',
  "wayIn.partMissing": "A part of it is not translated.",
  "wayIn.opposite": "The opposite of this cannot be said here.",
  "wayIn.tooMuch": "It is too deep or too long.",
  "wayIn.left": "Left out: {names}.",
  "wayIn.members": "The devices are those that are there now.",
  "wayIn.oneByOne": "One after the other, not at once.",
  "wayIn.wait": "This wait for something is not translated.",
  "wayIn.repeatUntil": "Repetitions until something holds, or for each of a list, are not translated.",
  "wayIn.inRepeat":
    "A choice or a wait for something inside of a repetition, or more than 1000 times, is not translated.",
  "wayIn.scriptData": "Data for a script is not translated.",
  "wayIn.noScript": "{entity} is not translated.",
  "wayIn.single": "A start while it waits begins again; there it is ignored.",
  "wayIn.queued": "A start while it waits begins again; there it runs afterwards.",
  "wayIn.parallel": "A start while it waits begins again; there both run.",
  "wayIn.noMember": "This state cannot be a link of a scene.",
  "wayIn.oneLink": "Another entity of the same device is in the scene already.",
  "wayIn.oneCommand": "A scene sends one command to a device; color or temperature are left out.",
  "wayIn.noChannel": "There is no notification channel here: add one, and run this again.",
  "wayIn.channel": 'It goes to the channel "{name}".',
} as const;

/** Those of a finding begin with its code. */
const FINDINGS = {
  "NODE_UNKNOWN.folder": "{name} is a folder, not a node or scene.",
  "NODE_UNKNOWN.place": "There is no folder {address}.",
  NODE_UNKNOWN: "There is no node or scene {address}.",
  NODE_DISABLED: "{name} is disabled, so it is not queried.",
  "PROPERTY_UNKNOWN.scene": "{name} is a scene, and scenes have no properties.",
  PROPERTY_UNKNOWN: "{name} has no property {property}.",
  COMMAND_NOT_ACCEPTED: "{name} does not accept {command}.",
  "COMMAND_NOT_ACCEPTED.scene": "Nothing in {name} accepts {command}.",
  "COMMAND_NOT_ACCEPTED.roles": "None of these devices ({role}) accepts {command}.",
  "COMMAND_NOT_SENT.roles": "None of these devices ({role}) sends {command}, so this condition starts nothing.",
  COMMAND_NOT_SENT: "{name} never sends {command}, so this condition starts nothing.",
  "NOT_IN_SCENE.noScene": "{name} is no scene.",
  "NOT_IN_SCENE.controller": "{controller} does not control {name}.",
  NOT_IN_SCENE: "{member} is not in {name}.",
  "VARIABLE_UNKNOWN.integer": "There is no integer variable {id}.",
  "VARIABLE_UNKNOWN.state": "There is no state variable {id}.",
  PROGRAM_UNKNOWN: "There is no program {id}.",
  FOLDER_NOT_RUN: "{name} is a folder, so {control} does nothing.",
  RESOURCE_UNKNOWN: "There is no network resource {id}.",
  CHANNEL_UNKNOWN: 'There is no notification channel "{id}".',
  TEXT_VALUE_UNKNOWN: 'The text has a value that is not known: {value}. It is sent as "?".',
  "FOREIGN_STATEMENT.condition": "This controller does not know the condition, so the program does not run.",
  FOREIGN_STATEMENT: "This controller does not carry the statement out, so the program does not run.",
  PARAMETER_UNKNOWN: "{command} of {name} has no place for {parameter}.",
  PARAMETER_MISSING: "{command} of {name} needs {parameter}.",
  PARAMETER_REFUSED: "{name} refuses {command} with {value}: it takes {range}.",
  "PARAMETER_REFUSED.scene": "{name} refuses {command}: {detail}",
  "PARAMETER_REFUSED.other": "{name}: {detail}",
  "VALUE_OUT_OF_REACH.never": "This condition never holds, because {name} is never {value}.",
  "VALUE_OUT_OF_REACH.always": "This condition always holds, because {name} is never {value}.",
  UNIT_MISMATCH: "{name} is reported in {unit}, but compared with a value in {other}.",
  STATE_TURNED:
    "Until this version {name} said open and closed the other way round. Check this condition, and save the program when it says what you mean.",
  VARIABLE_OVERFLOW: "{value} is too large for {name}.",
  PRECISION_LOST: "{name} cannot hold {value} exactly and takes {taken}.",
  "ARITHMETIC_IMPOSSIBLE.division": "A division by zero leaves {name} unchanged.",
  CONDITION_NEVER: "Whatever {name} is, this condition never holds.",
  "CONDITION_NEVER.together": "These conditions never hold at the same time.",
  CONDITION_ALWAYS: "Whatever {name} is, this condition always holds.",
  "CONDITION_ALWAYS.together": "One of these conditions always holds, so together they decide nothing.",
  "CONDITION_ALWAYS.schedule": "Some window of this schedule is always open.",
  SCHEDULE_NO_SUCH_DATE: "There is no {date}, so this never happens.",
  SCHEDULE_EMPTY: "This never happens: no day has such a time.",
  SCHEDULE_PAST: "This is in the past and does not occur again.",
  "SCHEDULE_SUN_MISSING.never": "Where the home is, the sun never makes this happen.",
  SCHEDULE_SUN_MISSING: "On {days} days of the coming year this does not happen, because the sun does not rise or set.",
  SCHEDULE_INTO_NEXT_DAY: "On {days} days of the year this window closes only on the next day.",
  THEN_NEVER_RUNS: "Whatever starts the program, its conditions are false then.",
  ELSE_NEVER_RUNS: "Whatever starts the program, its conditions are true then.",
  ELSE_ONLY_BY_COMMAND: "Only a person can run this Else; no program and no condition does.",
  NEVER_STARTS: "Nothing starts this program but a person: it has no condition that starts it, and no program runs it.",
  INTEGER_VARIABLES_ONLY: "Integer variables start nothing, and no other program runs this one.",
  "STATEMENT_UNREACHABLE.repeat": "The repeat in front of this statement never runs it.",
  "STATEMENT_UNREACHABLE.forever": "This is never reached, because a statement before it is repeated for ever.",
  "STATEMENT_UNREACHABLE.stop": "This is never reached, because a statement before it stops the program.",
  "STATEMENT_UNREACHABLE.start": "This is never reached, because a statement before it starts the program again.",
  REPEAT_EMPTY: "There is nothing behind this repeat for it to repeat.",
  REPEAT_SPINS: "This repeat takes no time and does not end: it contains no wait.",
  "REPEAT_SPINS.condition":
    "This repeat takes no time and does not end: it contains no wait, and no statement in it changes a value of its condition.",
  LOOP: "These programs start one another: {programs}; again and again, without a wait in between.",
  "LOOP.itself": "The program starts itself again and again, without a wait in between.",
  LOOP_WITH_WAIT: "These programs start one another: {programs}; again and again, with a wait in between.",
  "LOOP_WITH_WAIT.itself": "The program starts itself again and again, with a wait in between.",
  "WAIT_INTERRUPTED.false":
    'The statement "{statement}" makes the conditions false, so the run ends and the following statements are not done.',
  "WAIT_INTERRUPTED.true":
    'The statement "{statement}" makes the conditions true, so the run ends and the following statements are not done.',
  WAIT_STARTS_AGAIN:
    'The statement "{statement}" changes values of the conditions, so the clause starts again from its first statement.',
  WAIT_CUT_BY_WINDOW:
    "When the time window ends during this wait, the wait ends too, and {name} stays on. Put all of Then into a second program without conditions, and run its Then path from here.",
  ROLE_EMPTY: "This means no device now ({role}), so the condition is false and the statement does nothing.",
  ROLE_STATE_UNKNOWN: "None of these devices ({role}) is ever {state}.",
  ROLE_SECURED:
    "Of these devices, {count} are secured. They are left out: programs command locks and garage doors only by name.",
  ROLE_TOO_MANY: "This means {count} devices; {max} are allowed, so nothing is sent.",
  USE_NOT_SET:
    "Of {count} contacts in the same place it is not said whether they are at a {role}. Only those that are marked count.",
  SCENE_SAME_SET: 'The scene "{name}" has exactly these devices. A scene switches them at the same moment.',
  CONFLICT: "At the same event this makes {name} {value} and the program {program} makes it {other}.",
} as const;

/** Steps of the proof of a finding. */
const STEPS = {
  "step.line": "{line}",
  "step.statement": "{program}: {line}",
  "step.change": "{name}: {before} → {after}",
  "step.value": "{name}: {value}",
  "step.event": "{Event}.",
  "step.starts": "Starts it: {event}.",
  "step.call": "{program}: {control}.",
  "step.more": "… and {count} more steps.",
  "step.thenBegins": "{program}: its conditions are true, Then begins.",
  "step.elseBegins": "{program}: its conditions are false, Else begins.",
  "step.thenIsRun": "{program}: it is run, Then begins.",
  "step.elseIsRun": "{program}: it is run, Else begins.",
  "step.waitOver": "{program}: the wait is over.",
  "step.canBeTrue": "{program}: its conditions can be true then.",
  "step.canBeFalse": "{program}: its conditions can be false then.",
  "step.clauseEnds": "The clause ends here.",
  "step.noTurn": "The repeat in front of it has no turn.",
  "step.noConditions": "It has no conditions.",
  "step.startNothing": "{conditions} start nothing.",
  "step.stateVariablesStart": "{conditions}: only state variables start programs.",
  "step.nodes": "The home has {nodes} nodes and {scenes} scenes; {id} is none of them.",
  "step.integerVariables": "The home has {count} integer variables; {id} is none of them.",
  "step.stateVariables": "The home has {count} state variables; {id} is none of them.",
  "step.programs": "The home has {count} programs and folders; {id} is none of them.",
  "step.channels": 'No integration of the home has the id "{id}".',
  "step.resources": "The home has {count} network resources; {id} is none of them.",
  "step.scene": "{address} is a scene.",
  "step.has": "{name} ({nodedef}) has {properties}.",
  "step.accepts": "{name} ({nodedef}) accepts {commands}.",
  "step.acceptsNothing": "{name} ({nodedef}) accepts nothing.",
  "step.sends": "{name} sends {commands}.",
  "step.sendsNothing": "{name} sends nothing.",
  "step.sceneSendsNothing": "{name} is a scene, and scenes send nothing themselves.",
  "step.disabled": "{name} is disabled.",
  "step.takes": "{command} of {name} takes {parameters}.",
  "step.takesNothing": "{command} of {name} takes no parameter.",
  "step.takesRange": "{command} takes {range} as {parameter}.",
  "step.folders": "The home has {count} folders; {id} is none of them.",
  "step.meant": "It means {count} devices now: {members}.",
  "step.noneMeant": "No enabled device there is one of these: {role}.",
  "step.members": "{name} has {count} members: {members}.",
  "step.memberNames": "Members: {members}.",
  "step.noMembers": "Members: none.",
  "step.programsOnly": "Only programs are run, stopped, enabled or disabled by statements.",
  "step.range": "{property} of {name} is {range}.",
  "step.rangeAndReport": "{property} of {name} is {range}; the latest report was {value}.",
  "step.wholeNumbers": "Variables hold whole numbers of 32 bits; this one has {places} decimal places.",
  "step.variable": "{name} holds whole numbers of 32 bits, shown with {places} decimal places.",
  "step.noDate": "{date} is no day of the calendar.",
  "step.ended": "{condition} ended before now.",
  "step.noDay": "{condition} is on no day of the coming year.",
  "step.noGap": "{condition} leaves no gap in the coming year.",
  "step.sunless": "At {latitude}, {longitude} the sun does not rise or set on {days} days of the coming year.",
  "step.nextDay":
    "On {days} days of the coming year the end is before the start, and the window stays open until the next day.",
  "axis.property": "{property} of {name}",
  "event.property": "{property} of {name} changes",
  "event.variable": "{name} changes",
  "event.program": "the status of {name} changes",
  "event.control": "{name} sends {command}",
  "event.moment": 'the moment "{condition}"',
  "event.begins": 'the beginning of "{condition}"',
  "event.ends": 'the end of "{condition}"',
  "range.any": "a number{unit}",
  "range.of": "{values}{unit}",
  "range.between": "{min} to {max}{unit}",
  "range.atMost": "anything to {max}{unit}",
  "range.atLeast": "{min} to anything{unit}",
  "range.or": "{first}, or {rest}",
  "unit.in": " {name} (unit {uom})",
  "unit.named": "{name} (unit {uom})",
  "unit.none": "no unit",
  "value.itself": "itself",
} as const;

export const MESSAGES = { ...SENTENCES, ...FINDINGS, ...STEPS } as const;

type MessageCode = keyof typeof MESSAGES;

/** A time. `text`: in the words of an English sentence, in the zone of the home. */
export type SpokenTime = { readonly atMs: number; readonly text: string };
/** A condition or statement as in the text of programs. */
export type ProgramTextLine = { readonly line: string };

/** A value of a node's property, displayed = value / 10^prec. `text`: in the words of an English sentence. */
export type SpokenProperty = {
  readonly node: string;
  readonly property: string;
  readonly value: number;
  readonly uom: number;
  readonly prec: number;
  readonly text: string;
};

/** A sentence of the catalogue of errors. */
type SpokenError = { readonly error: ErrorCode; readonly text: string };

export type MessageValue =
  | string
  | number
  | Message
  | SpokenTime
  | SpokenProperty
  | SpokenError
  | ProgramTextLine
  | readonly MessageValue[];

export type Message = {
  readonly code: MessageCode;
  readonly values: Readonly<Record<string, MessageValue>>;
  /** In English. */
  readonly text: string;
};

type NamesIn<T extends string> = T extends `${string}{${infer N}}${infer Rest}`
  ? Uncapitalize<N> | NamesIn<Rest>
  : never;

export function message<C extends MessageCode>(
  code: C,
  ...[values]: [NamesIn<(typeof MESSAGES)[C]>] extends [never]
    ? []
    : [Readonly<Record<NamesIn<(typeof MESSAGES)[C]>, MessageValue>>]
): Message {
  const given: Readonly<Record<string, MessageValue>> = values ?? {};
  const text = MESSAGES[code].replace(/\{(\w)(\w*)\}/g, (_, first: string, rest: string) => {
    const name = first.toLowerCase() + rest;
    const words = textOf(given[name] ?? "");
    return first === name[0] ? words : capital(words);
  });
  return { code, values: given, text };
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** In an English sentence. */
export function textOf(value: MessageValue): string {
  if (typeof value !== "object") return String(value);
  if (isList(value)) return value.map(textOf).join("; ");
  return "line" in value ? value.line : value.text;
}

function isList(value: object): value is readonly MessageValue[] {
  return Array.isArray(value);
}
