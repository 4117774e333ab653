/**
 * The far side of `Children.fork`: a generator or a server of the bench answers calls of the process that runs it.
 * Each answer carries how well the process was meanwhile.
 */

import { type Health, watchOwnHealth } from "./own-health.ts";

export type CallMessage = { readonly id: number; readonly call: string; readonly input: unknown };
export type TellMessage = { readonly tell: string; readonly value: unknown };
export type AnswerMessage =
  | { readonly id: number; readonly value: unknown; readonly health: Health }
  | { readonly id: number; readonly failure: string };

type Handlers = Readonly<Record<string, (input: never) => unknown>>;

/** Ends with the process that forked it. @param onTell receives messages that need no answer. */
export function serveCalls(handlers: Handlers, onTell: (name: string, value: unknown) => void = () => {}): void {
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message: CallMessage | TellMessage) => {
    if ("tell" in message) onTell(message.tell, message.value);
    else void answer(handlers, message).then((reply) => process.send?.(reply));
  });
}

export function tellParent(name: string, value: unknown): void {
  process.send?.({ tell: name, value } satisfies TellMessage);
}

async function answer(handlers: Handlers, { id, call, input }: CallMessage): Promise<AnswerMessage> {
  const endWatch = watchOwnHealth();
  try {
    const handler = handlers[call];
    if (!handler) throw new Error(`There is no call "${call}".`);
    const value: unknown = await handler(input as never);
    return { id, value, health: endWatch() };
  } catch (error) {
    endWatch();
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
