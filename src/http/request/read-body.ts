/** Takes a request's body from the socket, within its limit; the slow ones are cut by the server's request timeout. */

import type { IncomingMessage } from "node:http";
import { ControllerError } from "../../errors.ts";

const EMPTY = Buffer.alloc(0);

/**
 * @param bytesMax the rest of a longer body is thrown away by Node, so the connection stays usable.
 * @throws ControllerError BODY_TOO_LARGE, BAD_REQUEST when the client goes away in the middle.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> | Buffer {
  const declared = request.headers["content-length"];
  if (declared === undefined && request.headers["transfer-encoding"] === undefined) return EMPTY;
  if (declared !== undefined && Number(declared) > bytesMax) throw new ControllerError("BODY_TOO_LARGE");
  return collect(request, bytesMax);
}

function collect(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (act: () => void) => {
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
