/** SOAP operations on the controller itself, and on variables. What belongs to the machine and not to the home is not here. */

import { parseRawNumber, writeVariable } from "../../commands/edit-variables.ts";
import { setSwitches } from "../../commands/settings.ts";
import { ControllerError } from "../../errors.ts";
import { getConfig } from "../rest/config.ts";
import { xmlReply } from "../rest/rest-reply.ts";
import { getSystemOptions } from "../rest/system.ts";
import { getTime } from "../rest/time.ts";
import { getVariable, getVariables } from "../rest/variables.ts";
import { variableInPath, variableOf } from "../things.ts";
import { done } from "./answer.ts";
import type { Given } from "./call.ts";
import { accepted, does, refused, type SoapOperation, shows } from "./operation.ts";

const IDLE = 10;
const BUSY = 3;
const DEBUG_LEVEL = 1;
const DEBUG_LEVEL_MAX = 3;
const VARIABLE = { type: "type", id: "id" };

export const systemOperations: readonly SoapOperation[] = [
  shows("GetISYConfig", {}, (_given, request, services) => getConfig(request, services)),
  shows("GetSystemOptions", {}, (_given, request, services) => getSystemOptions(request, services)),
  shows("GetSystemTime GetSystemDateTime", {}, (_given, request, services) => getTime(request, services)),
  shows("GetSystemStatus", {}, (_given, _request, { home }) =>
    xmlReply(`<SysStat><Stat>${home.busy ? BUSY : IDLE}</Stat></SysStat>`),
  ),
  shows("GetDebugLevel", {}, (_given, { principal }, { debugLevels }) =>
    xmlReply(`<DBG><current>${debugLevels.get(principal?.accountId ?? "") ?? DEBUG_LEVEL}</current></DBG>`),
  ),
  shows("SetDebugLevel", { level: "option" }, (given, { principal }, { debugLevels }) => {
    const level = given.integer("level");
    if (level < 0 || level > DEBUG_LEVEL_MAX) throw new ControllerError("BAD_BODY", "Levels are 0 to 3.");
    debugLevels.set(principal?.accountId ?? "", level);
    return done();
  }),
  shows("GetLastError", {}, () => xmlReply("<LastError></LastError>")),
  accepted("ClearLastError Authenticate SendHeartbeat"),
  subscribe(),
  does(
    "Unsubscribe",
    { sid: "SID sid" },
    "subscribe",
    (given, { principal }, { endSubscriber }) => {
      if (!endSubscriber(principal?.accountId ?? "", sidOf(given))) throw noSubscription();
    },
    () => null,
  ),
  does(
    "IsSubscribed",
    { sid: "SID sid" },
    "subscribe",
    (given, _request, { subscribers }) => {
      if (!subscribers().some(({ sid }) => sid === sidOf(given))) throw noSubscription();
    },
    () => null,
  ),
  does("SetBatchMode", { on: "flag" }, "administer", (given, { cause }, services) =>
    setSwitches(services, { batchMode: given.integer("on") !== 0 }, cause),
  ),
  does("SetBatteryDeviceWriteMode", { on: "flag" }, "administer", (given, { cause }, services) =>
    setSwitches(services, { batteryWrites: given.integer("on") !== 0 }, cause),
  ),
  shows("GetVariables", { type: "type" }, (given, _request, services) =>
    getVariables({ params: { type: given.text("type") } }, services),
  ),
  shows("GetVariable", VARIABLE, (given, _request, services) => getVariable(named(given), services)),
  does(
    "SetVariable",
    { ...VARIABLE, value: "val value" },
    "write-variable",
    (given, { cause }, services) => {
      const { type, id, prec } = variableOf(named(given), services.home);
      const value = parseRawNumber(given.text("value"), prec, { floatIsDisplayed: false });
      return writeVariable(services, type, id, value, cause);
    },
    (given) => variableInPath(named(given)),
  ),
  refused("SetUserCredentials", "Passwords are changed on the page of accounts and by the command line."),
  refused(
    "ReplaceModem RemoveModem FactoryResetDongle UnprotectNetworkKey DeviceSpecific:DB",
    "This can destroy a network of devices and is not done by old clients.",
  ),
];

function named(given: Given<{ type: readonly string[]; id: readonly string[] }>) {
  return { params: { type: given.text("type"), id: given.text("id") } };
}

/** The controller posts to no other host. */
function subscribe(): SoapOperation {
  const row = shows("Subscribe", { url: "reportURL" }, (given) => {
    if (given.text("url").toUpperCase() === "REUSE_SOCKET") return { ...done(), subscribes: true };
    throw new ControllerError("SUBSCRIPTION_REFUSED");
  });
  return { ...row, right: "subscribe" };
}

/** `uuid:7`; NaN for any other text, which is no subscription. */
function sidOf(given: Given<{ sid: readonly string[] }>): number {
  return Number(/^(?:uuid:)?(\d{1,9})$/.exec(given.find("sid") ?? "")?.[1] ?? Number.NaN);
}

function noSubscription(): ControllerError {
  return new ControllerError("SUBSCRIPTION_REFUSED", "There is no such subscription.");
}
