/** `/api/nodes/{address}/parameters`: configuration parameters of a device. @see docs/interface/nodes.md */

import { knownDeviceParameters, readDeviceParameter, writeDeviceParameter } from "../../commands/device-parameters.ts";
import { ControllerError } from "../../errors.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, list, object, orNull, text } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const NUMBER_MAX = 65_535;
const number = { type: "integer", minimum: 0, maximum: NUMBER_MAX, description: "Its number." } as const;
const size = { type: "integer", enum: [1, 2, 4], description: "Bytes." } as const;
const raw = { type: "integer", description: "Raw; displayed = value / 10^prec." } as const;

const knownData = object(
  {
    number,
    size,
    name: text("Empty: it has a number only."),
    unit: text("Symbol, or empty."),
    prec: { type: "integer" },
    min: orNull(raw),
    max: orNull(raw),
    choices: list(object({ value: raw, name: { type: "string" } }), {
      description: "Names of values; without bounds no others are taken.",
    }),
  },
  { title: "KnownParameter" },
);
const readData = object({ number, size, value: raw });
const writeBody = object(
  { value: raw },
  { optional: { size: { ...size, description: "Bytes. Default: those that it is known to have." } } },
);

const route = apiRoute("nodes", "configure-device");

export const parameterRoutes: readonly Route[] = [
  route("GET /api/nodes/:address/parameters", "The parameters that its device is known to have.", getParameters, {
    data: list(knownData),
  }),
  route("GET /api/nodes/:address/parameters/:number", "Reads a parameter of the device.", getParameter, {
    data: readData,
  }),
  route("PUT /api/nodes/:address/parameters/:number", "Writes a parameter of the device.", putParameter, {
    body: writeBody,
  }),
];

function getParameters({ params }: HttpRequest, services: Services): Reply {
  const known: readonly Fits<typeof knownData>[] = knownDeviceParameters(services, params.address ?? "");
  return envelope(known);
}

async function getParameter(request: HttpRequest, services: Services): Promise<Reply> {
  const { cause, signal } = request;
  return envelope(await readDeviceParameter(services, addressIn(request), numberIn(request), cause, signal));
}

async function putParameter(request: HttpRequest, services: Services): Promise<Reply> {
  const { cause, signal } = request;
  const [address, wanted] = [addressIn(request), numberIn(request)];
  const { value, size: given } = bodyOf(request, writeBody);
  const known = knownDeviceParameters(services, address).find((each) => each.number === wanted);
  const bytes = given ?? known?.size;
  if (bytes === undefined) throw new ControllerError("BAD_PARAMETER_SIZE");
  await writeDeviceParameter(services, address, { number: wanted, size: bytes, value }, cause, signal);
  return envelope(null);
}

function addressIn({ params }: HttpRequest): string {
  return params.address ?? "";
}

function numberIn({ params }: HttpRequest): number {
  const written = params.number ?? "";
  if (!/^\d{1,5}$/.test(written)) throw new ControllerError("PARAMETER_NOT_FOUND");
  return Number(written);
}
