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

/** Real devices wait ten seconds. */
const REPEAT_MS = 200;
const NONCE_MS = 1000;

/** @returns what hears every command of the exchange before the mock does. */
export function followBootstrap({ later }: Pick<Body, "later">, controller: MockController) {
  let isConfirming = false;
  const repeat = (node: MockNode) => {
    const again = async () => {
      if (!isConfirming) return;
      await confirmGrant(node, controller).catch(() => {}); // Nobody listened; it says it again.
      later(() => void again(), REPEAT_MS);
    };
    later(() => void again(), REPEAT_MS);
  };
  return (node: MockNode, received: CommandClass): void => {
    if (received instanceof Security2CCKEXSet && !received.echo) {
      node.capabilities.securityClasses = new Set(received.grantedKeys);
    }
    if (received instanceof Security2CCPublicKeyReport && received.includingNode) {
      isConfirming = true;
      repeat(node);
    }
    if (received instanceof Security2CCKEXReport || received instanceof Security2CCKEXFail) isConfirming = false;
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
