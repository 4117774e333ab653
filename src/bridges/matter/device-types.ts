/** Our devices in the Matter library: a command waits for the outcome at the node, and a refusal reaches who sent it. */

import { type Behavior, Endpoint, type EndpointType } from "@matter/main";
import { BooleanStateServer } from "@matter/main/behaviors/boolean-state";
import { BridgedDeviceBasicInformationServer } from "@matter/main/behaviors/bridged-device-basic-information";
import { DoorLockServer } from "@matter/main/behaviors/door-lock";
import { FanControlServer } from "@matter/main/behaviors/fan-control";
import { LevelControlServer } from "@matter/main/behaviors/level-control";
import { OccupancySensingServer } from "@matter/main/behaviors/occupancy-sensing";
import { OnOffServer } from "@matter/main/behaviors/on-off";
import { SmokeCoAlarmServer } from "@matter/main/behaviors/smoke-co-alarm";
import { ThermostatServer } from "@matter/main/behaviors/thermostat";
import { WindowCoveringServer } from "@matter/main/behaviors/window-covering";
import { LevelControl } from "@matter/main/clusters/level-control";
import type { WindowCovering } from "@matter/main/clusters/window-covering";
import { ContactSensorDevice } from "@matter/main/devices/contact-sensor";
import { DimmableLightDevice } from "@matter/main/devices/dimmable-light";
import { DoorLockDevice } from "@matter/main/devices/door-lock";
import { FanDevice } from "@matter/main/devices/fan";
import { HumiditySensorDevice } from "@matter/main/devices/humidity-sensor";
import { LightSensorDevice } from "@matter/main/devices/light-sensor";
import { OccupancySensorDevice } from "@matter/main/devices/occupancy-sensor";
import { OnOffLightDevice } from "@matter/main/devices/on-off-light";
import { OnOffPlugInUnitDevice } from "@matter/main/devices/on-off-plug-in-unit";
import { SmokeCoAlarmDevice } from "@matter/main/devices/smoke-co-alarm";
import { TemperatureSensorDevice } from "@matter/main/devices/temperature-sensor";
import { ThermostatDevice } from "@matter/main/devices/thermostat";
import { WaterFreezeDetectorDevice } from "@matter/main/devices/water-freeze-detector";
import { WaterLeakDetectorDevice } from "@matter/main/devices/water-leak-detector";
import { WindowCoveringDevice } from "@matter/main/devices/window-covering";
import { Status, StatusResponseError } from "@matter/main/types";
import type { DeviceCommand, DeviceKind, EndpointSpec, ShownEndpoint } from "./bridge-messages.ts";
import { effectOfLevel } from "./levels.ts";

/** What devices send their commands to; set in the environment of the bridge. */
export class CommandPort {
  /** When a controller last switched a lamp off, by endpoint. */
  readonly #offs = new Map<string, { readonly fabric: number; readonly atMs: number }>();
  readonly #send: (endpoint: string, command: DeviceCommand) => Promise<string | null>;

  constructor(send: (endpoint: string, command: DeviceCommand) => Promise<string | null>) {
    this.#send = send;
  }

  /** @throws StatusResponseError with the reason of a refusal */
  async send(endpoint: string, command: DeviceCommand): Promise<void> {
    const failure = await this.#send(endpoint, command);
    if (failure !== null) throw new StatusResponseError(failure, Status.Failure);
  }

  switchedOff(endpoint: string, fabric: number): void {
    this.#offs.set(endpoint, { fabric, atMs: performance.now() });
  }

  sinceOffMs(endpoint: string, fabric: number): number | null {
    const off = this.#offs.get(endpoint);
    return off?.fabric === fabric ? performance.now() - off.atMs : null;
  }
}

function send(behavior: Behavior, command: DeviceCommand): Promise<void> {
  return behavior.env.get(CommandPort).send(behavior.endpoint.id, command);
}

/** Number of the ecosystem that sent the command; 0: none. */
function fabricOf({ context }: Behavior): number {
  return "fabric" in context && typeof context.fabric === "number" ? context.fabric : 0;
}

class SwitchedServer extends OnOffServer.with("Lighting") {
  override on(): Promise<void> {
    return send(this, { kind: "on" });
  }

  override off(): Promise<void> {
    this.env.get(CommandPort).switchedOff(this.endpoint.id, fabricOf(this));
    return send(this, { kind: "off" });
  }

  override toggle(): Promise<void> {
    return this.state.onOff ? this.off() : this.on();
  }
}

