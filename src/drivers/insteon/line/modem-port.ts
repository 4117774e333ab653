/** The line to a modem: a serial port, or a TCP port behind which one is. */

import { connect, type Socket } from "node:net";
import { messageOf } from "../../../util/message-of.ts";

export type ModemPort = {
  write(bytes: Uint8Array): void;
  /** Called once, before anything is written. */
  listen(onBytes: (bytes: Uint8Array) => void): void;
  close(): void;
};

const BAUD_RATE = 19_200;
const PART_BYTES = 256;

/**
 * @param path of a serial port, or `tcp://HOST:PORT`
 * @param onLost called once with a sentence, unless the port was closed from here
 */
export async function openModemPort(
  path: string,
  signal: AbortSignal,
  onLost: (detail: string) => void,
): Promise<ModemPort> {
  return path.startsWith("tcp://") ? openTcp(path, signal, onLost) : openSerial(path, onLost);
}

function openTcp(path: string, signal: AbortSignal, onLost: (detail: string) => void): Promise<ModemPort> {
  const { hostname, port } = new URL(path.replace(/^tcp:/, "http:"));
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80), signal });
  socket.setNoDelay().setKeepAlive(true, 30_000);
  return new Promise((resolve, reject) => {
    let isClosed = false;
    let problem = "the other side closed the connection";
    socket.on("error", (error) => {
      problem = messageOf(error);
      reject(new Error(`The modem at ${path} cannot be reached: ${problem}.`, { cause: error }));
    });
    socket.on("close", () => {
      if (!isClosed) onLost(`The connection to the modem at ${path} was lost: ${problem}.`);
      isClosed = true;
    });
    socket.on("connect", () =>
      resolve({
        write: (bytes) => void socket.write(bytes),
        listen: (onBytes) => void socket.on("data", (chunk) => readInParts(socket, chunk, onBytes)),
        close: () => {
          isClosed = true;
          socket.destroy();
        },
      }),
    );
  });
}

/** A server may send faster than any modem: each part of what has arrived is read in a turn of its own. */
function readInParts(socket: Socket, chunk: Buffer, onBytes: (bytes: Uint8Array) => void): void {
  let at = 0;
  const readPart = () => {
    onBytes(chunk.subarray(at, at + PART_BYTES));
    at += PART_BYTES;
    if (at < chunk.length) setImmediate(readPart);
    else socket.resume();
  };
  if (chunk.length > PART_BYTES) socket.pause();
  readPart();
}

/** The library is imported only where a serial port is used. */
async function openSerial(path: string, onLost: (detail: string) => void): Promise<ModemPort> {
  const { SerialPort } = await import("serialport");
  const serial = new SerialPort({ path, baudRate: BAUD_RATE, autoOpen: false });
  await new Promise<void>((resolve, reject) =>
    serial.open((error) => {
      if (error) reject(new Error(`The modem's port ${path} cannot be opened: ${error.message}`, { cause: error }));
      else resolve();
    }),
  );
  let isClosed = false;
  const lose = (detail: string) => {
    if (!isClosed) onLost(`The modem at ${path} was lost: ${detail}.`);
    isClosed = true;
  };
  serial.on("close", () => lose("the port was closed"));
  serial.on("error", (error) => lose(messageOf(error)));
  return {
    write: (bytes) => void serial.write(Buffer.from(bytes)),
    listen: (onBytes) => void serial.on("data", onBytes),
    close: () => {
      isClosed = true;
      serial.close(() => {});
    },
  };
}
