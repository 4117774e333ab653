/** The thread of the Matter controller. */

import { serveMatterThread } from "../matter-library.ts";
import type { ControllerEvent, ControllerOrder, ControllerTask } from "./controller-messages.ts";

await serveMatterThread<ControllerTask, ControllerOrder, ControllerEvent>(async (task, emit) => {
  const { ControllerNode } = await import("./controller-node.ts");
  const node = await ControllerNode.start(task, emit);
  // Orders to one device come in their order from the core; none waits for those to others.
  return { obey: (order) => node.obey(order), isUrgent: ({ kind }) => kind !== "close" };
});
