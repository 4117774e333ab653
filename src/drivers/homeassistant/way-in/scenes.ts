/** A scene of Home Assistant as the links of a scene here: a link holds one command for each node. */

import type { SceneLink } from "../../../home/groups.ts";
import { message } from "../../../messages.ts";
import type { SourceScene } from "../../home-source.ts";
import { type Commanded, commandsFor, type KnownEntity } from "./entity-words.ts";
import { type Known, Lines } from "./lines.ts";
import { clean, type Fields, fieldsOf, numberIn, textIn } from "./read.ts";
import { callsOf } from "./services.ts";

/** Of what a light shows, what a call can set; its first member is what a link holds. */
const LIGHT: readonly string[] = ["brightness", "color_temp_kelvin", "hs_color", "rgb_color"];
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
    const commanded = found && wantedCommands(found, wanted);
    const [first, ...others] = commanded?.commands ?? [];
    if (!first) lines.note(at, "out", found ? message("wayIn.noMember") : message("wayIn.noDevice", { entity: at }));
    else if (links.has(first.node)) lines.note(at, "out", message("wayIn.oneLink"));
    else {
      links.set(first.node, { kind: "cmd", node: first.node, command: first.command, parameters: plain(first) });
      lines.becomes(at, { actions: [first] });
      if (others.length > 0) lines.note(at, "differs", message("wayIn.oneCommand"));
    }
  }
  return { ...about, name: clean(about.name), links: [...links.values()], lines: lines.all() };
}

function plain({ parameters }: Commanded["commands"][number]) {
  return parameters.flatMap((each) => ("variable" in each ? [] : [each]));
}

function wantedCommands(found: KnownEntity, wanted: unknown): Commanded | null {
  const fields: Fields =
    typeof wanted === "object"
      ? fieldsOf(wanted)
      : { state: wanted === true ? "on" : wanted === false ? "off" : wanted };
  const state =
    fields.state === true
      ? "on"
      : fields.state === false
        ? "off"
        : textIn(fields, "state") || String(numberIn(fields.state) ?? "");
  const commands = callFor(found.domain, state, fields).flatMap(
    ([service, data]) => commandsFor(found, service, data)?.commands ?? [],
  );
  return commands.length === 0 ? null : { commands, left: [] };
}

function callFor(domain: string, state: string, fields: Fields): ReturnType<typeof callsOf> {
  const position = numberIn(fields.current_position ?? fields.position);
  switch (domain) {
    case "light": {
      const shown = LIGHT.filter((name) => fields[name] !== undefined && fields[name] !== null);
      const own = Object.fromEntries(shown.slice(0, 2).map((name) => [name, fields[name]]));
      return state === "on" ? callsOf(domain, "turn_on", own) : state === "off" ? [["turn_off", {}]] : [];
    }
    case "cover":
      if (position !== null) return [["set_cover_position", { position }]];
      return state === "open" || state === "closed" ? [[state === "open" ? "open_cover" : "close_cover", {}]] : [];
    case "climate": {
      const temperature = numberIn(fields.temperature);
      return [
        ...callsOf(domain, "set_hvac_mode", { hvac_mode: state }),
        ...(temperature === null ? [] : [["set_temperature", { temperature }] as const]),
      ];
    }
    case "lock":
      return state === "locked" ? [["lock", {}]] : state === "unlocked" ? [["unlock", {}]] : [];
    case "input_number":
    case "number":
      return numberIn(state) === null ? [] : [["set_value", { value: numberIn(state) }]];
    case "input_select":
    case "select":
      return [["select_option", { option: state }]];
    case "fan":
      if (state === "on" && numberIn(fields.percentage) !== null)
        return callsOf(domain, "turn_on", { percentage: numberIn(fields.percentage) });
      return state === "on" || state === "off" ? [[`turn_${state}`, {}]] : [];
    default:
      return state === "on" || state === "off" ? [[`turn_${state}`, {}]] : [];
  }
}
