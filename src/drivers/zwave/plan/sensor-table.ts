/**
 * Multilevel sensors by their type: the property of each, and units that the same spelling does not distinguish. The
 * order decides which of several sensors is a node's status. An unlisted type gets a property of its own name.
 *
 * @see the sensor types of the Z-Wave Multilevel Sensor command class
 */

type SensorRow = {
  readonly type: number;
  readonly id: string;
  /** Decimals that the value has at least. */
  readonly prec: number;
  /** Units by scale, where the spelled unit does not say which. */
  readonly uoms?: readonly number[];
};

export const SENSORS: readonly SensorRow[] = [
  { type: 1, id: "CLITEMP", prec: 1 },
  { type: 5, id: "CLIHUM", prec: 0, uoms: [22, 21] },
  { type: 3, id: "LUMIN", prec: 0 },
  { type: 4, id: "CPW", prec: 1 },
  { type: 2, id: "GPV", prec: 0 },
  { type: 6, id: "SPEED", prec: 1 },
  { type: 7, id: "WINDDIR", prec: 0, uoms: [76] },
  { type: 8, id: "ATMPRES", prec: 1 },
  { type: 9, id: "BARPRES", prec: 1 },
  { type: 10, id: "SOLRAD", prec: 0 },
  { type: 11, id: "DEWPT", prec: 1 },
  { type: 12, id: "RAINRT", prec: 1 },
  { type: 13, id: "TIDELVL", prec: 2 },
  { type: 14, id: "WEIGHT", prec: 1 },
  { type: 15, id: "CV", prec: 1 },
  { type: 16, id: "CC", prec: 2 },
  { type: 17, id: "CO2LVL", prec: 0 },
  { type: 18, id: "AIRFLOW", prec: 0 },
  { type: 19, id: "TANKCAP", prec: 0 },
  { type: 20, id: "DISTANC", prec: 1 },
  { type: 21, id: "ANGLPOS", prec: 0 },
  { type: 22, id: "ROTATE", prec: 0 },
  { type: 23, id: "WATERT", prec: 1 },
  { type: 24, id: "SOILT", prec: 1 },
  { type: 25, id: "SEISINT", prec: 0, uoms: [37, 16, 34, 64] },
  { type: 26, id: "SEISMAG", prec: 1, uoms: [61, 62, 63, 60] },
  { type: 27, id: "UV", prec: 0, uoms: [71] },
  { type: 28, id: "ELECRES", prec: 1 },
  { type: 29, id: "ELECCON", prec: 3 },
  { type: 30, id: "SVOL", prec: 0 },
  { type: 31, id: "MOIST", prec: 0 },
  { type: 32, id: "FREQ", prec: 1 },
  { type: 33, id: "TIME", prec: 0 },
  { type: 35, id: "PM25", prec: 0 },
  { type: 36, id: "CH20", prec: 2 },
  { type: 37, id: "RADON", prec: 0 },
  { type: 38, id: "METHANE", prec: 2 },
  { type: 39, id: "VOCLVL", prec: 2 },
  { type: 40, id: "CO", prec: 2 },
  { type: 41, id: "SOILH", prec: 0 },
  { type: 42, id: "SOILR", prec: 1 },
  { type: 43, id: "SOILS", prec: 2 },
  { type: 44, id: "HR", prec: 0 },
  { type: 45, id: "BPSYS", prec: 0 },
  { type: 46, id: "MUSCLEM", prec: 1 },
  { type: 47, id: "FATM", prec: 1 },
  { type: 48, id: "BONEM", prec: 1 },
  { type: 49, id: "TBW", prec: 1 },
  { type: 51, id: "BMI", prec: 1, uoms: [129] },
  { type: 52, id: "ACCX", prec: 2 },
  { type: 53, id: "ACCY", prec: 2 },
  { type: 54, id: "ACCZ", prec: 2 },
  { type: 55, id: "SMOKED", prec: 0 },
  { type: 56, id: "WATERF", prec: 0 },
  { type: 57, id: "WATERP", prec: 1 },
  { type: 58, id: "RFSS", prec: 0 },
  { type: 59, id: "PM10", prec: 0 },
  { type: 60, id: "RESPR", prec: 0, uoms: [132] },
  { type: 61, id: "RELMOD", prec: 0 },
  { type: 62, id: "WATERTB", prec: 1 },
  { type: 63, id: "WATERTD", prec: 1 },
  { type: 64, id: "TEMPOUT", prec: 1 },
  { type: 65, id: "TEMPEXH", prec: 1 },
  { type: 81, id: "OZONE", prec: 0 },
];

/**
 * Meters by type and scale. A node of its own shows a device's meter, its status the first of these that it has.
 * Reactive quantities come in thousands, for which the interface has no unit: they are reported in the unit itself.
 */
type MeterRow = {
  readonly type: number;
  readonly scale: number;
  readonly id: string;
  readonly uom: number;
  readonly prec: number;
  /** Reported in thousands of the unit. */
  readonly thousands?: 1;
};

export const METERS: readonly MeterRow[] = [
  { type: 1, scale: 2, id: "CPW", uom: 73, prec: 1 },
  { type: 1, scale: 0, id: "TPW", uom: 33, prec: 3 },
  { type: 1, scale: 4, id: "CV", uom: 72, prec: 1 },
  { type: 1, scale: 5, id: "CC", uom: 1, prec: 3 },
  { type: 1, scale: 6, id: "PF", uom: 53, prec: 2 },
  { type: 1, scale: 3, id: "PULSCNT", uom: 55, prec: 0 },
  { type: 1, scale: 7, id: "PPW", uom: 136, prec: 1, thousands: 1 },
  { type: 2, scale: 0, id: "GVOL", uom: 8, prec: 3 },
  { type: 2, scale: 1, id: "GVOL", uom: 6, prec: 2 },
  { type: 2, scale: 3, id: "PULSCNT", uom: 55, prec: 0 },
  { type: 3, scale: 0, id: "WVOL", uom: 8, prec: 3 },
  { type: 3, scale: 1, id: "WVOL", uom: 6, prec: 2 },
  { type: 3, scale: 2, id: "WVOL", uom: 69, prec: 1 },
  { type: 3, scale: 3, id: "PULSCNT", uom: 55, prec: 0 },
  { type: 4, scale: 0, id: "TPW", uom: 33, prec: 3 },
  { type: 5, scale: 0, id: "TPW", uom: 33, prec: 3 },
];
