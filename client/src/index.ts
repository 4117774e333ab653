/** The public types of the library; `node.ts` and `browser.ts` add `connect` for their platform. */

export * from "./api.ts";
export type { Clock, Timer } from "./clock.ts";
export { ClientError, type ClientErrorCode, type ClientErrorDetail, type TextProblem } from "./errors.ts";
export type { ClientLog } from "./log.ts";
export type * from "./model/accounts.ts";
export type * from "./model/edit-records.ts";
export type * from "./model/events.ts";
export type * from "./model/finding.ts";
export type * from "./model/guests.ts";
export type * from "./model/history.ts";
export type * from "./model/integrations.ts";
export { isOver } from "./model/integrations.ts";
export type * from "./model/matter.ts";
export type * from "./model/move-in.ts";
export type * from "./model/plugins.ts";
export type * from "./model/profile.ts";
export type * from "./model/proposals.ts";
export type * from "./model/radio-network.ts";
export type * from "./model/records.ts";
export type * from "./model/replays.ts";
export type { KnownParameter } from "./model/routes.ts";
export type * from "./model/shape.ts";
export type { HomeSnapshot } from "./model/snapshot.ts";
export type * from "./model/token-store.ts";
export type * from "./transport/transport.ts";
export { type Whole, within } from "./typed/within.ts";
