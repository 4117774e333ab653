/**
 * Encodes bodies for the socket: WebSocket text frames of a server (RFC 6455, unmasked, never fragmented), many in
 * one buffer, so that a client needs one write for any number of waiting events.
 */

import { insideJson, type Surface } from "./event-body.ts";

/** How events stand on the connection: as frames of a WebSocket, or each as an HTTP message of its own. */
export type Framing = "websocket" | "http";

type Frame = {
  size(payload: number): number;
  /** @returns the offset behind the header. */
  writeHeader(out: Buffer, at: number, payload: number): number;
};

/** The parts of an event in front of its tail that one connection repeats. */
export type EventHead = {
  /** Up to the sequence number. */
  readonly opening: Buffer;
  /** The bytes after the sequence number: its closing quotes and the subscription's id. */
  readonly sid: Buffer;
  readonly frame: Frame;
};

const XML_OPENING = '<?xml version="1.0" encoding="UTF-8"?><Event seqnum="';
const OPENINGS: Readonly<Record<Surface, Buffer>> = {
  rest: Buffer.from(XML_OPENING),
  api: Buffer.from(`{"type":"event","data":"${insideJson(XML_OPENING)}`),
};

const FINAL_TEXT = 0x81;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;
const DIGIT_ZERO = 48;

/** The oldest clients cut off exactly this prolog, and look for the name of the header in capitals. */
const POSTED_OPENING = Buffer.from('<?xml version="1.0"?><Event seqnum="');
const POST_BEGIN = Buffer.from("POST reuse HTTP/1.1\r\nHOST:domovoi\r\nCONTENT-TYPE:text/xml\r\nCONTENT-LENGTH:");
const POST_END = Buffer.from("\r\nConnection: Keep-Alive\r\n\r\n");
const POSTED: Frame = {
  size: (payload) => POST_BEGIN.length + digitsOf(payload) + POST_END.length + payload,
  writeHeader(out, at, payload) {
    out.set(POST_BEGIN, at);
    const end = writeDigits(out, at + POST_BEGIN.length, digitsOf(payload), payload);
    out.set(POST_END, end);
    return end + POST_END.length;
  },
};

export function eventHead(surface: Surface, sid: number, framing: Framing): EventHead {
  const xml = `" sid="uuid:${sid}"`;
  if (framing === "http") return { opening: POSTED_OPENING, sid: Buffer.from(xml), frame: POSTED };
  const frame = { size: framedSize, writeHeader };
  return { opening: OPENINGS[surface], sid: Buffer.from(surface === "api" ? insideJson(xml) : xml), frame };
}

/**
 * Frames of the events with these bodies, numbered from `firstSeqnum`.
 * @param bodies bytes of the head's surface.
 */
export function eventFrames(head: EventHead, firstSeqnum: number, bodies: readonly Buffer[]): Buffer {
  const fixed = head.opening.length + head.sid.length;
  let size = 0;
  let seqnum = firstSeqnum;
  for (const body of bodies) size += head.frame.size(fixed + digitsOf(seqnum++) + body.length);
  const out = Buffer.allocUnsafe(size);
  let at = 0;
  seqnum = firstSeqnum;
  for (const body of bodies) {
    const digits = digitsOf(seqnum);
    at = head.frame.writeHeader(out, at, fixed + digits + body.length);
    out.set(head.opening, at);
    at = writeDigits(out, at + head.opening.length, digits, seqnum++);
    out.set(head.sid, at);
    at += head.sid.length;
    out.set(body, at);
    at += body.length;
  }
  return out;
}

/** One text frame. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const out = Buffer.allocUnsafe(framedSize(payload.length));
  out.set(payload, writeHeader(out, 0, payload.length));
  return out;
}

function framedSize(payload: number): number {
  if (payload < LENGTH_IN_TWO_BYTES) return payload + 2;
  return payload < 0x1_0000 ? payload + 4 : payload + 10;
}

/** @returns the offset behind the header. */
function writeHeader(out: Buffer, at: number, payload: number): number {
  out[at] = FINAL_TEXT;
  if (payload < LENGTH_IN_TWO_BYTES) {
    out[at + 1] = payload;
    return at + 2;
  }
  if (payload < 0x1_0000) {
    out[at + 1] = LENGTH_IN_TWO_BYTES;
    out[at + 2] = payload >>> 8;
    out[at + 3] = payload & 0xff;
    return at + 4;
  }
  out[at + 1] = LENGTH_IN_EIGHT_BYTES;
  out.writeBigUInt64BE(BigInt(payload), at + 2);
  return at + 10;
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
  return digits;
}

/** @returns the offset behind the digits. */
function writeDigits(out: Buffer, at: number, digits: number, value: number): number {
  let rest = value;
  for (let place = at + digits - 1; place >= at; place -= 1) {
    const tenth = Math.floor(rest / 10);
    out[place] = DIGIT_ZERO + rest - tenth * 10;
    rest = tenth;
  }
  return at + digits;
}
