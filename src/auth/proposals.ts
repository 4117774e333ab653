/** Changes that assistants propose and a person decides about. Stored with the account that proposes, so they end with it. */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { type Randomness, randomId } from "../util/randomness.ts";
import { type AccountStore, findAccountById, type Proposal } from "./records.ts";

type NewProposal = Omit<Proposal, "id" | "atMs" | "state" | "decidedBy" | "decidedAtMs">;

/** A proposal with the account that proposes. */
type Proposed = { readonly accountId: string; readonly login: string; readonly proposal: Proposal };

export type Proposals = {
  /** The newest first. @param accountId null: of all accounts */
  list(accountId: string | null): readonly Proposed[];
  /** On disk when it settles, as the decision. @throws ControllerError ACCOUNT_NOT_FOUND, LIMIT_REACHED */
  add(accountId: string, proposal: NewProposal): Promise<Proposed>;
  /**
   * Decides once, also when two persons decide at the same moment.
   * @param by null: allowed without asking
   * @param carryOut before it counts as decided
   * @throws ControllerError PROPOSAL_NOT_FOUND; CONFLICT when it is decided; what `carryOut` throws
   */
  decide(
    id: string,
    state: "approved" | "rejected",
    by: string | null,
    carryOut?: (proposed: Proposed) => Promise<void>,
  ): Promise<Proposed>;
};

type ProposalParts = {
  readonly accounts: AccountStore;
  readonly config: Pick<Config, "proposalsMax">;
  readonly clock: Clock;
  readonly randomness: Randomness;
};

const ID_BYTES = 4;

export function createProposals({ accounts, config, clock, randomness }: ProposalParts): Proposals {
  const underWay = new Set<string>();
  const list = (accountId: string | null): readonly Proposed[] =>
    accounts
      .accounts()
      .filter(({ id }) => accountId === null || id === accountId)
      .flatMap(({ id, login, proposals = [] }) => proposals.map((proposal) => ({ accountId: id, login, proposal })))
      .sort((one, other) => other.proposal.atMs - one.proposal.atMs);
  const find = (id: string): Proposed => {
    const found = list(null).find(({ proposal }) => proposal.id === id);
    if (!found) throw new ControllerError("PROPOSAL_NOT_FOUND");
    return found;
  };
  const put = async (accountId: string, proposal: Proposal): Promise<Proposed> => {
    const account = findAccountById(accounts, accountId);
    if (!account) throw new ControllerError("ACCOUNT_NOT_FOUND");
    const others = (account.proposals ?? []).filter(({ id }) => id !== proposal.id);
    const waiting = others.filter(isWaiting);
    if (isWaiting(proposal) && waiting.length >= config.proposalsMax) throw new ControllerError("LIMIT_REACHED");
    const decided = others.filter((other) => !isWaiting(other)).slice(-config.proposalsMax);
    await accounts.putAccount({ ...account, proposals: [...decided, ...waiting, proposal] });
    return { accountId, login: account.login, proposal };
  };
  return {
    list,
    add: (accountId, proposal) =>
      put(accountId, {
        ...{ ...proposal, id: randomId(randomness, ID_BYTES), atMs: clock.now() },
        ...{ state: "waiting", decidedBy: null, decidedAtMs: null },
      }),
    async decide(id, state, by, carryOut) {
      const proposed = find(id);
      if (!isWaiting(proposed.proposal) || underWay.has(id))
        throw new ControllerError("CONFLICT", "The proposal is decided already.");
      underWay.add(id);
      try {
        await carryOut?.(proposed);
        const decided = { state, decidedBy: by, decidedAtMs: clock.now() };
        return await put(proposed.accountId, { ...proposed.proposal, ...decided });
      } finally {
        underWay.delete(id);
      }
    },
  };
}

function isWaiting({ state }: Proposal): boolean {
  return state === "waiting";
}
