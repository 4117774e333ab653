/** A device says something by itself: in the encapsulation of its endpoint, under the best encryption that it was granted. */

import {
  CommandClass,
  MultiChannelCCCommandEncapsulation,
  Security2CC,
  Security2CCMessageEncapsulation,
  Security2CCNonceGet,
  Security2CCNonceReport,
  SecurityCC,
  SecurityCCNonceGet,
  SecurityCCNonceReport,
} from "@zwave-js/cc";
import { SecurityClass, SPANState } from "@zwave-js/core";
import { awaitDelivery, emit, type MockController, type MockNode } from "./mocks.ts";

type Said = {
  readonly endpoint: number;
  readonly cc: number;
  readonly command: number;
  readonly payload: readonly number[] | Uint8Array;
};

const NONCE_MS = 1000;
/** A nonce within this time after a message means that the message was not understood. */
const REPEAT_MS = 300;

export async function speak(node: MockNode, controller: MockController, said: Said): Promise<void> {
  const { ownNodeId: nodeId } = controller;
  const { endpoint, cc: ccId, command: ccCommand, payload } = said;
  const plain = new CommandClass({ nodeId, ccId, ccCommand, payload: Uint8Array.from(payload) });
  const placed =
    endpoint === 0
      ? plain
      : new MultiChannelCCCommandEncapsulation({
          nodeId,
          endpointIndex: endpoint,
          destination: 0,
          encapsulated: plain,
        });
  const encrypted = await encrypt(node, controller, placed);
  const isLost = encrypted instanceof Security2CCMessageEncapsulation ? awaitNonce(node, REPEAT_MS) : null;
  await emit(node, encrypted);
  // A controller that has forgotten where the two stood sends a nonce; the device says it again with that.
  isLost?.then(async () => emit(node, await encrypt(node, controller, placed))).catch(() => {});
}

function awaitNonce(node: MockNode, withinMs: number): Promise<Security2CCNonceReport> {
  const isNonce = (cc: CommandClass): cc is Security2CCNonceReport => cc instanceof Security2CCNonceReport;
  return awaitDelivery(node, isNonce, withinMs);
}

async function encrypt(
  node: MockNode,
  { ownNodeId: nodeId }: MockController,
  plain: CommandClass,
): Promise<CommandClass> {
  const granted = node.encodingContext.getHighestSecurityClass(node.id);
  const { securityManager, securityManager2 } = node.securityManagers;
  if (granted === undefined || granted === SecurityClass.None) return plain;
  if (granted === SecurityClass.S0_Legacy) {
    if (!securityManager) return plain;
    const [nonce] = await Promise.all([
      awaitDelivery(node, (cc): cc is SecurityCCNonceReport => cc instanceof SecurityCCNonceReport, NONCE_MS),
      emit(node, new SecurityCCNonceGet({ nodeId })),
    ]);
    const encrypted = SecurityCC.encapsulate(node.id, securityManager, plain);
    encrypted.nonce = nonce.nonce;
    return encrypted;
  }
  if (!securityManager2) return plain;
  if (securityManager2.getSPANState(nodeId).type === SPANState.None) {
    await Promise.all([awaitNonce(node, NONCE_MS), emit(node, new Security2CCNonceGet({ nodeId }))]);
  }
  return Security2CC.encapsulate(plain, node.id, node.securityManagers);
}
