/** Devices of Matter in the library, one endpoint for each row of the driver's tables. */

import "./matter-network.ts";

const { Endpoint } = await import("@matter/main");
const behaviors = await import("@matter/main/behaviors");
const devices = await import("@matter/main/devices");
const { ElectricalSensorEndpoint } = await import("@matter/main/endpoints/electrical-sensor");
const { PowerSourceEndpoint } = await import("@matter/main/endpoints/power-source");

/** What devices without a behavior of their own were told to do. */
export const told: string[] = [];

class Valve extends behaviors.ValveConfigurationAndControlServer {
  override open() {
    told.push("valve open");
    this.state.currentState = 1;
  }

  override close() {
    told.push("valve close");
    this.state.currentState = 0;
  }
}

class VacuumState extends behaviors.RvcOperationalStateServer {
  override goHome() {
    told.push("vacuum home");
    return { commandResponseState: { errorStateId: 0 } };
  }
}

class WasherState extends behaviors.OperationalStateServer {
  override start() {
    told.push("washer start");
    return { commandResponseState: { errorStateId: 0 } };
  }

  override stop() {
    told.push("washer stop");
    return { commandResponseState: { errorStateId: 0 } };
  }
}

const Shade = behaviors.WindowCoveringServer.with("Lift", "PositionAwareLift", "Tilt", "PositionAwareTilt");
const COLORS = behaviors.ColorControlServer.with("HueSaturation", "Xy", "ColorTemperature");
const NUMERIC = { measuredValue: 0, minMeasuredValue: 0, maxMeasuredValue: 100_000, measurementMedium: 0 } as const;
const PPM = { ...NUMERIC, measurementUnit: 0 } as const;
const DUST = { ...NUMERIC, measurementUnit: 4 } as const;
const ALARM = {
  ...{ expressedState: 0, batteryAlert: 0, testInProgress: false, hardwareFaultAlert: false, endOfServiceAlert: 0 },
  ...{ smokeState: 0, coState: 0 },
} as const;
const STATES = [
  { operationalStateId: 0 },
  { operationalStateId: 1 },
  { operationalStateId: 2 },
  { operationalStateId: 3 },
];
const VACUUM_STATES = [...STATES, { operationalStateId: 64 }, { operationalStateId: 65 }, { operationalStateId: 66 }];
const MODE_TAGS = { idle: [{ value: 16_384 }], cleaning: [{ value: 16_385 }] } as const;
const ACCURACY = {
  ...{ measurementType: 5, measured: true, minMeasuredValue: 0, maxMeasuredValue: 1_000_000 },
  accuracyRanges: [{ rangeMin: 0, rangeMax: 1_000_000, fixedMax: 1 }],
};
const ENERGY_ACCURACY = { ...ACCURACY, measurementType: 14 };
const ELECTRIC = {
  electricalPowerMeasurement: {
    ...{ powerMode: 2, numberOfMeasurementTypes: 1, accuracy: [ACCURACY] },
    ...{ activePower: 0, voltage: 230_000, activeCurrent: 0 },
  },
  electricalEnergyMeasurement: { accuracy: ENERGY_ACCURACY, cumulativeEnergyImported: { energy: 0 } },
} as const;
const METER = [
  behaviors.ElectricalPowerMeasurementServer.with("AlternatingCurrent"),
  behaviors.ElectricalEnergyMeasurementServer.with("ImportedEnergy", "CumulativeEnergy"),
] as const;
const BATTERY = {
  status: 1,
  order: 0,
  description: "Battery",
  batChargeLevel: 0,
  batReplacementNeeded: false,
  batReplaceability: 1,
} as const;