/** On without a level goes to the level that the lamp had before it was switched off, also where the device has an on level of its own. */
class DimmedSwitchServer extends SwitchedServer {
  override on(): Promise<void> {
    const dimmer = this.agent.get(DimmedServer);
    return send(this, { kind: "level", level: dimmer.state.onLevel ?? dimmer.currentLevel });
  }
}

/** The part of the library's models that is used here; their own types do not allow for exact optional properties. */
type Model = {
  readonly commands: { require(name: string): Model };
  readonly fields: { extend(name: string, changes: object): unknown };
  extend(changes: undefined, ...children: readonly unknown[]): Model;
};

const LEVEL_CONTROL = LevelControl.schema as unknown as Model;
/** Some ecosystems leave out the time of a transition, which the specification requires. */
const LENIENT = LEVEL_CONTROL.extend(
  undefined,
  ...["MoveToLevel", "MoveToLevelWithOnOff"].map((name) => {
    const command = LEVEL_CONTROL.commands.require(name);
    return command.extend(undefined, command.fields.extend("TransitionTime", { conformance: "O" }));
  }),
) as unknown as typeof LevelControl.schema;

class DimmedServer extends LevelControlServer.for(LevelControl, LENIENT).with("OnOff", "Lighting") {
  override async moveToLevelLogic(level: number, _transitionTime: number | null, withOnOff: boolean): Promise<void> {
    const { id } = this.endpoint;
    const port = this.env.get(CommandPort);
    const effect = effectOfLevel({
      ...{ level, minLevel: this.minLevel, withOnOff },
      isOn: this.agent.get(SwitchedServer).state.onOff,
      sinceOffMs: port.sinceOffMs(id, fabricOf(this)),
    });
    if (effect === "off") {
      port.switchedOff(id, fabricOf(this));
      await send(this, { kind: "off" });
      return;
    }
    if (effect === "set") await send(this, { kind: "level", level });
    this.state.currentLevel = level;
  }

  override moveLogic(moveMode: LevelControl.MoveMode): Promise<void> {
    return send(this, { kind: moveMode === 0 ? "fade-up" : "fade-down" });
  }

  override stepLogic(
    stepMode: LevelControl.StepMode,
    stepSize: number,
    transitionTime: number | null,
    withOnOff: boolean,
  ): Promise<void> {
    const level = this.currentLevel + (stepMode === 0 ? stepSize : -stepSize);
    const within = Math.max(this.minLevel, Math.min(this.maxLevel, level));
    return this.moveToLevelLogic(within, transitionTime, withOnOff);
  }

  override stopLogic(): Promise<void> {
    return send(this, { kind: "fade-stop" });
  }

  /** The level after switching on is the node's to report. */
  override handleOnOffChange(): void {}
}

const LiftServer = WindowCoveringServer.with("Lift");
const PositionServer = WindowCoveringServer.with("Lift", "PositionAwareLift");

class LiftedServer extends LiftServer {
  override upOrOpen(): Promise<void> {
    return send(this, { kind: "open" });
  }

  override downOrClose(): Promise<void> {
    return send(this, { kind: "close" });
  }

  override stopMotion(): Promise<void> {
    return send(this, { kind: "stop" });
  }
}

class PositionedServer extends PositionServer {
  override upOrOpen(): Promise<void> {
    return send(this, { kind: "open" });
  }

  override downOrClose(): Promise<void> {
    return send(this, { kind: "close" });
  }

  override stopMotion(): Promise<void> {
    return send(this, { kind: "stop" });
  }

  override goToLiftPercentage({ liftPercent100thsValue }: WindowCovering.GoToLiftPercentageRequest): Promise<void> {
    return send(this, { kind: "lift", closed: liftPercent100thsValue / 100 });
  }
}

class LockedServer extends DoorLockServer {
  override lockDoor(): Promise<void> {
    return send(this, { kind: "lock" });
  }

  override unlockDoor(): Promise<void> {
    return send(this, { kind: "unlock" });
  }
}

const SENSED_BY_INFRARED = { occupancySensorType: 0, occupancySensorTypeBitmap: { pir: true } } as const;
const ALARM_AT_REST = {
  ...{ expressedState: 0, batteryAlert: 0, testInProgress: false, hardwareFaultAlert: false, endOfServiceAlert: 0 },
} as const;
const BASIC = BridgedDeviceBasicInformationServer;

/** A device type with our behaviors, and values that it needs besides those of the node. */
type Made = { readonly type: EndpointType; readonly options: Readonly<Record<string, object>> };

const made = (type: EndpointType, options: Readonly<Record<string, object>> = {}): Made => ({ type, options });

