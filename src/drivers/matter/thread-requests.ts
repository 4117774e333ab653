/** Requests to the thread of the controller, each with one end. */

import type { MatterThread } from "../matter-thread.ts";
import type { ControllerEvent, ControllerFailure, ControllerOrder } from "./controller-messages.ts";

export type Done = ControllerEvent & { readonly kind: "done" };
type Told = ControllerEvent & { readonly kind: "progress" | "asked" };

type Pending = { readonly settle: (done: Done) => void; readonly tell: (told: Told, request: number) => void };

const STOPPED: ControllerFailure = { reason: "internal", detail: "The driver was stopped." };

export class ThreadRequests {
  readonly #thread: MatterThread<ControllerOrder>;
  readonly #pending = new Map<number, Pending>();
  #last = 0;

  constructor(thread: MatterThread<ControllerOrder>) {
    this.#thread = thread;
  }

  /**
   * Never rejects.
   * @param signal what has not reached the device by then is not done any more
   * @param tell gets what happens until its end
   */
  ask(
    orderOf: (request: number) => ControllerOrder,
    signal: AbortSignal,
    tell: (told: Told, request: number) => void = () => {},
  ): Promise<Done> {
    this.#last += 1;
    const request = this.#last;
    return new Promise((resolve) => {
      const cancel = () => this.#thread.send({ kind: "cancel", request });
      const settle = (done: Done) => {
        signal.removeEventListener("abort", cancel);
        this.#pending.delete(request);
        resolve(done);
      };
      signal.addEventListener("abort", cancel, { once: true });
      this.#pending.set(request, { settle, tell });
      this.#thread.send(orderOf(request));
    });
  }

  settle(done: Done): void {
    this.#pending.get(done.request)?.settle(done);
  }

  tell(told: Told): void {
    this.#pending.get(told.request)?.tell(told, told.request);
  }

  end(): void {
    for (const [request, { settle }] of [...this.#pending]) settle({ kind: "done", request, failure: STOPPED });
  }
}
