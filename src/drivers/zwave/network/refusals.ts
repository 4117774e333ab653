/**
 * The adapter may refuse to open or close its network, and says so in its first answer. The library takes that answer for the
 * beginning and waits for a device that cannot come; here it becomes the error that the library expects in its place.
 */

import type { Radio } from "../radio.ts";

const ADD_NODE = 0x4a;
const REMOVE_NODE = 0x4b;
const STOP = 5;

type Request = { readonly functionType?: number; readonly addNodeType?: number; readonly removeNodeType?: number };
type Answer = { readonly isOK?: () => boolean } | undefined;

/** Once for every stack, before anything is begun on it. */
export function hearRefusals({ library, stack }: Pick<Radio, "library" | "stack">): void {
  const send = stack.sendMessage.bind(stack);
  const refusable: typeof stack.sendMessage = async (message, options) => {
    const answer = await send(message, options);
    // Members of some of the library's messages; each is read for what it may be.
    if (isBeginning(message as Request) && (answer as Answer)?.isOK?.() === false) {
      throw new library.ZWaveError("The adapter refused.", library.ZWaveErrorCodes.Controller_CallbackNOK);
    }
    // The library's own type of the answer cannot be told from the message.
    return answer as never;
  };
  stack.sendMessage = refusable;
}

function isBeginning({ functionType, addNodeType, removeNodeType }: Request): boolean {
  if (functionType !== ADD_NODE && functionType !== REMOVE_NODE) return false;
  return (addNodeType ?? removeNodeType) !== STOP;
}
