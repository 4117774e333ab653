/** `/api/move-in/from`: what an integration has to move in from, as a plan and as one edit. @see docs/interface/move-in.md */

import { moveInFrom, planWayIn, sourcesOf, type WayInPlan } from "../../commands/way-in.ts";
import type { PlannedAutomation } from "../../commands/way-in-programs.ts";
import type { SourceLine } from "../../drivers/home-source.ts";
import type { Home } from "../../home/home.ts";
import { hexId } from "../../home/programs.ts";
import type { Message } from "../../messages.ts";
import { createProgramNames, type ProgramNames } from "../../programs/text/names.ts";
import { actionLines, conditionLines } from "../../programs/text/print-statement.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, list, object, orNull, partial } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";
import { messageData, messageJson } from "./message-json.ts";
import { findingsOf, findingsSchema } from "./verify/findings.ts";

const text = { type: "string" } as const;
const state = { enum: ["new", "moved", "there"] } as const;
const noteData = object({ sentence: text, message: messageData });
const line = object({
  at: { type: "string", description: "Place in the original: triggers[0]." },
  text: { type: "string", description: "The line of the original." },
  fate: { enum: ["same", "differs", "out"], description: "out: it was left out." },
  becomes: list(text, { description: "Lines of programs." }),
  notes: list(noteData),
});
const planData = object({
  integration: text,
  system: text,
  digest: { type: "string", description: "Of all that would change." },
  problems: list(noteData, { description: "What could not be read." }),
  folders: list(object({ address: text, path: list(text), state })),
  nodes: list(object({ address: text, name: text, folder: text, state })),
  scenes: list(
    object({ id: text, name: text, state: { enum: ["new", "there", "moved", "empty"] }, lines: list(line) }),
  ),
  automations: list(
    object({
      id: text,
      name: text,
      kind: { enum: ["automation", "script"] },
      isOn: { type: "boolean" },
      state: { enum: ["new", "there"] },
      verdict: { enum: ["exact", "differences", "none"] },
      programs: list(object({ id: text, name: text, part: { enum: ["starts", "called", "waits"] } })),
      lines: list(line),
    }),
  ),
  switchOff: list(text, { description: "Automations to switch off there before their programs are enabled here." }),
});

const sourcesData = list(object({ id: text, name: text, system: text }));
const doneData = object({
  edit: { type: ["integer", "null"], description: "null: nothing was left to do." },
  plan: planData,
});
const applyBody = orNull(
  partial(
    { digest: { type: "string", maxLength: 64, description: "Of the plan that was seen: another one is refused." } },
    { additionalProperties: false },
  ),
);

const route = apiRoute("move-in", "administer");
const beside = { findings: findingsSchema };

export const wayInRoutes: readonly Route[] = [
  route("GET /api/move-in/from", "Integrations that one can move in from.", getSources, { data: sourcesData }),
  route("GET /api/move-in/from/:integration", "Reads it, and plans what becomes of it.", getPlan, {
    data: planData,
    beside,
  }),
  route("POST /api/move-in/from/:integration", "Reads it again, and carries the plan out as one edit.", apply, {
    body: applyBody,
    data: doneData,
    beside,
  }),
];

function getSources(_request: HttpRequest, services: Services): Reply {
  const nameOf = (id: string) => services.home.integrations.get(id)?.name ?? id;
  return envelope(sourcesOf(services).map(({ id, system }) => ({ id, name: nameOf(id), system })));
}

async function getPlan(request: HttpRequest, services: Services): Promise<Reply> {
  const { id } = services.integrations.find(request.params.integration ?? "");
  const plan = await planWayIn(portsOf(services), id, request.signal);
  return withFindings(request, { ...services, home: plan.after }, plan, planJson(id, plan, services));
}

async function apply(request: HttpRequest, services: Services): Promise<Reply> {
  const { id } = services.integrations.find(request.params.integration ?? "");
  const { digest = null } = bodyOf(request, applyBody) ?? {};
  const { plan, edit } = await moveInFrom(portsOf(services), id, digest, request.cause, request.signal);
  return withFindings(request, services, plan, { edit, plan: planJson(id, plan, services) } satisfies Fits<
    typeof doneData
  >);
}

async function withFindings(
  request: HttpRequest,
  services: Services,
  { things }: WayInPlan,
  data: object,
): Promise<Reply> {
  const entries = things.flatMap((thing) => (thing.kind === "program" && thing.after ? [thing.after] : []));
  const findings = entries.length === 0 ? [] : await findingsOf(request, services, entries);
  return { status: 200, contentType: JSON_TYPE, body: JSON.stringify({ successful: true, data, findings }) };
}

function portsOf(services: Services) {
  return { ...services, isChannel: (type: string) => services.integrations.isChannel(type) };
}

function planJson(integration: string, plan: WayInPlan, { profile }: Services): Fits<typeof planData> {
  const { system, digest, after, automations } = plan;
  const names = createProgramNames(after, profile);
  return {
    ...{ integration, system, digest },
    problems: plan.problems.map(noteJson),
    folders: plan.folders.map(({ address, state }) => ({ address, path: pathOf(after, address), state })),
    nodes: plan.nodes.map((node) => ({ ...node, name: after.nodes.get(node.address)?.name ?? node.address })),
    scenes: plan.scenes.map(({ id, name, state, lines }) => ({ id, name, state, lines: lines.map(lineJson(names)) })),
    automations: automations.map((each) => automationJson(each, names)),
    switchOff: automations.flatMap(({ id, kind, isOn, programs }) =>
      kind === "automation" && isOn && programs.length > 0 ? [id] : [],
    ),
  };
}

function automationJson(
  { id, name, kind, isOn, state, verdict, programs, lines }: PlannedAutomation,
  names: ProgramNames,
) {
  return {
    ...{ id, name, kind, isOn, state, verdict },
    programs: programs.map((each) => ({ ...each, id: hexId(each.id) })),
    lines: lines.map(lineJson(names)),
  };
}

function lineJson(names: ProgramNames) {
  return ({ at, text, fate, conditions, actions, notes }: SourceLine): Fits<typeof line> => ({
    ...{ at, text, fate },
    becomes: [
      ...conditions.flatMap((each) => conditionLines(each.kind === "paren" ? each.conditions : [each], names)),
      ...actionLines(actions, names),
    ].map((each) => each.trim()),
    notes: notes.map(noteJson),
  });
}

function noteJson(note: Message): Fits<typeof noteData> {
  return { sentence: note.text, message: messageJson(note) };
}

/** Names from the outermost folder on. */
function pathOf({ folders }: Home, address: string): readonly string[] {
  const path: string[] = [];
  for (let at = folders.get(address); at && path.length < folders.size; at = folders.get(at.parent?.address ?? ""))
    path.unshift(at.name);
  return path;
}