const TYPES: Readonly<Record<DeviceKind, (spec: EndpointSpec) => Made>> = {
  light: () => made(OnOffLightDevice.with(BASIC, SwitchedServer)),
  "dimmable-light": () =>
    made(DimmableLightDevice.with(BASIC, DimmedSwitchServer, DimmedServer), {
      levelControl: { currentLevel: 254, minLevel: 1, maxLevel: 254, onLevel: null },
    }),
  outlet: () => made(OnOffPlugInUnitDevice.with(BASIC, SwitchedServer)),
  fan: () =>
    made(FanDevice.with(BASIC, FanControlServer), {
      fanControl: { fanMode: 0, percentSetting: 0, percentCurrent: 0 },
    }),
  cover: ({ features }) =>
    features.includes("PositionAwareLift")
      ? made(WindowCoveringDevice.with(BASIC, PositionedServer), {
          windowCovering: { currentPositionLiftPercent100ths: null, targetPositionLiftPercent100ths: null },
        })
      : made(WindowCoveringDevice.with(BASIC, LiftedServer)),
  lock: () =>
    made(DoorLockDevice.with(BASIC, LockedServer), {
      doorLock: {
        ...{ lockState: null, lockType: 0, actuatorEnabled: true, operatingMode: 0 },
        ...{ wrongCodeEntryLimit: 10, userCodeTemporaryDisableTime: 10 },
        // Bits are inverted: true is a mode that the lock does not have.
        supportedOperatingModes: {
          ...{
            normal: false,
            vacation: true,
            privacy: true,
            noRemoteLockUnlock: false,
            passage: true,
            alwaysSet: 2047,
          },
        },
      },
    }),
  thermostat: ({ features }) => {
    const own = features.filter((feature) => feature !== "PositionAwareLift");
    return made(ThermostatDevice.with(BASIC, ThermostatServer.with(...own)), {
      thermostat: { localTemperature: null },
    });
  },
  occupancy: () =>
    made(OccupancySensorDevice.with(BASIC, OccupancySensingServer.with("PassiveInfrared")), {
      occupancySensing: { ...SENSED_BY_INFRARED, occupancy: { occupied: false } },
    }),
  contact: () => made(ContactSensorDevice.with(BASIC, BooleanStateServer), { booleanState: { stateValue: true } }),
  leak: () => made(WaterLeakDetectorDevice.with(BASIC, BooleanStateServer), { booleanState: { stateValue: false } }),
  freeze: () =>
    made(WaterFreezeDetectorDevice.with(BASIC, BooleanStateServer), { booleanState: { stateValue: false } }),
  smoke: () =>
    made(SmokeCoAlarmDevice.with(BASIC, SmokeCoAlarmServer.with("SmokeAlarm")), {
      smokeCoAlarm: { ...ALARM_AT_REST, smokeState: 0 },
    }),
  "carbon-monoxide": () =>
    made(SmokeCoAlarmDevice.with(BASIC, SmokeCoAlarmServer.with("CoAlarm")), {
      smokeCoAlarm: { ...ALARM_AT_REST, coState: 0 },
    }),
  temperature: () => made(TemperatureSensorDevice.with(BASIC), { temperatureMeasurement: { measuredValue: null } }),
  humidity: () => made(HumiditySensorDevice.with(BASIC), { relativeHumidityMeasurement: { measuredValue: null } }),
  illuminance: () => made(LightSensorDevice.with(BASIC), { illuminanceMeasurement: { measuredValue: null } }),
};

/** Addresses have blanks, and other characters that the library's storage does not take. */
export function endpointId(address: string): string {
  return address.replace(/[^A-Za-z0-9_-]/g, "_");
}

/** @throws what the library says about values that do not fit */
export function makeEndpoint({ spec, state }: ShownEndpoint): Endpoint {
  const { type, options } = TYPES[spec.kind](spec);
  const basic = {
    ...{ nodeLabel: spec.name, productName: spec.name, productLabel: spec.name, vendorName: "Domovoi" },
    ...{ uniqueId: spec.uniqueId, serialNumber: endpointId(spec.address).slice(-32), reachable: state.isReachable },
  };
  const values: Record<string, object> = { bridgedDeviceBasicInformation: basic };
  for (const part of [options, spec.fixed, state.attributes]) {
    for (const [behavior, attributes] of Object.entries(part))
      values[behavior] = { ...values[behavior], ...attributes };
  }
  return new Endpoint(type, { id: endpointId(spec.address), ...values });
}
