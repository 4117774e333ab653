/** `/rest/history`: the changes of properties one by one, and whether they are recorded. @see docs/interface/history.md */

import { badValue } from "../../errors.ts";
import type { Sample, SamplesQuery } from "../../home/history.ts";
import type { Node } from "../../home/nodes.ts";
import { describeProperty } from "../../profile/format.ts";
import type { Profile } from "../../profile/profile.ts";
import { escapeXml } from "../../util/xml.ts";
import { isoTime } from "../../wire/times.ts";
import { instantInQuery, oneOfQuery, wholeNumber } from "../query.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { succeeded, xmlReply } from "./rest-reply.ts";

const LIMIT = 1000;
const LIMIT_MAX = 10_000;
/** Properties of one answer. */
const PROPERTIES_MAX = 200;
const SAMPLES_A_TURN = 200;

type Span = Omit<SamplesQuery, "address" | "property">;

export async function getPropertyHistory(request: HttpRequest, services: Services): Promise<Reply> {
  const { query } = request;
  const span = spanOf(query, services.clock.now());
  const wanted = nodesOf(query, services).map((node) => [node, propertiesOf(query, node)] as const);
  if (wanted.reduce((sum, [, ids]) => sum + ids.length, 0) > PROPERTIES_MAX)
    throw badValue(`At most ${PROPERTIES_MAX} properties at once.`);
  let left = span.limit;
  const elements: string[] = [];
  for (const [node, ids] of wanted) {
    const properties: string[] = [];
    for (const property of left > 0 ? ids : []) {
      const samples = await services.history.samples({ ...span, address: node.address, property, limit: left });
      left -= samples.length;
      if (samples.length > 0)
        properties.push(await propertyElement(request, services.profile, { node, id: property, samples }));
    }
    if (properties.length > 0)
      elements.push(`<node id="${escapeXml(node.address)}"><properties>${properties.join("")}</properties></node>`);
  }
  return xmlReply(elements.length > 0 ? `<history>${elements.join("")}</history>` : "<history />");
}

export async function setRecording({ params }: HttpRequest, { history }: Services): Promise<Reply> {
  const { choice } = params;
  if (choice !== "on" && choice !== "off") throw badValue("Recording is turned on or off.");
  await history.record(choice === "on");
  return succeeded();
}

function spanOf(query: URLSearchParams, nowMs: number): Span {
  return {
    fromMs: instantInQuery(query, "start") ?? 0,
    toMs: instantInQuery(query, "end") ?? nowMs,
    isDescending: oneOfQuery(query, "sort", ["ASC", "DESC"]) === "DESC",
    limit: Math.min(wholeNumber(query, "limit", Number.MAX_SAFE_INTEGER) || LIMIT, LIMIT_MAX),
    oneBefore: query.get("oneBefore") === "true",
    oneAfter: query.get("oneAfter") === "true",
  };
}

/** The requested properties that exist; without names all of them. */
function nodesOf(query: URLSearchParams, { home }: Services): readonly Node[] {
  const names = listOf(query, "node");
  return names ? names.flatMap((address) => home.nodes.get(address) ?? []) : [...home.nodes.values()];
}

/** Ids with an underscore are the controller's own. */
function propertiesOf(query: URLSearchParams, node: Node): readonly string[] {
  const ids = listOf(query, "property") ?? [...node.properties.keys()];
  return ids.filter((id) => !id.includes("_"));
}

function listOf(query: URLSearchParams, name: string): readonly string[] | null {
  const text = query.get(name);
  return text === null || text === "" ? null : text.split(",").map((each) => each.trim());
}

type Recorded = { readonly node: Node; readonly id: string; readonly samples: readonly Sample[] };

async function propertyElement(
  request: HttpRequest,
  profile: Profile,
  { node, id, samples }: Recorded,
): Promise<string> {
  const describe = ({ value, uom, prec }: Sample) =>
    describeProperty(profile, node, { id, value, uom, prec, text: null });
  const eventOf = (sample: Sample) => {
    const { atMs, value, uom, prec } = sample;
    const float = (value / 10 ** prec).toFixed(Math.max(1, prec));
    const words = escapeXml(describe(sample).formatted);
    return `<event timestamp="${isoTime(atMs)}"><value uom="${uom}" precision="${prec}"><scaled>${value}</scaled><float>${float}</float><formatted>${words}</formatted></value></event>`;
  };
  const events: string[] = [];
  for (let at = 0; at < samples.length; at += SAMPLES_A_TURN) {
    const part = samples.slice(at, at + SAMPLES_A_TURN);
    events.push(...(await request.inTurn(() => part.map(eventOf))));
  }
  const name = samples[0] ? describe(samples[0]).name : "";
  return `<property id="${escapeXml(id)}" name="${escapeXml(name)}">${events.join("")}</property>`;
}
