/** `/api/proposals`: changes that assistants propose, with what is known about each, and the decision. @see docs/interface/proposals.md */

import type { Proposals } from "../../auth/proposals.ts";
import { PROPOSED_KINDS, type Proposal, type ProposedChange } from "../../auth/records.ts";
import { checkName, renameThing } from "../../commands/edit-nodes.ts";
import { undoForOwner } from "../../commands/move-in.ts";
import { containsSecured, needsFor } from "../../commands/secured-command.ts";
import { sendCommand } from "../../commands/send-command.ts";
import { ControllerError } from "../../errors.ts";
import type { Cause } from "../../home/cause.ts";
import { undoneEdits } from "../../home/edit-history.ts";
import type { Program } from "../../home/programs.ts";
import type { ReplayResult } from "../../replay/replay-result.ts";
import { isoTime, isoTimeOrNull } from "../../wire/times.ts";
import { envelope, type Reply } from "../reply.ts";
import { readCommandText } from "../rest/command-text.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, line, list, object, orNull, text, textOrNull, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { waitFor } from "../wait-for.ts";
import { apiRoute } from "./api-route.ts";
import { applyDraft, draftOf } from "./program-text.ts";
import { findingsOf } from "./verify/findings.ts";

const WEEK_MS = 7 * 86_400_000;
/** Of the replay; the request has a deadline. */
const WAIT_S = 10;
const LINES_MAX = 20;
const FINDINGS_MAX = 20;
const TEXT_CHARS_MAX = 50_000;
const WHY_CHARS_MAX = 1000;
const NAME_CHARS_MAX = 200;

const kind = { type: "string", enum: PROPOSED_KINDS } as const;
const string = { type: "string" } as const;

const proposalData = object(
  {
    id: string,
    account: text("Login of the account that proposes."),
    at: time,
    kind,
    title: text("What would be done, in a sentence without a period."),
    why: text("The reason that the assistant gives."),
    text: textOrNull("Of a program: its text afterwards."),
    before: textOrNull("Of a program: its text until now; null: it is a new one."),
    findings: list(object({ severity: string, sentence: string, line: { type: ["integer", "null"] } }), {
      description: "What verification finds in the program.",
    }),
    lastWeek: orNull(object({ differences: { type: "integer" }, lines: list(string) }), {
      description:
        "What the program would have done otherwise in the last week; null: it could not be replayed in time.",
    }),
    isSecured: {
      type: "boolean",
      description: "It always asks: it may move a lock, a garage door, a siren or an alarm.",
    },
    state: { type: "string", enum: ["waiting", "approved", "rejected"] },
    decidedBy: textOrNull("The person who decided; null: none, or allowed without asking."),
    decidedAt: { type: ["string", "null"] },
  },
  { title: "Proposal" },
);

const proposalBody = object(
  { kind, why: { type: "string", minLength: 1, maxLength: WHY_CHARS_MAX } },
  {
    optional: {
      text: { type: "string", maxLength: TEXT_CHARS_MAX, description: "`program`: the text form of docs/programs.md." },
      address: {
        type: "string",
        maxLength: NAME_CHARS_MAX,
        description: "`name`, `command`: the node, scene or folder.",
      },
      name: { type: "string", maxLength: NAME_CHARS_MAX, description: "`name`: the new one." },
      command: { type: "string", maxLength: NAME_CHARS_MAX, description: "`command`: its id." },
      value: { type: "number", description: "`command`: its parameter, if it has one." },
    },
    additionalProperties: false,
  },
);
const stopBody = object({ account: line(NAME_CHARS_MAX) }, { additionalProperties: false });
const stoppedData = object({
  rejected: { type: "integer", description: "Proposals that were waiting." },
  undone: list(string, { description: "Titles of the edits that were undone." }),
  kept: list(string, { description: "Edits that stay, each with the reason." }),
});

const route = apiRoute("proposals", "draft");

export const proposalRoutes: readonly Route[] = [
  route("GET /api/proposals", "The proposals, the newest first.", listProposals, { data: list(proposalData) }),
  route("POST /api/proposals", "Proposes a change.", propose, {
    body: proposalBody,
    holdsProgram: true,
    data: proposalData,
  }),
  route("POST /api/proposals/:id/approve", "Carries a proposal out.", approve, {
    access: "administer",
    data: proposalData,
  }),
  route("POST /api/proposals/:id/reject", "Rejects a proposal.", reject, { access: "administer", data: proposalData }),
  route("POST /api/proposals/stop", "Stops an assistant and undoes its edits.", stop, {
    access: "administer",
    body: stopBody,
    data: stoppedData,
  }),
];

