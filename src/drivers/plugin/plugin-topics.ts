/** The topics of a plugin at a message broker, and how its messages are handled, whichever broker carries them. */

import type { Log } from "../../util/log.ts";

type Receiver = { readonly id: string; received(kind: string, payload: string): Promise<void> };

const KINDS = ["system", "custom", "command", "status", "portal"] as const;
const TOPIC = new RegExp(`^udi/pg3/(?:ns/(${KINDS.join("|")})|connections/ns)/(.+)$`);

/** A topic to which a plugin publishes. `kind` is undefined for messages about its own connection. */
export function parseTopic(topic: string): { readonly kind: string | undefined; readonly id: string } | null {
  const [, kind, id] = TOPIC.exec(topic) ?? [];
  return id === undefined ? null : { kind, id };
}

/** The only topic that a plugin reads. */
export function clientTopic(id: string): string {
  return `udi/pg3/ns/clients/${id}`;
}

export function presenceTopic(id: string): string {
  return `udi/pg3/connections/ns/${id}`;
}

/** All topics to which a plugin publishes. */
export function publishedTopics(id: string): readonly string[] {
  return [...KINDS.map((kind) => `udi/pg3/ns/${kind}/${id}`), presenceTopic(id)];
}

/** Never rejects: a message that cannot be handled does not end the plugin's session. */
export async function handleMessage(user: Receiver, kind: string, payload: string, log: Log): Promise<void> {
  try {
    await user.received(kind, payload);
  } catch (error) {
    log.error("A message of a plugin could not be handled.", { client: user.id, kind, error });
  }
}
