/** Changes that assistants propose. @see docs/interface/proposals.md */

import type { Proposal, Routes } from "./routes.ts";

export type { Proposal } from "./routes.ts";

export type NewProposal = Routes["POST /api/proposals"]["body"];
/** What became of the proposals and edits of an assistant that was stopped. */
export type StoppedAssistant = Routes["POST /api/proposals/stop"]["data"];

/** In portal mode; owners decide about those of all accounts. */
export type Proposals = {
  /** The newest first. */
  list(): Promise<readonly Proposal[]>;
  add(proposal: NewProposal): Promise<Proposal>;
  /** Makes the change, as one edit. */
  approve(id: string): Promise<Proposal>;
  reject(id: string): Promise<Proposal>;
  /** Ends the sessions of an account, rejects what it proposes and undoes its edits. @param account its login */
  stop(account: string): Promise<StoppedAssistant>;
};
