/** `/api/me/push`: the browsers in which the account's user allowed notifications. @see docs/interface/push.md */

import type { Principal } from "../../auth/principal.ts";
import type { PushDevice } from "../../auth/records.ts";
import { invariant } from "../../errors.ts";
import { PUSH } from "../../notifications/push-channel.ts";
import { checkEndpoint, pushRules } from "../../notifications/push-message.ts";
import { isoTime } from "../../wire/times.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, line, list, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const ENDPOINT_CHARS_MAX = 1000;
const NAME_CHARS_MAX = 100;

const deviceData = object({
  id: { type: "string" },
  name: { type: "string" },
  createdAt: { type: "string", format: "date-time" },
});
const pushData = object({
  key: { type: "string", description: "Public key of the controller for push services, base64url." },
  devices: list(deviceData),
});
const pushBody = object(
  {
    name: { ...line(NAME_CHARS_MAX), description: "Display name, such as the browser and the device." },
    endpoint: { ...line(ENDPOINT_CHARS_MAX), description: "Address at the push service, as the browser gives it." },
    p256dh: { type: "string", pattern: "^B[A-Za-z0-9_-]{86}$" },
    auth: { type: "string", pattern: "^[A-Za-z0-9_-]{22}$" },
  },
  { additionalProperties: false },
);

const route = apiRoute("push", "run-program");

export const pushRoutes: readonly Route[] = [
  route(
    "GET /api/me/push",
    "The browsers of this account that show notifications, and the key that a browser needs for it.",
    getPush,
    { data: pushData },
  ),
  route("POST /api/me/push", "Adds a browser that shows notifications of this account.", addDevice, {
    body: pushBody,
    data: deviceData,
  }),
  route(
    "DELETE /api/me/push/:id",
    "Removes a browser of this account, which then shows no more notifications.",
    removeDevice,
  ),
];

function getPush(request: HttpRequest, { auth, pushKey }: Services): Reply {
  const devices = auth.pushDevices.of(principalOf(request).accountId).map(deviceJson);
  return envelope({ key: pushKey(), devices } satisfies Fits<typeof pushData>);
}

async function addDevice(request: HttpRequest, services: Services): Promise<Reply> {
  const { accountId, login, role, sessionId } = principalOf(request);
  const body = bodyOf(request, pushBody);
  checkEndpoint(body.endpoint, pushRules(services.config.networkTargets));
  const device = await services.auth.pushDevices.add(accountId, {
    ...body,
    ...(sessionId !== null && { sessionId }),
  });
  if (!channelOf(services, login)) {
    const settings = { account: login, ...(role !== "owner" && { alarms: false }) };
    await services.integrations.add({ type: PUSH, id: null, name: login, settings, enabled: true }, request.cause);
  }
  return envelope(deviceJson(device));
}

async function removeDevice(request: HttpRequest, services: Services): Promise<Reply> {
  const { accountId, login } = principalOf(request);
  const { pushDevices } = services.auth;
  const id = request.params.id ?? "";
  if (pushDevices.of(accountId).some((device) => device.id === id)) await pushDevices.remove(id);
  const channel = channelOf(services, login);
  if (channel && pushDevices.ofLogin(login).length === 0)
    await services.integrations.remove(channel.id, null, request.cause);
  return envelope(null);
}

function channelOf({ integrations }: Services, login: string) {
  return integrations.list().find(({ type, settings }) => type === PUSH && settings.account === login);
}

function deviceJson({ id, name, createdAtMs }: PushDevice): Fits<typeof deviceData> {
  return { id, name, createdAt: isoTime(createdAtMs) };
}

function principalOf({ principal }: HttpRequest): Principal {
  invariant(principal, "The route requires a login.");
  return principal;
}