/** An owner sees those of all accounts, unless it is an assistant of the owner that looks. */
function listProposals({ principal }: HttpRequest, { auth }: Services): Reply {
  const isDeciding = principal?.role === "owner" && !principal.isAssistant;
  return envelope(auth.proposals.list(isDeciding ? null : (principal?.accountId ?? "")).map(proposalJson));
}

async function propose(request: HttpRequest, services: Services): Promise<Reply> {
  const { why, ...body } = bodyOf(request, proposalBody);
  const { auth } = services;
  const accountId = request.principal?.accountId ?? "";
  const known = await examined(request, services, body);
  const proposed = await auth.proposals.add(accountId, { why, ...known });
  const allowed = auth.accounts.list().find(({ id }) => id === accountId)?.assistant ?? [];
  if (known.isSecured || !allowed.some((each) => each === known.change.kind)) return envelope(proposalJson(proposed));
  const done = await auth.proposals.decide(proposed.proposal.id, "approved", null, ({ proposal }) =>
    carryOut(services, proposal.change, request.cause, request.signal),
  );
  return envelope(proposalJson(done));
}

async function approve(request: HttpRequest, services: Services): Promise<Reply> {
  const by = request.principal?.login ?? "";
  const done = await services.auth.proposals.decide(request.params.id ?? "", "approved", by, ({ login, proposal }) =>
    carryOut(services, proposal.change, { ...request.cause, by: approvedBy(by, login) }, request.signal),
  );
  return envelope(proposalJson(done));
}

async function reject({ params, principal }: HttpRequest, { auth }: Services): Promise<Reply> {
  return envelope(proposalJson(await auth.proposals.decide(params.id ?? "", "rejected", principal?.login ?? "")));
}

/** Its tokens end first, so that nothing is proposed or commanded in between. */
async function stop(request: HttpRequest, services: Services): Promise<Reply> {
  const { auth, home } = services;
  const login = bodyOf(request, stopBody).account.toLowerCase();
  const account = auth.accounts.list().find((each) => each.kind === "portal" && each.login.toLowerCase() === login);
  if (!account) throw new ControllerError("ACCOUNT_NOT_FOUND");
  await auth.accounts.stop(account.id);
  const waiting = auth.proposals.list(account.id).filter(({ proposal }) => proposal.state === "waiting");
  for (const { proposal } of waiting)
    await auth.proposals.decide(proposal.id, "rejected", request.principal?.login ?? "");
  const undone: string[] = [];
  const kept: string[] = [];
  const isUndone = undoneEdits(home);
  const isOwn = (by: string | null) =>
    by?.startsWith(`${account.login} (assistant`) || by?.endsWith(approvedBy("", account.login));
  for (const { seq, title, undoes, cause } of [...home.edits.values()].reverse()) {
    if (undoes !== null || isUndone.has(seq) || !isOwn(cause.by)) continue;
    try {
      await undoForOwner(services, seq, request.cause);
      undone.push(title);
    } catch (error) {
      if (!(error instanceof ControllerError)) throw error;
      kept.push(`${title}: ${error.message}`);
    }
  }
  return envelope({ rejected: waiting.length, undone, kept });
}

/** For the journal and the history of edits; `stop` finds the edits of an assistant by it. */
function approvedBy(approver: string, proposer: string): string {
  return `${approver} (proposed by ${proposer})`;
}

type Examined = Omit<Proposal, "id" | "atMs" | "why" | "state" | "decidedBy" | "decidedAtMs">;
type Wanted = Omit<Fits<typeof proposalBody>, "why">;

/** What is known about a change before it is made. @throws ControllerError that making it would end with */
async function examined(request: HttpRequest, services: Services, wanted: Wanted): Promise<Examined> {
  const { home } = services;
  const { address = "", name = "", command = "" } = wanted;
  const nothing = { findings: [], lastWeek: null };
  switch (wanted.kind) {
    case "program":
      return examinedProgram(request, services, wanted.text ?? "");
    case "name": {
      const thing = home.nodes.get(address) ?? home.groups.get(address) ?? home.folders.get(address);
      if (!thing) throw new ControllerError("NODE_NOT_FOUND");
      const change = { kind: "name", address, name: checkName(name), before: thing.name } as const;
      const title = `Rename "${thing.name}" to "${name}"`;
      return { ...nothing, title, change, isSecured: containsSecured(services, address) };
    }
    case "command": {
      const thing = home.nodes.get(address) ?? home.groups.get(address);
      if (!thing) throw new ControllerError("NODE_NOT_FOUND");
      const values = wanted.value === undefined ? [] : [String(wanted.value)];
      readCommandText(services, address, command, values, new URLSearchParams());
      const title = `Send ${[command, ...values].join(" ")} to "${thing.name}"`;
      return { ...nothing, title, change: { kind: "command", address, command, values }, isSecured: true };
    }
  }
}

