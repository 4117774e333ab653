/** A scene of Home Assistant as the links of a scene here: a link holds one command for each node. */

import type { SceneLink } from "../../../home/groups.ts";
import { message } from "../../../messages.ts";
import { isRecord } from "../../../util/is-record.ts";
import type { SourceScene } from "../../home-source.ts";
import { commandsFor, type KnownEntity } from "./entity-words.ts";
import { type Known, Lines } from "./lines.ts";
import { clean, fieldsOf, wordsIn } from "./read.ts";
import { wantedState } from "./services.ts";

const ENTITIES_MAX = 200;

export function translateScene(
  known: Known,
  about: Pick<SourceScene, "id" | "name" | "area">,
  config: unknown,
): SourceScene {
  const lines = new Lines();
  const links = new Map<string, SceneLink>();
  for (const [entity, wanted] of Object.entries(fieldsOf(fieldsOf(config).entities)).slice(0, ENTITIES_MAX)) {
    const at = clean(entity);
    lines.begin(at, wanted);
    const found = known.find(entity);
    const [first, ...others] = found ? commandsOf(found, wanted) : [];
    if (!first) lines.note(at, "out", found ? message("wayIn.noMember") : message("wayIn.noDevice", { entity: at }));
    else if (links.has(first.node)) lines.note(at, "out", message("wayIn.oneLink"));
    else {
      const parameters = first.parameters.flatMap((each) => ("variable" in each ? [] : [each]));
      links.set(first.node, { kind: "cmd", node: first.node, command: first.command, parameters });
      lines.becomes(at, { actions: [first] });
      if (others.length > 0) lines.note(at, "differs", message("wayIn.oneCommand"));
    }
  }
  return { ...about, name: clean(about.name), links: [...links.values()], lines: lines.all() };
}

/** The state alone, or with attributes. */
function commandsOf(found: KnownEntity, wanted: unknown) {
  const { state, ...shown } = isRecord(wanted) ? wanted : { state: wanted };
  const [word = ""] = wordsIn(state);
  return commandsFor(found, wantedState(found.domain, word, word === "off" ? {} : shown)).commands;
}
