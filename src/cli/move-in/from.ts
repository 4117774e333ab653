/** `domovoi move-in from INTEGRATION`: what a system that is connected has to move in with, as a plan, and the edit that carries it out. */

import type { ControllerSession, WayIn, WayInAutomation, WayInLine, WayInNote } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { type Finding, findingLines } from "../findings.ts";
import { CommandFailure, type Done, done } from "../outcome.ts";
import { plain } from "../show/plain.ts";

type FromOptions = ConnectionOptions & { readonly yes?: boolean };

const VERDICTS = {
  exact: "translated exactly",
  differences: "translated, with differences",
  none: "not translated",
} as const;
const STATES = {
  new: "is made",
  moved: "is moved to its floor",
  there: "is here already",
  empty: "nothing of it can be a scene here",
};

export async function moveInFrom(session: ControllerSession, integration: string, options: FromOptions): Promise<Done> {
  const path = `/api/move-in/from/${encodeURIComponent(integration)}`;
  const sources = (await session.request("GET", "/api/move-in/from")).data as readonly { readonly id: string }[];
  if (!sources.some(({ id }) => id === integration)) throw noSource(integration, sources);
  const answer = await session.request("GET", path);
  const plan = answer.data as WayIn;
  const { findings } = answer as unknown as { readonly findings: readonly Finding[] };
  const report = [...reportLines(plan), ...findingLines(null, findings)];
  if (!options.yes)
    return done([...report, "", 'Nothing was changed. Add --yes to carry this out; "domovoi undo" takes it back.'], {
      ...plan,
      findings,
    });
  const made = (await session.request("POST", path, { digest: plan.digest })).data as {
    readonly edit: number | null;
    readonly plan: WayIn;
  };
  const end =
    made.edit === null
      ? "Everything is here already."
      : `Carried out (edit ${made.edit}); "domovoi undo ${made.edit}" takes it back.`;
  return done([...report, "", end], { ...made.plan, edit: made.edit, findings });
}

function noSource(integration: string, sources: readonly { readonly id: string }[]): CommandFailure {
  const others =
    sources.length === 0
      ? 'Add the system first, for example with "domovoi integration add homeassistant".'
      : `One can move in from: ${sources.map(({ id }) => id).join(", ")}.`;
  return new CommandFailure("notFound", `The integration "${integration}" has nothing to move in with. ${others}`);
}

function reportLines({ system, problems, folders, nodes, scenes, automations, switchOff }: WayIn): readonly string[] {
  const counted = (verdict: WayInAutomation["verdict"]) =>
    automations.filter((each) => each.verdict === verdict).length;
  const moved = nodes.filter(({ state }) => state === "moved").length;
  const started = automations.flatMap(({ programs }) => programs.filter(({ part }) => part === "starts"));
  return [
    ...problems.map(({ sentence }) => `! ${sentence}`),
    "Folders",
    ...folders.map(({ path, state }) => `  ${path.join(" / ")}: ${STATES[state]}`),
    `Devices: ${moved} get a folder, ${nodes.length - moved} stay where they are. Names are those of ${system} until you rename a device here.`,
    "Scenes",
    ...scenes.flatMap(({ name, state, lines }) => [`  "${name}": ${STATES[state]}`, ...lines.flatMap(lineLines)]),
    `Automations: ${counted("exact")} exactly, ${counted("differences")} with differences, ${counted("none")} not translated`,
    ...automations.flatMap(automationLines),
    ...(switchOff.length > 0
      ? ["", `Before you enable these programs, switch off in ${system}:`, ...switchOff.map((id) => `  ${id}`)]
      : []),
    ...(started.length > 0 ? ["", "Then enable here:", ...started.map(({ id, name }) => `  ${id} ${name}`)] : []),
  ].map(plain);
}

function automationLines({ name, id, state, verdict, programs, lines }: WayInAutomation): readonly string[] {
  const what = state === "there" ? `${VERDICTS[verdict]}; its programs are here already` : VERDICTS[verdict];
  const parts = programs.map(
    (each) => `  program ${each.id} "${each.name}"${each.part === "waits" ? ", which stays disabled" : ""}`,
  );
  return ["", `"${name}" (${id}): ${what}`, ...parts, ...lines.flatMap(lineLines)];
}

const MARKS = { same: " ", differs: "~", out: "x" } as const;

function lineLines({ at, text, fate, becomes, notes }: WayInLine): readonly string[] {
  const said = notes.map(({ sentence }: WayInNote) => `      ${MARKS[fate]} ${sentence}`);
  return [`  ${MARKS[fate]} ${at} ${text}`.trimEnd(), ...becomes.map((line) => `      → ${line}`), ...said];
}
