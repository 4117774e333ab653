/**
 * The ids of properties and commands that the interface knows, with their default labels. Nodedefs may label theirs
 * otherwise; drivers may use further ids.
 *
 * @see docs/interface/profiles.md
 */

type Control = {
  readonly id: string;
  readonly label: string;
  /** Whether nodes accept it, send it, or both. */
  readonly kind: "property" | "command" | "both";
};

/** The default label; an unknown id is its own label. */
export function controlLabel(id: string): string {
  return LABELS.get(id) ?? id;
}

/** The same, but "" for an unknown id. */
export function commonLabel(id: string): string {
  return LABELS.get(id) ?? "";
}

type Row = readonly [id: string, label: string, kind: Control["kind"]];

const ROWS: readonly Row[] = [
  // Core
  ["ST", "Status", "property"],
  ["OL", "On Level", "both"],
  ["RR", "Ramp Rate", "both"],
  ["ERR", "Responding", "property"],
  ["BATLVL", "Battery Level", "property"],
  ["BUSY", "Busy", "property"],
  ["UOM", "Unit of Measure", "both"],
  ["DELAY", "Delay", "both"],
  ["MODE", "Mode", "both"],
  ["DUR", "Duration", "both"],
  // Switching and dimming
  ["DON", "On", "command"],
  ["DOF", "Off", "command"],
  ["DFON", "Fast On", "command"],
  ["DFOF", "Fast Off", "command"],
  ["BRT", "Brighten", "command"],
  ["DIM", "Dim", "command"],
  ["FDUP", "Fade Up", "command"],
  ["FDDOWN", "Fade Down", "command"],
  ["FDSTOP", "Fade Stop", "command"],
  ["BMAN", "Start Manual Dimming", "command"],
  ["SMAN", "Stop Manual Dimming", "command"],
  ["DON3", "Triple Press On", "command"],
  ["DON4", "4x Press On", "command"],
  ["DON5", "5x Press On", "command"],
  ["DOF3", "Triple Press Off", "command"],
  ["DOF4", "4x Press Off", "command"],
  ["DOF5", "5x Press Off", "command"],
  ["ALLON", "All On", "command"],
  ["ALLOFF", "All Off", "command"],
  ["FADE", "Fade", "command"],
  ["COLOR", "Color", "command"],
  // Upkeep
  ["BEEP", "Beep", "command"],
  ["BL", "Backlight", "command"],
  ["LED", "LED Brightness", "command"],
  ["QUERY", "Query", "command"],
  ["RESET", "Reset", "command"],
  ["WDU", "Write Changes", "command"],
  ["SETTIME", "Set Time", "command"],
  ["CONFIG", "Set Configuration", "command"],
  ["NUM", "Parameter Number", "property"],
  ["VAL", "Parameter Value", "property"],
  ["DISCOVER", "Discover", "command"],
  ["RENAME", "Rename", "command"],
  ["X10", "X10 Command", "command"],
  ["CLNRT", "Cleanup Ramp Rate", "property"],
  ["SETST", "Set Status", "command"],
  // Security
  ["SECMD", "Secure", "command"],
  ["LOCK", "Lock", "command"],
  ["UNLOCK", "Unlock", "command"],
  ["ARM", "Arm", "command"],
  ["DISARM", "Disarm", "command"],
  ["ALARM", "Alarm", "property"],
  ["UAC", "User Number", "property"],
  ["USRNUM", "User Number", "property"],
  // Climate
  ["CLITEMP", "Temperature", "both"],
  ["CLIHUM", "Humidity", "property"],
  ["CLISPH", "Heat Setpoint", "both"],
  ["CLISPC", "Cool Setpoint", "both"],
  ["CLISPHD", "Heat Setpoint Shift", "both"],
  ["CLISPCD", "Cool Setpoint Shift", "both"],
  ["CLIMD", "Thermostat Mode", "both"],
  ["CLIFS", "Fan Mode", "both"],
  ["CLIFSO", "Fan Mode Override", "both"],
  ["CLIFRS", "Fan Running State", "property"],
  ["CLIHCS", "Heat/Cool State", "property"],
  ["CLISMD", "Schedule Mode", "both"],
  ["CLIEMD", "Energy Saving Mode", "both"],
  // Energy
  ["CC", "Current", "property"],
  ["CV", "Voltage", "property"],
  ["CPW", "Power", "property"],
  ["PPW", "Polarized Power", "property"],
  ["PF", "Power Factor", "property"],
  ["TPW", "Total Energy", "property"],
  ["FREQ", "Frequency", "property"],
  ["PULSCNT", "Pulse Count", "property"],
  ["PCNT", "Pulse Count", "property"],
  ["ELECCON", "Electrical Conductivity", "property"],
  ["ELECRES", "Electrical Resistivity", "property"],
  ["ADRPST", "Demand Response State", "both"],
  // Air and weather
  ["AIRFLOW", "Air Flow", "property"],
  ["AQI", "Air Quality Index", "property"],
  ["ATMPRES", "Atmospheric Pressure", "property"],
  ["BARPRES", "Barometric Pressure", "property"],
  ["CH20", "Formaldehyde", "property"],
  ["CO", "Carbon Monoxide", "property"],
  ["CO2LVL", "Carbon Dioxide", "property"],
  ["DEWPT", "Dew Point", "property"],
  ["ETO", "Evapotranspiration", "property"],
  ["GUST", "Gust", "property"],
  ["HAIL", "Hail", "property"],
  ["HEATIX", "Heat Index", "property"],
  ["LUMIN", "Luminance", "property"],
  ["METHANE", "Methane", "property"],
  ["MOON", "Moon Phase", "property"],
  ["OZONE", "Ozone", "property"],
  ["PM10", "Particles PM10", "property"],
  ["PM25", "Particles PM2.5", "property"],
  ["POP", "Chance of Precipitation", "property"],
  ["PRECIP", "Precipitation", "property"],
  ["RADON", "Radon", "property"],
  ["RAINRT", "Rain Rate", "property"],
  ["SMOKED", "Smoke Density", "property"],
  ["SOLRAD", "Solar Radiation", "property"],
  ["SPEED", "Speed", "property"],
  ["TEMPEXH", "Exhaust Temperature", "property"],
  ["TEMPOUT", "Outside Temperature", "property"],
  ["UV", "Ultraviolet", "property"],
  ["VOCLVL", "VOC Level", "property"],
  ["WINDCH", "Wind Chill", "property"],
  ["WINDDIR", "Wind Direction", "property"],
  // Soil and water
  ["GVOL", "Gas Volume", "property"],
  ["MOIST", "Moisture", "property"],
  ["SOILH", "Soil Humidity", "property"],
  ["SOILR", "Soil Reactivity", "property"],
  ["SOILS", "Soil Salinity", "property"],
  ["SOILT", "Soil Temperature", "property"],
  ["TANKCAP", "Tank Capacity", "property"],
  ["TIDELVL", "Tide Level", "property"],
  ["WATERF", "Water Flow", "property"],
  ["WATERP", "Water Pressure", "property"],
  ["WATERT", "Water Temperature", "property"],
  ["WATERTB", "Boiler Water Temperature", "property"],
  ["WATERTD", "Domestic Hot Water Temperature", "property"],
  ["WVOL", "Water Volume", "property"],
  // Body
  ["BMI", "Body Mass Index", "property"],
  ["BONEM", "Bone Mass", "property"],
  ["BPDIA", "Diastolic Blood Pressure", "property"],
  ["BPSYS", "Systolic Blood Pressure", "property"],
  ["FATM", "Fat Mass", "property"],
  ["HR", "Heart Rate", "property"],
  ["MUSCLEM", "Muscle Mass", "property"],
  ["RESPR", "Respiration Rate", "property"],
  ["TBW", "Total Body Water", "property"],
  ["WEIGHT", "Weight", "property"],
  // Motion
  ["ACCX", "Acceleration X", "property"],
  ["ACCY", "Acceleration Y", "property"],
  ["ACCZ", "Acceleration Z", "property"],
  ["ANGLE", "Angle", "property"],
  ["ANGLPOS", "Angle Position", "property"],
  ["DISTANC", "Distance", "property"],
  ["ROTATE", "Rotation", "property"],
  ["SEISINT", "Seismic Intensity", "property"],
  ["SEISMAG", "Seismic Magnitude", "property"],
  // Other
  ["AWAKE", "Awake", "command"],
  ["CTL", "Controller Action", "property"],
  ["GPV", "General Purpose Value", "both"],
  ["RELMOD", "Relative Modulation Level", "property"],
  ["RFSS", "Signal Strength", "property"],
  ["SVOL", "Sound Volume", "both"],
  ["TIME", "Time", "property"],
  ["TIMEREM", "Time Remaining", "property"],
];

/** Drivers and plugins give GV0 to GV30 a meaning of their own. */
const CUSTOM_COUNT = 31;
const CUSTOM_ROWS = Array.from({ length: CUSTOM_COUNT }, (_, n): Row => [`GV${n}`, `Custom Control ${n}`, "both"]);

/** Every control, by subject. */
export const CONTROLS: readonly Control[] = [...ROWS, ...CUSTOM_ROWS].map(([id, label, kind]) => ({ id, label, kind }));

const LABELS: ReadonlyMap<string, string> = new Map(CONTROLS.map(({ id, label }) => [id, label]));
