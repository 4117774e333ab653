/** Operations of the Matter controller: a device is included by its code, and removed. */

import { ControllerError } from "../../errors.ts";
import type { Operation, OperationQuestion } from "../../home/operation.ts";
import { messageOf } from "../../util/message-of.ts";
import { type OperationInput, type OperationRow, OperationTable } from "../operation-table.ts";
import type { Turn } from "../operations.ts";
import { membersSchema } from "../settings-schema.ts";
import type { AttestationFinding } from "./controller-messages.ts";
import { MATTER, type MatterDevice } from "./matter-devices.ts";
import { readPairingCode } from "./pairing-code.ts";
import type { Running } from "./running.ts";
import type { Done } from "./thread-requests.ts";

type MatterTurn = Turn & { readonly running: Running };
type Kind = OperationRow & { readonly work: (turn: MatterTurn, input: OperationInput) => Promise<string> };

/** A device ends commissioning by itself after a minute without a step. */
const ANSWER_MS = 50_000;
const STEPS = {
  found: "Found the device. Opening a secure connection.",
  securing: "Giving the device its certificates.",
  interviewing: "Asking the device what it has.",
} as const;

const KINDS: Readonly<Record<string, Kind>> = {
  include: {
    name: "Add a device",
    about: "Looks for the device with this code in the network. A phone shares its device and shows the code.",
    input: membersSchema(
      {
        code: {
          ...{ type: "string", minLength: 1, maxLength: 300, title: "Code" },
          description: "The 11 or 21 digits of the device, or the text of its QR code, which begins with MT:.",
        },
      },
      "code",
    ),
    work: include,
  },
  exclude: {
    name: "Remove a device",
    about: "Removes the controller from a device. Other controllers of the device keep it.",
    input: membersSchema(
      {
        address: {
          ...{ type: "string", title: "Device" },
          description: "The address of a node of the device, such as ZM00001_001_1.",
        },
        force: {
          ...{ type: "boolean", title: "Force", default: false },
          description: "Also when the device does not answer.",
        },
      },
      "address",
    ),
    work: exclude,
  },
};

const NOT_ACCEPTED = "The device was not added, because its certificates were not accepted.";
const NOT_FOUND =
  "The device was not found, or gave up. Is it in its pairing mode, in this network, and is this its own code? Many devices leave their pairing mode after some minutes.";

export class MatterCommissioning extends OperationTable<Running, Kind> {
  constructor(running: () => Running | null) {
    super(KINDS, running);
  }

  protected carryOut(running: Running, kind: string, { about, work }: Kind, given: OperationInput): Operation {
    const address = typeof given.address === "string" ? given.address : null;
    if (address !== null && !running.devices.find(address)) throw new ControllerError("NODE_NOT_FOUND");
    if (typeof given.code === "string") readPairingCode(given.code);
    const ground = { host: running.host, family: MATTER, lost: running.lost.signal, sentenceOf: messageOf };
    return this.operations.begin(ground, kind, address, about, (turn) => work({ ...turn, running }, given));
  }
}

async function include(turn: MatterTurn, { code: text }: OperationInput): Promise<string> {
  const { requests, devices } = turn.running;
  const code = readPairingCode(String(text));
  turn.tell({ stage: "waiting", detail: "Looking for the device in the network." });
  let isAccepted = true;
  const done = await requests.ask(
    (request) => ({ kind: "commission", request, code }),
    turn.signal,
    async (told, request) => {
      if (told.kind === "asked") isAccepted = await decide(turn, told.findings, request);
      else turn.tell({ stage: told.step, detail: STEPS[told.step] });
    },
  );
  turn.signal.throwIfAborted();
  if (done.failure !== null) throw new Error(isAccepted ? refusalOf(turn, done.failure) : NOT_ACCEPTED);
  const device = devices.ofPeer(done.peer ?? "");
  turn.tell({ address: device?.units[0]?.nodes[0]?.address ?? null });
  if (!device) return "The device was added.";
  return describe(device);
}

/** The device waits for the answer, for a minute. */
async function decide(turn: MatterTurn, findings: readonly AttestationFinding[], request: number): Promise<boolean> {
  const { host, thread } = turn.running;
  const timer = host.clock.setTimer(() => turn.withdraw(), ANSWER_MS);
  let isAccepted = false;
  try {
    const answer = await turn.ask(questionOf(findings), "The certificates of the device show something. Add it?");
    isAccepted = answer.kind === "confirm";
  } catch {
    // No answer came in time, or the operation has ended.
  }
  timer.cancel();
  thread.send({ kind: "accept", request, isAccepted });
  if (isAccepted) turn.tell({ stage: "securing", detail: STEPS.securing });
  return isAccepted;
}

function questionOf(findings: readonly AttestationFinding[]): OperationQuestion {
  return {
    kind: "confirm",
    data: { findings: findings.map(({ text }) => text) },
    answer: { type: "object", properties: {}, required: [], additionalProperties: false },
  };
}

/** The library's own words are in the log. */
function refusalOf({ running }: MatterTurn, { reason, detail }: NonNullable<Done["failure"]>): string {
  running.host.log.warn("A Matter device could not be added.", { detail });
  return reason === "unreachable" ? NOT_FOUND : detail;
}

function describe({ description, units }: MatterDevice): string {
  const bridged = units.filter(({ key }) => key !== "").length;
  if (bridged > 0) return `${description.name} was added, with ${bridged} devices.`;
  return units.length > 0
    ? `${description.name} was added.`
    : `${description.name} was added. It has nothing that can be shown.`;
}

async function exclude({ running, tell, signal }: MatterTurn, { address, force }: OperationInput): Promise<string> {
  const { devices, requests, peers } = running;
  const found = devices.find(String(address));
  if (!found) throw new ControllerError("NODE_NOT_FOUND");
  const { device } = found;
  const { peer, name } = device.description;
  tell({ stage: "working", detail: `Removing ${name}.` });
  if (peers.has(peer)) {
    devices.setRemoving(device, true);
    const { failure } = await requests.ask(
      (request) => ({ kind: "remove", request, peer, force: force === true }),
      signal,
    );
    devices.setRemoving(device, false);
    if (failure !== null) {
      throw new Error(`${failure.detail} To remove the device without its answer, use force, and reset it afterwards.`);
    }
  }
  peers.delete(peer);
  devices.remove(device);
  return force === true
    ? `${name} was removed here. Reset it, or remove the controller in its app.`
    : `${name} was removed.`;
}
