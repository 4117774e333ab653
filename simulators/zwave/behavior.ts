/** How the models answer for a mock node: they see bytes, the mock keeps encryption and encapsulation. */

import { CommandClass } from "@zwave-js/cc";
import { CommandClasses } from "@zwave-js/core";
import { followBootstrap } from "./bootstrap.ts";
import type { ClassName } from "./device-plan.ts";
import type { MockController, MockNode, MockNodeBehavior, MockNodeResponse } from "./mocks.ts";
import type { Answer, Body, Heard } from "./model.ts";
import { MODELS } from "./models-table.ts";

/** The parts of its device that the behavior uses. */
type Listener = Body & {
  /** Hears of everything that came. */
  note(heard: Heard): void;
  readonly refuses: ReadonlySet<ClassName>;
};

/** Encapsulations and the exchange of keys, which are the mock's. */
const CARRIERS: ReadonlySet<number> = new Set([
  CommandClasses.Security,
  CommandClasses["Security 2"],
  CommandClasses["Transport Service"],
  CommandClasses["Z-Wave Protocol"],
]);

export function createBehavior(device: Listener, controller: MockController): MockNodeBehavior {
  const followBootstrapFrame = followBootstrap({ later: (act, delayMs) => device.later(act, delayMs) }, controller);
  return {
    async handleCC(_controller, node, received) {
      followBootstrapFrame(node, received);
      if (CARRIERS.has(received.ccId)) return undefined;
      const heard = await readHeard(node, received);
      device.note(heard);
      const name = CommandClasses[heard.cc] as ClassName; // The enum's own names.
      if (device.refuses.has(name)) return { action: "fail" };
      const answer = MODELS.get(heard.cc)?.hear(device, heard) ?? null;
      return answer ? responseOf(answer, heard, controller) : undefined;
    },
  };
}

async function readHeard(node: MockNode, received: CommandClass): Promise<Heard> {
  const { endpointIndex, ccId } = received;
  const bytes = Buffer.from(await received.serialize(node.encodingContext));
  const CLASS_BYTES = received.isExtended() ? 2 : 1;
  return {
    endpoint: endpointIndex,
    cc: ccId,
    command: bytes[CLASS_BYTES] ?? 0,
    payload: bytes.subarray(CLASS_BYTES + 1),
  };
}

function responseOf(answer: Answer, heard: Heard, controller: MockController): MockNodeResponse {
  switch (answer.kind) {
    case "report": {
      const { ownNodeId: nodeId } = controller;
      const payload = Uint8Array.from(answer.payload);
      const cc = new CommandClass({ nodeId, ccId: heard.cc, ccCommand: answer.command, payload });
      return { action: "sendCC", cc };
    }
    case "done":
      return answer.durationMs === undefined ? { action: "ok" } : { action: "ok", durationMs: answer.durationMs };
    case "refused":
      return { action: "fail" };
    case "silence":
      return { action: "stop" };
  }
}
