/**
 * The exchange of S2 keys as a joining device leads it, where the library's mock falls short: the mock takes more than it was
 * granted, and says only once what it has to say until the person at the controller has typed the PIN.
 */

import {
  type CommandClass,
  ECDHProfiles,
  KEXSchemes,
  Security2CC,
  Security2CCKEXFail,
  Security2CCKEXReport,
  Security2CCKEXSet,
  Security2CCNonceGet,
  Security2CCNonceReport,
  Security2CCPublicKeyReport,
} from "@zwave-js/cc";
import { awaitDelivery, emit, type MockController, type MockNode } from "./mocks.ts";
import type { Body } from "./model.ts";

/** After it was not understood. */
const REPEAT_MS = 150;
/** Timeout without any message. Real devices wait ten seconds after any message. */
const SILENCE_MS = 1500;
const NONCE_MS = 1000;

/** @returns a function that receives every command of the exchange before the mock does. */
export function followBootstrap({ later }: Pick<Body, "later">, controller: MockController) {
  let isConfirming = false;
  let noncesAsked = 0;
  let confirmations = 0;
  const repeat = (node: MockNode) => {
    if (!isConfirming) return;
    noncesAsked = 1;
    void confirmGrant(node, controller).catch(() => {}); // Nobody listened; it says it again.
    repeatAfterSilence(node);
  };
  const repeatAfterSilence = (node: MockNode) => {
    confirmations += 1;
    const mine = confirmations;
    later(() => {
      if (mine === confirmations) repeat(node);
    }, SILENCE_MS);
  };
  return (node: MockNode, received: CommandClass): void => {
    if (received instanceof Security2CCKEXSet && !received.echo) {
      node.capabilities.securityClasses = new Set(received.grantedKeys);
    } else if (received instanceof Security2CCPublicKeyReport && received.includingNode) {
      isConfirming = true;
      noncesAsked = 1; // The mock asks for one and confirms once.
      repeatAfterSilence(node);
    } else if (received instanceof Security2CCKEXReport || received instanceof Security2CCKEXFail) {
      isConfirming = false;
    } else if (received instanceof Security2CCNonceReport && isConfirming) {
      noncesAsked -= 1;
      // A nonce that was not requested. The controller cannot decrypt it, because the PIN was not entered yet.
      if (noncesAsked < 0) later(() => repeat(node), REPEAT_MS);
    }
  };
}

async function confirmGrant(node: MockNode, { ownNodeId: nodeId }: MockController): Promise<void> {
  const isNonce = (cc: CommandClass): cc is Security2CCNonceReport => cc instanceof Security2CCNonceReport;
  node.securityManagers.securityManager2?.deleteNonce(nodeId);
  await Promise.all([awaitDelivery(node, isNonce, NONCE_MS), emit(node, new Security2CCNonceGet({ nodeId }))]);
  const echo = new Security2CCKEXSet({
    nodeId,
    echo: true,
    selectedKEXScheme: KEXSchemes.KEXScheme1,
    selectedECDHProfile: ECDHProfiles.Curve25519,
    permitCSA: false,
    grantedKeys: [...node.capabilities.securityClasses],
  });
  await emit(node, Security2CC.encapsulate(echo, node.id, node.securityManagers));
}
