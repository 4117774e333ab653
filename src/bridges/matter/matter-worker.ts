/** The thread of the Matter bridge. */

import { serveMatterThread } from "../../drivers/matter-library.ts";
import type { BridgeEvent, BridgeOrder, BridgeTask } from "./bridge-messages.ts";

await serveMatterThread<BridgeTask, BridgeOrder, BridgeEvent>(async (task, emit) => {
  const { BridgeNode } = await import("./bridge-node.ts");
  const node = await BridgeNode.start(task, emit);
  // An order may wait for the outcome of a command.
  return { obey: (order) => node.obey(order), isUrgent: ({ kind }) => kind === "outcome" };
});
