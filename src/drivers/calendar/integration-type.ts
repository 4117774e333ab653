/** A calendar as an integration. The driver is imported when the first one is made, the reader with its first thread. */

import { PLUGINS } from "../../families.ts";
import { MINUTE_MS } from "../../util/clock.ts";
import type { TargetRules } from "../../util/network-target.ts";
import { shortText } from "../broker-settings.ts";
import type { IntegrationType } from "../integration-type.ts";

const WORDS_MAX = 20;

/** @param rules where requests may go: those of network resources */
export function calendarType(zone: () => string, rules: () => TargetRules): IntegrationType {
  return {
    type: "calendar",
    name: "Calendar",
    about: "A calendar in iCalendar form: a node that is on while an event lasts. Also public holidays.",
    families: [PLUGINS.id],
    instancesMax: 20,
    settings: SETTINGS,
    check: ({ url, file }) => ((url === undefined) === (file === undefined) ? "Give either url or file." : null),
    async create({ id, settings }) {
      const { url, file, title, words = "", minutes } = settings;
      const { CalendarDriver } = await import("./calendar-driver.ts");
      const all = String(words)
        .split(",")
        .map((word) => word.trim());
      const driver = new CalendarDriver({
        name: id,
        title: String(title),
        source: url === undefined ? { file: String(file) } : { url: String(url) },
        words: all.filter((word) => word !== "").slice(0, WORDS_MAX),
        everyMs: Number(minutes) * MINUTE_MS,
        zone,
        rules,
      });
      return { driver };
    },
  };
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: [],
  additionalProperties: false,
  properties: {
    url: {
      type: "string",
      title: "Address",
      description:
        "https://, http:// or webcal:// address of the calendar. It is a secret: everybody who has it can read the calendar.",
      maxLength: 2000,
      pattern: String.raw`^(https?|webcals?)://[^\s]+$`,
      writeOnly: true,
    },
    file: shortText("File", "Instead of an address: a file on the controller's machine."),
    title: { ...shortText("Title", "Name of the new node."), minLength: 1, default: "Calendar" },
    words: shortText("Words", "Only events with one of these in their title, with commas between them; empty: all."),
    minutes: {
      type: "integer",
      title: "Minutes",
      description: "How often it is read again.",
      minimum: 15,
      maximum: 1440,
      default: 60,
    },
  },
};
