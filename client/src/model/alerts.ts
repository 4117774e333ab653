/** The alerts of the home as the controller reports them, and answers to them. */

import type { Alert, AlertAnswered } from "./routes.ts";

export type { Alert, AlertAnswer, AlertAnswered } from "./routes.ts";

/** The alerts, in portal mode. Operations of the integration `alerts` add, change and remove them. */
export type Alerts = {
  list(): Promise<readonly Alert[]>;
  /** @param node address of its node @param button 1 to 3; left out: it only confirms */
  answer(node: string, button?: number): Promise<AlertAnswered>;
};
