/** Commissions one device. Import it after `configureLibrary`. */

import type { ClientNode, ServerNode } from "@matter/main";
import type { AttestationFinding, PairingCode } from "./controller-messages.ts";

type Ports = {
  /** Whether it continues in spite of what its certificates show. */
  accepts(findings: readonly AttestationFinding[]): Promise<boolean>;
  step(name: "found" | "securing" | "interviewing"): void;
  readonly signal: AbortSignal;
};

const DISCOVERY_MS = 120_000;
/** Nothing is said about these: the controller asks no server of the certificates' owner. */
const EXPECTED = new Set(["DclServiceUnavailable", "CdSignerVerificationSkipped"]);
const FINDINGS_MAX = 20;

export async function commissionPeer(root: ServerNode, code: PairingCode, ports: Ports): Promise<ClientNode> {
  const { passcode, discriminator, shortDiscriminator } = code;
  const discovery = root.peers.commission({
    passcode,
    ...(discriminator === null ? { shortDiscriminator } : { discriminator }),
    timeout: DISCOVERY_MS as never,
    onAttestationFailure: async (findings) => {
      const told = findings.filter(({ type }) => !EXPECTED.has(type)).slice(0, FINDINGS_MAX);
      return told.length === 0 || ports.accepts(told.map(({ level, message }) => ({ level, text: message })));
    },
  });
  const stop = () => discovery.cancel(new Error("The operation was canceled."));
  ports.signal.addEventListener("abort", stop, { once: true });
  try {
    return await discovery;
  } finally {
    ports.signal.removeEventListener("abort", stop);
  }
}
