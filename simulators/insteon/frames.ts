/** Messages of simulated devices, without addresses. */

export type Frame = { readonly cmd1: number; readonly cmd2: number; readonly data?: readonly number[] };

export type FollowUp = Frame & { readonly kind: "direct" | "identification" };

export type Reaction = {
  /** ACK, or NAK with its reason as cmd2. */
  readonly answer: Frame & { readonly refused?: boolean };
  readonly then?: readonly FollowUp[];
};

export function refuse({ cmd1 }: Frame, reason: number): Reaction {
  return { answer: { cmd1, cmd2: reason, refused: true } };
}
