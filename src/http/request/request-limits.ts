/** Shared by all listeners to limit floods: turns, memory for bodies, work under way, and known addresses. */

import type { Config } from "../../config.ts";
import type { Clock } from "../../util/clock.ts";
import { AssistantCommands } from "./assistant-commands.ts";
import { BodyBudget } from "./body-budget.ts";
import { ClientAddresses } from "./client-addresses.ts";
import { FairQueue } from "./fair-queue.ts";
import { KnownAddresses } from "./known-addresses.ts";
import { Repeats } from "./repeats.ts";
import { WorkLimits } from "./work-limits.ts";

const RELAYED_MAX = 4;

export type RequestLimits = {
  readonly turns: FairQueue;
  readonly bodies: BodyBudget;
  readonly work: WorkLimits;
  /** Questions about the past, which one thread answers. */
  readonly pastWork: WorkLimits;
  /** Requests that make others: far fewer than `work` allows, so that the others always find a place. */
  readonly relayedWork: WorkLimits;
  readonly assistantCommands: AssistantCommands;
  readonly addresses: ClientAddresses;
  readonly known: KnownAddresses;
  readonly repeats: Repeats;
};

/** @param written see Repeats. @throws ControllerError BAD_VALUE for a setting that names no addresses. */
export function createRequestLimits(config: Config, clock: Clock, written: Iterable<string> = []): RequestLimits {
  const addresses = new ClientAddresses(config.trustedProxies, config.forwardedHeader);
  return {
    turns: new FairQueue(),
    bodies: new BodyBudget(config),
    work: new WorkLimits(config),
    pastWork: new WorkLimits({ ...config, accountRequestsMax: config.accountHistoryQueriesMax }),
    relayedWork: new WorkLimits({ ...config, accountRequestsMax: RELAYED_MAX }),
    assistantCommands: new AssistantCommands(config, clock),
    addresses,
    known: new KnownAddresses(addresses),
    repeats: new Repeats(written),
  };
}
