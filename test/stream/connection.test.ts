import { EventEmitter } from "node:events";
import { Duplex } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { Connection } from "../../src/stream/connection.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";

const LIMITS = { streamSocketBytesMax: 100, streamStallMs: 5000, streamMessagesPerMinute: 3 };
const MINUTE_MS = 60_000;

/** A socket that accepts bytes when the test allows it. */
class SlowSocket extends Duplex {
  readonly written: Buffer[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(chunk);
    this.#waiting.push(done);
  }

  override _read(): void {}

  drain(): void {
    this.#waiting.shift()?.();
  }
}

function connected() {
  const emitter = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    close: vi.fn(),
    terminate: vi.fn(),
    ping: vi.fn(),
    pong: vi.fn(),
  });
  const socket = new SlowSocket();
  const clock = new VirtualClock(1_000_000);
  // The parts of a WebSocket that a connection uses.
  const connection = new Connection(emitter as unknown as WebSocket, socket, LIMITS, clock);
  const listener = { onMessage: vi.fn(), onDrain: vi.fn(), onClosed: vi.fn() };
  connection.start(listener);
  const say = (times: number) => {
    for (let time = 0; time < times; time += 1) emitter.emit("message", Buffer.from("x"), false);
  };
  return { ws: emitter, socket, clock, connection, listener, say };
}

describe("a client that breaks the protocol", () => {
  test("is read no further, has a second to learn why, and is cut then", async () => {
    const { ws, socket, clock } = connected();
    socket.resume();
    ws.emit("error", new Error("Invalid frame"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(socket.isPaused()).toBe(true);
    await clock.advance(999);
    expect(ws.terminate).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(ws.terminate).toHaveBeenCalledOnce();
  });
});

describe("messages of a client", () => {
  test("are taken up to the limit of a minute; one more closes the stream, and is not taken", () => {
    const { ws, listener, say } = connected();
    say(3);
    expect(listener.onMessage).toHaveBeenCalledTimes(3);
    expect(ws.close).not.toHaveBeenCalled();
    say(1);
    expect(ws.close).toHaveBeenCalledExactlyOnceWith(1008, "Too many messages.");
    expect(listener.onMessage).toHaveBeenCalledTimes(3);
  });

  test("of the last millisecond of a minute count in it, those of the next one in the next", async () => {
    const late = connected();
    late.say(3);
    await late.clock.advance(MINUTE_MS - 1);
    late.say(1);
    expect(late.ws.close).toHaveBeenCalledOnce();
    const next = connected();
    next.say(3);
    await next.clock.advance(MINUTE_MS);
    next.say(3);
    expect(next.ws.close).not.toHaveBeenCalled();
    next.say(1);
    expect(next.ws.close).toHaveBeenCalledOnce();
  });

  test("pings and pongs count as messages", () => {
    const { ws } = connected();
    for (const kind of ["ping", "pong", "ping", "ping"]) ws.emit(kind, Buffer.alloc(0));
    expect(ws.pong).toHaveBeenCalledTimes(2);
    expect(ws.close).toHaveBeenCalledOnce();
  });

  test("are not taken any more once the stream is being closed", () => {
    const { connection, listener, say } = connected();
    connection.close(1001, "The controller is stopping.");
    say(1);
    expect(listener.onMessage).not.toHaveBeenCalled();
  });
});

describe("a socket", () => {
  test("is full when more bytes wait than the limit, not when as many do", () => {
    const { socket, connection } = connected();
    connection.write(Buffer.alloc(LIMITS.streamSocketBytesMax));
    expect(socket.writableLength).toBe(LIMITS.streamSocketBytesMax);
    expect(connection.isFull).toBe(false);
    connection.write(Buffer.alloc(1));
    expect(connection.isFull).toBe(true);
  });

  test("has stalled when nothing was taken for the time of the limit, and not a millisecond before", async () => {
    const { clock, connection } = connected();
    await clock.advance(10_000);
    connection.write(Buffer.alloc(10));
    await clock.advance(LIMITS.streamStallMs - 1);
    expect(connection.hasStalled()).toBe(false);
    await clock.advance(1);
    expect(connection.hasStalled()).toBe(true);
  });

  test("has not stalled as long as it takes some of what waits", async () => {
    const { socket, clock, connection } = connected();
    connection.write(Buffer.alloc(10));
    connection.write(Buffer.alloc(10));
    await clock.advance(LIMITS.streamStallMs - 1);
    socket.drain();
    expect(connection.hasStalled()).toBe(false);
    await clock.advance(LIMITS.streamStallMs - 1);
    expect(connection.hasStalled()).toBe(false);
    await clock.advance(1);
    expect(connection.hasStalled()).toBe(true);
  });

  test("never stalls when nothing waits", async () => {
    const { clock, connection } = connected();
    await clock.advance(10 * LIMITS.streamStallMs);
    expect(connection.hasStalled()).toBe(false);
  });

  test("gets nothing once the stream is being closed, nor when the other side has closed it", () => {
    const closing = connected();
    closing.connection.close(1001, "The controller is stopping.");
    closing.connection.write(Buffer.from("late"));
    expect(closing.socket.written).toEqual([]);
    const gone = connected();
    gone.ws.readyState = 2;
    gone.connection.write(Buffer.from("late"));
    expect(gone.socket.written).toEqual([]);
  });
});

describe("a stream that is closed", () => {
  test("sends its reason once, and its socket is destroyed a second later", async () => {
    const { ws, clock, connection } = connected();
    connection.close(1008, "The session has ended.");
    connection.close(1013, "Too slow.");
    expect(ws.close).toHaveBeenCalledExactlyOnceWith(1008, "The session has ended.");
    await clock.advance(999);
    expect(ws.terminate).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(ws.terminate).toHaveBeenCalledOnce();
  });

  test("by the other side in time is not destroyed again", async () => {
    const { ws, clock, connection, listener } = connected();
    connection.close(1008, "The session has ended.");
    ws.emit("close");
    await clock.advance(5000);
    expect(ws.terminate).not.toHaveBeenCalled();
    expect(listener.onClosed).toHaveBeenCalledOnce();
  });

  test("by the other side is not closed once more by us", () => {
    const { ws, connection } = connected();
    ws.emit("close");
    connection.close(1013, "Too slow.");
    expect(ws.close).not.toHaveBeenCalled();
  });
});

test("a ping that was not answered is known at the next one", () => {
  const { ws, connection } = connected();
  expect(connection.ping()).toBe(true);
  ws.emit("pong");
  expect(connection.ping()).toBe(true);
  expect(connection.ping()).toBe(false);
  expect(ws.ping).toHaveBeenCalledTimes(2);
});