/** By the name that tests call them; each makes its endpoint anew. */
export const DEVICES = {
  light: () => new Endpoint(devices.OnOffLightDevice, { id: "light" }),
  plug: () => new Endpoint(devices.OnOffPlugInUnitDevice.with(...METER), { id: "plug", ...ELECTRIC } as never),
  dimmer: () =>
    new Endpoint(devices.DimmableLightDevice, {
      id: "dimmer",
      levelControl: { currentLevel: 254, minLevel: 1, maxLevel: 254 },
    }),
  dimmablePlug: () =>
    new Endpoint(devices.DimmablePlugInUnitDevice, { id: "dimmablePlug", levelControl: { currentLevel: 254 } }),
  colorLamp: () =>
    new Endpoint(devices.ExtendedColorLightDevice.with(COLORS), {
      id: "colorLamp",
      levelControl: { currentLevel: 254 },
      colorControl: {
        ...{
          colorMode: 0,
          enhancedColorMode: 0,
          currentHue: 0,
          currentSaturation: 0,
          currentX: 20_000,
          currentY: 20_000,
        },
        // The limits are the wrong way round on some devices; the library checks its own.
        ...{ colorTempPhysicalMinMireds: 153, colorTempPhysicalMaxMireds: 500, coupleColorTempToLevelMinMireds: 153 },
        ...{ colorTemperatureMireds: 250, startUpColorTemperatureMireds: null, numberOfPrimaries: 0 },
      },
    } as never),
  speaker: () => new Endpoint(devices.SpeakerDevice, { id: "speaker", levelControl: { currentLevel: 100 } }),
  cover: () =>
    new Endpoint(devices.WindowCoveringDevice.with(Shade), {
      id: "cover",
      windowCovering: { type: 8, currentPositionLiftPercent100ths: 10_000, currentPositionTiltPercent100ths: 0 },
    } as never),
  plainCover: () =>
    new Endpoint(devices.WindowCoveringDevice.with(behaviors.WindowCoveringServer.with("Lift")), {
      id: "plainCover",
    } as never),
  lock: () =>
    new Endpoint(devices.DoorLockDevice.with(behaviors.DoorLockServer.with("DoorPositionSensor")), {
      id: "lock",
      doorLock: {
        ...{ lockState: 1, lockType: 0, actuatorEnabled: true, operatingMode: 0, doorState: 1 },
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
    } as never),
  thermostat: () =>
    new Endpoint(devices.ThermostatDevice.with(behaviors.ThermostatServer.with("Heating", "Cooling", "AutoMode")), {
      id: "thermostat",
      thermostat: {
        ...{ localTemperature: 2000, systemMode: 1, occupiedHeatingSetpoint: 2000, occupiedCoolingSetpoint: 2600 },
        ...{
          minHeatSetpointLimit: 700,
          maxHeatSetpointLimit: 2900,
          minCoolSetpointLimit: 1600,
          maxCoolSetpointLimit: 3200,
        },
        ...{ absMinHeatSetpointLimit: 700, absMaxHeatSetpointLimit: 2900 },
        ...{ absMinCoolSetpointLimit: 1600, absMaxCoolSetpointLimit: 3200 },
        ...{ minSetpointDeadBand: 25, controlSequenceOfOperation: 4, thermostatRunningState: {} },
      },
    } as never),
  fan: () =>
    new Endpoint(devices.FanDevice, {
      id: "fan",
      fanControl: { fanMode: 0, fanModeSequence: 0, percentSetting: 0, percentCurrent: 0 },
    }),
  temperature: () => new Endpoint(devices.TemperatureSensorDevice, { id: "temperature" }),
  humidity: () => new Endpoint(devices.HumiditySensorDevice, { id: "humidity" }),
  illuminance: () => new Endpoint(devices.LightSensorDevice, { id: "illuminance" }),
  pressure: () => new Endpoint(devices.PressureSensorDevice, { id: "pressure" }),
  flow: () => new Endpoint(devices.FlowSensorDevice, { id: "flow" }),
  occupancy: () =>
    new Endpoint(devices.OccupancySensorDevice.with(behaviors.OccupancySensingServer.with("PassiveInfrared")), {
      id: "occupancy",
      occupancySensing: {
        occupancySensorType: 0,
        occupancySensorTypeBitmap: { pir: true },
        occupancy: { occupied: false },
      },
    } as never),
  contact: () => new Endpoint(devices.ContactSensorDevice, { id: "contact", booleanState: { stateValue: true } }),
  leak: () => new Endpoint(devices.WaterLeakDetectorDevice, { id: "leak", booleanState: { stateValue: false } }),
  freeze: () => new Endpoint(devices.WaterFreezeDetectorDevice, { id: "freeze", booleanState: { stateValue: false } }),
  rain: () => new Endpoint(devices.RainSensorDevice, { id: "rain", booleanState: { stateValue: false } }),
  smoke: () =>
    new Endpoint(devices.SmokeCoAlarmDevice.with(behaviors.SmokeCoAlarmServer.with("SmokeAlarm", "CoAlarm")), {
      id: "smoke",
      smokeCoAlarm: ALARM,
    } as never),
  air: () =>
    new Endpoint(
      devices.AirQualitySensorDevice.with(
        behaviors.AirQualityServer,
        behaviors.CarbonDioxideConcentrationMeasurementServer.with("NumericMeasurement"),
        behaviors.CarbonMonoxideConcentrationMeasurementServer.with("NumericMeasurement"),
        behaviors.Pm25ConcentrationMeasurementServer.with("NumericMeasurement"),
        behaviors.Pm10ConcentrationMeasurementServer.with("NumericMeasurement"),
        behaviors.TotalVolatileOrganicCompoundsConcentrationMeasurementServer.with("NumericMeasurement"),
        behaviors.FormaldehydeConcentrationMeasurementServer.with("LevelIndication"),
        behaviors.RadonConcentrationMeasurementServer.with("NumericMeasurement"),
        behaviors.OzoneConcentrationMeasurementServer.with("NumericMeasurement"),
      ),
      {
        id: "air",
        airQuality: { airQuality: 1 },
        carbonDioxideConcentrationMeasurement: PPM,
        carbonMonoxideConcentrationMeasurement: PPM,
        pm25ConcentrationMeasurement: DUST,
        pm10ConcentrationMeasurement: DUST,
        totalVolatileOrganicCompoundsConcentrationMeasurement: { ...NUMERIC, measurementUnit: 1 },
        formaldehydeConcentrationMeasurement: { levelValue: 1, measurementMedium: 0 },
        radonConcentrationMeasurement: { ...NUMERIC, measurementUnit: 7 },
        ozoneConcentrationMeasurement: PPM,
      } as never,
    ),
  meter: () => new Endpoint(ElectricalSensorEndpoint.with(...METER), { id: "meter", ...ELECTRIC } as never),
  valve: () =>
    new Endpoint(devices.WaterValveDevice.with(Valve), {
      id: "valve",
      valveConfigurationAndControl: { currentState: 0, targetState: 0 },
    } as never),
  pump: () =>
    new Endpoint(devices.PumpDevice, {
      id: "pump",
      pumpConfigurationAndControl: {
        maxPressure: 1,
        maxSpeed: 1,
        maxFlow: 1,
        effectiveOperationMode: 0,
        effectiveControlMode: 0,
        capacity: 0,
      },
    } as never),
  vacuum: () =>
    new Endpoint(
      devices.RoboticVacuumCleanerDevice.with(VacuumState, behaviors.RvcRunModeServer, behaviors.RvcCleanModeServer),
      {
        id: "vacuum",
        rvcRunMode: {
          supportedModes: [
            { label: "Idle", mode: 0, modeTags: MODE_TAGS.idle },
            { label: "Clean", mode: 1, modeTags: MODE_TAGS.cleaning },
          ],
          currentMode: 0,
        },
        rvcCleanMode: {
          supportedModes: [
            { label: "Vacuum", mode: 1, modeTags: MODE_TAGS.cleaning },
            { label: "Mop", mode: 2, modeTags: [{ value: 16_386 }] },
          ],
          currentMode: 1,
        },
        rvcOperationalState: {
          operationalStateList: VACUUM_STATES,
          operationalState: 0,
          phaseList: null,
          currentPhase: null,
          operationalError: { errorStateId: 0 },
        },
      } as never,
    ),
  washer: () =>
    new Endpoint(devices.LaundryWasherDevice.with(WasherState), {
      id: "washer",
      operationalState: {
        operationalStateList: STATES,
        operationalState: 0,
        phaseList: null,
        currentPhase: null,
        operationalError: { errorStateId: 0 },
      },
    } as never),
  modes: () =>
    new Endpoint(devices.ModeSelectDevice, {
      id: "modes",
      modeSelect: {
        ...{ description: "Scent", standardNamespace: null, currentMode: 4 },
        supportedModes: [
          { label: "Rose", mode: 4, semanticTags: [] },
          { label: "Pine", mode: 7, semanticTags: [] },
        ],
      },
    } as never),
  button: () =>
    new Endpoint(
      devices.GenericSwitchDevice.with(
        behaviors.SwitchServer.with(
          "MomentarySwitch",
          "MomentarySwitchRelease",
          "MomentarySwitchLongPress",
          "MomentarySwitchMultiPress",
        ),
      ),
      {
        id: "button",
        switch: { numberOfPositions: 2, currentPosition: 0, multiPressMax: 3, longPressDelay: 60, multiPressDelay: 40 },
      } as never,
    ),
  longButton: () =>
    new Endpoint(
      devices.GenericSwitchDevice.with(
        behaviors.SwitchServer.with("MomentarySwitch", "MomentarySwitchRelease", "MomentarySwitchLongPress"),
      ),
      { id: "longButton", switch: { numberOfPositions: 2, currentPosition: 0, longPressDelay: 60 } } as never,
    ),
  plainButton: () =>
    new Endpoint(devices.GenericSwitchDevice.with(behaviors.SwitchServer.with("MomentarySwitch")), {
      id: "plainButton",
      switch: { numberOfPositions: 2, currentPosition: 0 },
    } as never),
  rocker: () =>
    new Endpoint(devices.GenericSwitchDevice.with(behaviors.SwitchServer.with("LatchingSwitch")), {
      id: "rocker",
      switch: { numberOfPositions: 2, currentPosition: 0 },
    } as never),
  battery: () =>
    new Endpoint(PowerSourceEndpoint.with(behaviors.PowerSourceServer.with("Battery", "Replaceable")), {
      id: "battery",
      powerSource: {
        ...BATTERY,
        batPercentRemaining: 200,
        batReplacementDescription: "CR2032",
        batQuantity: 1,
        endpointList: [],
      },
    } as never),
};

export type DeviceName = keyof typeof DEVICES;
