/** Takes a request's body from the socket, within its limits; the slow ones are cut by the server's request timeout. */

import type { IncomingMessage } from "node:http";
import { ControllerError } from "../../errors.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { Source } from "./fair-queue.ts";

const EMPTY = Buffer.alloc(0);

type BodyPorts = {
  /** The source whose budget pays for the body. */
  readonly source: Source;
  /** The rest of a longer body is thrown away by Node, so the connection stays usable. */
  readonly bytesMax: number;
  readonly budget: BodyBudget;
  /** The body makes room for another; its connection cannot be used further. */
  readonly onGivenUp: () => void;
};

/** @throws ControllerError BODY_TOO_LARGE, TOO_MANY_REQUESTS, BAD_REQUEST when the client disconnects in the middle. */
export function readBody(request: IncomingMessage, ports: BodyPorts): Promise<Buffer> | Buffer {
  const declared = request.headers["content-length"];
  if (declared === undefined && request.headers["transfer-encoding"] === undefined) return EMPTY;
  const bytes = declared === undefined ? ports.bytesMax : Number(declared);
  if (bytes > ports.bytesMax) throw new ControllerError("BODY_TOO_LARGE");
  return collect(request, bytes, ports);
}

function collect(
  request: IncomingMessage,
  bytesMax: number,
  { source, budget, onGivenUp }: BodyPorts,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const release = budget.reserve(source, bytesMax, () => {
      onGivenUp();
      settle(() => reject(new ControllerError("TOO_MANY_REQUESTS", { retryAfterS: 1 })));
    });
    const settle = (act: () => void) => {
      release();
      request.off("data", onData).off("end", onEnd).off("close", onClose);
      act();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else {
        settle(() => reject(new ControllerError("BODY_TOO_LARGE")));
        request.resume();
      }
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, bytes)));
    const onClose = () => settle(() => reject(new ControllerError("BAD_REQUEST")));
    request.on("data", onData).on("end", onEnd).on("close", onClose);
  });
}
