/** A home that follows the stream of a scripted controller, and the frames that it is sent. */

import type { EventKind, EventOf, Home, NodeOptions } from "@domovoi/client";
import { connectTo, type Stage } from "./connected.ts";

type Event = {
  readonly control: string;
  readonly action?: string;
  readonly attributes?: string;
  readonly node?: string;
  readonly info?: string;
};

/** A frame of the XML stream. @param more behind `eventInfo` */
export function frame({ control, action = "", attributes = "", node = "", info = "" }: Event, more = ""): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><Event seqnum="57" sid="uuid:31" timestamp="2031-02-03T04:05:06.123456-07:00">' +
    `<control>${control}</control><action${attributes}>${action}</action><node>${node}</node><eventInfo>${info}</eventInfo>${more}</Event>`
  );
}

export const HEARTBEAT = frame({ control: "_0", action: "30" });
/** The lantern reports its raw level. */
export const level = (value: string) =>
  frame(
    { control: "ST", action: value, attributes: ' uom="100" prec="0"', node: "5C 2 D1 1" },
    "<fmtAct>50%</fmtAct><fmtName>Status</fmtName>",
  );

/** A home with an open stream. */
export async function follow(stage: Stage, options: Partial<NodeOptions> = {}): Promise<Home> {
  const home = await connectTo(stage, { stream: "rest", ...options });
  await stage.server.until(() => stage.server.sockets.length > 0);
  return home;
}

/** The next event of this kind. */
export function next<K extends EventKind>(
  home: Home,
  kind: K,
  fits: (event: EventOf<K>) => boolean = () => true,
): Promise<EventOf<K>> {
  return new Promise((resolve) => {
    const stop = home.on(kind, (event) => {
      if (!fits(event)) return;
      stop();
      resolve(event);
    });
  });
}

/** Settles when everything that was sent before has been taken. */
export async function taken(stage: Stage, home: Home): Promise<void> {
  const heard = next(home, "heartbeat");
  stage.server.send(HEARTBEAT);
  await heard;
}