async function examinedProgram(request: HttpRequest, services: Services, written: string): Promise<Examined> {
  const { known, draft, placed, text: after, before } = await draftOf(services, written);
  // The shape is that of the findings on every other answer.
  const all = (await findingsOf(request, services, [draft], placed)) as readonly Proposal["findings"][number][];
  const findings = all
    .slice(0, FINDINGS_MAX)
    .map(({ severity, sentence, line: at }) => ({ severity, sentence, line: at }));
  const change = { kind: "program", text: after, before, version: known?.version ?? null } as const;
  const title = `${known ? "Change" : "Create"} the program "${draft.name}"`;
  const lastWeek = await lastWeekOf(request, services, after);
  const reaches = [draft, ...(known ? [known] : [])].some((program) => mayReachSecured(services, program));
  return { title, change, findings, lastWeek, isSecured: reaches };
}

/** Statements that can only do what they say; others start programs, write what programs wait for, or reach other machines. */
const PLAIN: ReadonlySet<string> = new Set([
  "wait",
  "repeat-times",
  "repeat-every",
  "repeat-while",
  "notify",
  "message",
]);

function mayReachSecured(services: Services, { tree }: Program): boolean {
  return [...tree.then, ...tree.else].some((action) =>
    action.kind === "command" ? needsFor(services, action.node, action.command).length > 0 : !PLAIN.has(action.kind),
  );
}

/** null when another replay is under way, the journal does not hold the week, or it takes too long. */
async function lastWeekOf({ signal }: HttpRequest, services: Services, written: string): Promise<Proposal["lastWeek"]> {
  const { replays, clock } = services;
  const order = { fromMs: clock.now() - WEEK_MS, untilMs: clock.now(), changes: [{ program: null, text: written }] };
  try {
    const { id } = await replays.begin(order);
    await waitFor(clock, WAIT_S, signal, (enough) => replays.settled(id, enough));
    const { result } = replays.read(id);
    replays.remove(id);
    return result && weekOf(result);
  } catch (error) {
    if (error instanceof ControllerError) return null;
    throw error;
  }
}

const MARKS = { removed: "-", added: "+", moved: "~", changed: "!" } as const;

function weekOf({ differences, differencesTotal }: ReplayResult): NonNullable<Proposal["lastWeek"]> {
  const lines = differences.slice(0, LINES_MAX).map((each) => `${MARKS[each.kind]} ${each.localTime} ${each.text}`);
  return { differences: differencesTotal, lines };
}

/** @throws ControllerError CONFLICT when the thing is another one since the proposal; what making the change ends with */
async function carryOut(services: Services, change: ProposedChange, cause: Cause, signal: AbortSignal): Promise<void> {
  switch (change.kind) {
    case "program":
      return applyDraft(services, change.text, change.version, cause);
    case "name": {
      const { home } = services;
      const { address, before, name } = change;
      const thing = home.nodes.get(address) ?? home.groups.get(address) ?? home.folders.get(address);
      if (thing?.name !== before) throw new ControllerError("CONFLICT");
      return renameThing(services, address, null, name, cause);
    }
    case "command": {
      const { address, command, values } = change;
      await sendCommand(
        services,
        readCommandText(services, address, command, values, new URLSearchParams()),
        cause,
        signal,
      );
    }
  }
}

function proposalJson({ login, proposal }: ReturnType<Proposals["list"]>[number]): Fits<typeof proposalData> {
  const { id, atMs, title, why, change, findings, lastWeek, state, decidedBy, decidedAtMs } = proposal;
  const isProgram = change.kind === "program";
  return {
    ...{ id, account: login, at: isoTime(atMs), kind: change.kind, title, why },
    ...{ text: isProgram ? change.text : null, before: isProgram ? change.before : null },
    ...{ findings, lastWeek, isSecured: proposal.isSecured, state, decidedBy, decidedAt: isoTimeOrNull(decidedAtMs) },
  };
}
