/** The effects of a step that are writes to the home, as changes of the feed. */

import type { ChangeFeed } from "../home/change-feed.ts";
import type { Group, LinkBlock, SceneLink } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import { findProgram } from "../home/programs.ts";
import { findVariable } from "../home/variables.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { EngineEffect } from "./engine-effect.ts";

type Write = Exclude<EngineEffect, { readonly kind: "due" | "trace" | "send" | "overloaded" }>;
type Ports = { readonly home: Home; readonly feed: ChangeFeed; readonly clock: Clock; readonly log: Log };

export function applyEffect(ports: Ports, effect: Write): void {
  const { home, feed, log } = ports;
  switch (effect.kind) {
    case "write-variable":
      writeVariable(ports, effect);
      break;
    case "program-run":
      feed.commit({ type: "program-ran", id: effect.id, run: effect.run }, effect.cause);
      break;
    case "program-set": {
      const program = findProgram(home, effect.id);
      if (program?.kind !== "program") break;
      feed.commit({ type: "program-changed", program: { ...program, ...effect.patch } }, effect.cause);
      break;
    }
    case "adjust-link": {
      const group = home.groups.get(effect.group);
      if (group) feed.commit({ type: "group-links-changed", group: withLink(group, effect) }, effect.cause);
      break;
    }
    case "progress":
      feed.commit({ type: "program-progressed", id: effect.id, progress: effect.progress }, effect.cause);
      break;
    case "hold":
      feed.commit({ type: "program-held", id: effect.id, key: effect.key, hold: effect.hold }, effect.cause);
      break;
    case "cut": {
      const { ids, limit, loop, detail, cause } = effect;
      feed.commit({ type: "programs-cut", ids, limit, loop, detail }, cause);
      const programs = ids.map((id) => findProgram(home, id)?.name ?? String(id));
      log.error(`Programs were stopped and disabled. ${detail}`, { programs, limit });
    }
  }
}

function writeVariable({ home, feed, clock }: Ports, effect: Extract<Write, { kind: "write-variable" }>): void {
  const { type, id, field, value, cause } = effect;
  const variable = findVariable(home, type, id);
  if (!variable) return;
  if (field === "init") {
    feed.commit({ type: "variable-init-written", variableType: type, id, init: value }, cause);
    return;
  }
  const { value: before } = variable;
  feed.commit({ type: "variable-written", variableType: type, id, value, writtenAtMs: clock.now(), before }, cause);
}

/** Only a block that is there is adjusted, and only for a member. */
function withLink(
  group: Group,
  { controller, link }: { readonly controller: string; readonly link: SceneLink },
): Group {
  const adjust = (block: LinkBlock): LinkBlock => {
    if (block.controller !== controller) return block;
    const at = block.links.findIndex(({ node }) => node === link.node);
    return { ...block, links: at < 0 ? [...block.links, link] : block.links.with(at, link) };
  };
  return { ...group, blocks: group.blocks.map(adjust) };
}
