/**
 * The units of measure of the interface as data: the symbol that follows a number, what is measured, the labels of
 * enumerated raw values, and the seconds behind a ramp rate index. Lookups are in `uom.ts`.
 *
 * @see docs/interface/profiles.md
 */

/** Rows are in the order of their ids, 0 to 154, without gaps: [symbol, meaning]. An empty symbol shows the bare number. */
export const UOM_ROWS: readonly (readonly [symbol: string, meaning: string])[] = [
  // 0
  ["", "unknown"],
  ["A", "current"],
  ["", "boolean"],
  ["BTU/h", "power"],
  ["°C", "temperature"],
  ["cm", "length"],
  ["ft³", "volume"],
  ["ft³/min", "flow"],
  ["m³", "volume"],
  ["", "day of the month"],
  // 10
  ["days", "duration"],
  ["", "deadbolt position"],
  ["dB", "sound level"],
  ["dB A", "sound level, A-weighted"],
  ["°", "temperature in the device's own unit"],
  ["", "door lock alarm"],
  ["EMS", "European macroseismic scale"],
  ["°F", "temperature"],
  ["ft", "length"],
  ["", "hour of the day"],
  // 20
  ["hours", "duration"],
  ["%AH", "absolute humidity"],
  ["%RH", "relative humidity"],
  ["inHg", "pressure"],
  ["in/h", "precipitation rate"],
  ["", "index into a list"],
  ["K", "temperature"],
  ["", "keyword"],
  ["kg", "weight"],
  ["kV", "voltage"],
  // 30
  ["kW", "power"],
  ["kPa", "pressure"],
  ["km/h", "speed"],
  ["kWh", "energy"],
  ["liedu", "seismic intensity"],
  ["L", "volume"],
  ["lx", "illuminance"],
  ["mercalli", "seismic intensity"],
  ["m", "length"],
  ["m³/h", "flow"],
  // 40
  ["m/s", "speed"],
  ["mA", "current"],
  ["ms", "duration"],
  ["mV", "voltage"],
  ["", "minute of the hour"],
  ["minutes", "duration"],
  ["mm/h", "precipitation rate"],
  ["", "month"],
  ["mph", "speed"],
  ["m/s", "speed"],
  // 50
  ["Ω", "resistance"],
  ["%", "percent"],
  ["lb", "weight"],
  ["PF", "power factor"],
  ["ppm", "concentration"],
  ["pulses", "pulse count"],
  ["", "raw value of the device"],
  ["", "second of the minute"],
  ["seconds", "duration"],
  ["S/m", "conductivity"],
  // 60
  ["m_b", "body wave magnitude"],
  ["M_L", "Richter magnitude"],
  ["M_w", "moment magnitude"],
  ["M_S", "surface wave magnitude"],
  ["shindo", "seismic intensity"],
  ["", "reserved"],
  ["", "heat and cool state"],
  ["", "thermostat mode"],
  ["", "thermostat fan mode"],
  ["US gallons", "volume"],
  // 70
  ["", "user number"],
  ["UV index", "ultraviolet"],
  ["V", "voltage"],
  ["W", "power"],
  ["W/m²", "irradiance"],
  ["", "weekday"],
  ["°", "wind direction"],
  ["", "year"],
  ["", "off or on"],
  ["", "open or closed"],
  // 80
  ["", "fan running state"],
  ["", "fan mode override"],
  ["mm", "length"],
  ["km", "length"],
  ["", "secure mode"],
  ["Ω·m", "resistivity"],
  ["kΩ", "resistance"],
  ["m³/m³", "water content"],
  ["aw", "water activity"],
  ["rpm", "rotation"],
  // 90
  ["Hz", "frequency"],
  ["°", "angle from the north pole"],
  ["°", "angle from the south pole"],
  ["", "power management alarm"],
  ["", "appliance alarm"],
  ["", "home health alarm"],
  ["", "VOC level"],
  ["", "barrier position"],
  ["", "Insteon thermostat mode"],
  ["", "Insteon fan mode"],
  // 100
  ["", "level from 0 to 255"],
  ["°", "half degrees"],
  ["kWs", "energy"],
  ["$", "dollars"],
  ["¢", "cents"],
  ["in", "length"],
  ["mm/day", "precipitation rate"],
  ["", "unsigned integer of 1 byte"],
  ["", "unsigned integer of 2 bytes"],
  ["", "unsigned integer of 3 bytes"],
  // 110
  ["", "unsigned integer of 4 bytes"],
  ["", "signed integer of 1 byte"],
  ["", "signed integer of 2 bytes"],
  ["", "signed integer of 3 bytes"],
  ["", "signed integer of 4 bytes"],
  ["", "last lamp action"],
  ["mi", "length"],
  ["mbar", "pressure"],
  ["hPa", "pressure"],
  ["Wh", "energy"],
  // 120
  ["in/day", "precipitation rate"],
  ["mol/m³", "concentration"],
  ["μg/m³", "concentration"],
  ["Bq/m³", "radioactivity"],
  ["pCi/L", "radioactivity"],
  ["pH", "acidity"],
  ["bpm", "heart rate"],
  ["mmHg", "pressure"],
  ["J", "energy"],
  ["BMI", "body mass index"],
  // 130
  ["L/h", "flow"],
  ["dBm", "signal strength"],
  ["breaths/min", "respiration rate"],
  ["kHz", "frequency"],
  ["m/s²", "acceleration"],
  ["VA", "apparent power"],
  ["var", "reactive power"],
  ["", "NTP date and time"],
  ["psi", "pressure"],
  ["°", "direction"],
  // 140
  ["mg/L", "concentration"],
  ["N", "force"],
  ["gal/s", "flow"],
  ["gpm", "flow"],
  ["gph", "flow"],
  ["", "text"],
  ["", "short notification"],
  ["", "XML"],
  ["", "full notification"],
  ["°", "hue"],
  // 150
  ["", "stream address"],
  ["", "Unix timestamp"],
  ["mired", "colour temperature"],
  ["", "colour in x and y"],
  ["steps/s", "rate"],
];

/** Labels of raw values, by unit: "raw label, raw label". */
export const UOM_VALUE_ROWS: Readonly<Record<number, string>> = {
  2: "0 False, 1 True",
  11: "0 Unlocked, 100 Locked, 101 Unknown, 102 Problem",
  15:
    "1 Master code changed, 2 Too many wrong codes, 3 Escutcheon removed, 4 Locked by key, 5 Locked by touch, " +
    "6 Unlocked by key, 7 Remote lock jammed, 8 Locked remotely, 9 Unlocked remotely, 10 Bolt jammed, " +
    "11 Battery dead, 12 Battery critical, 13 Battery low, 14 Locked automatically, 15 Automatic lock jammed, " +
    "16 Power cycled remotely, 17 Handling complete, 19 User deleted, 20 User added, 21 Duplicate PIN, " +
    "22 Keypad lock jammed, 23 Locked by keypad, 24 Unlocked by keypad, 25 Keypad out of schedule, " +
    "26 Hardware failure, 27 Factory reset, 28 Not fully locked, 29 All user codes deleted, " +
    "30 Duplicate code refused, 31 Keypad disabled, 32 Keypad busy, 33 New program code, " +
    "34 Wrong code for radio unlock, 35 Wrong code for radio lock, 36 Door open, 37 Door closed, 38 Handle open, " +
    "39 Handle closed, 40 User code entered, 41 Power cycled",
  66:
    "0 Idle, 1 Heating, 2 Cooling, 3 Fan Only, 4 Pending Heat, 5 Pending Cool, 6 Vent, 7 Aux Heat, " +
    "8 2nd Stage Heating, 9 2nd Stage Cooling, 10 2nd Stage Aux Heat, 11 3rd Stage Aux Heat",
  67:
    "0 Off, 1 Heat, 2 Cool, 3 Auto, 4 Aux/Emergency Heat, 5 Resume, 6 Fan Only, 7 Furnace, 8 Dry Air, " +
    "9 Moist Air, 10 Auto Changeover, 11 Energy Save Heat, 12 Energy Save Cool, 13 Away, 14 Program Auto, " +
    "15 Program Heat, 16 Program Cool",
  68:
    "0 Auto, 1 On, 2 Auto High, 3 High, 4 Auto Medium, 5 Medium, 6 Circulation, 7 Humidity Circulation, " +
    "8 Left-Right, 9 Up-Down, 10 Quiet",
  75: "0 Sunday, 1 Monday, 2 Tuesday, 3 Wednesday, 4 Thursday, 5 Friday, 6 Saturday, 7 Sunday",
  78: "0 Off, 100 On, 101 Unknown",
  79: "0 Open, 100 Closed, 101 Unknown",
  80:
    "0 Off, 1 On, 2 On High, 3 On Medium, 4 Circulation, 5 Humidity Circulation, 6 Right/Left Circulation, " +
    "7 Up/Down Circulation, 8 Quiet Circulation",
  81: "0 Auto, 1 On",
  84: "0 Unlock, 1 Lock",
  93:
    "1 Power Applied, 2 Mains Disconnected, 3 Mains Reconnected, 4 Surge, 5 Voltage Drop, 6 Over-Current, " +
    "7 Over-Voltage, 8 Overload, 9 Load Error, 10 Replace Battery Soon, 11 Replace Battery Now, " +
    "12 Battery Charging, 13 Battery Charged, 14 Charge Battery Soon, 15 Charge Battery Now",
  94:
    "1 Program Started, 2 Program Running, 3 Program Done, 4 Replace Filter, 5 Temperature Not Reached, " +
    "6 Supplying Water, 7 Water Supply Failure, 8 Boiling, 9 Boiling Failure, 10 Washing, 11 Washing Failure, " +
    "12 Rinsing, 13 Rinsing Failure, 14 Draining, 15 Draining Failure, 16 Spinning, 17 Spinning Failure, " +
    "18 Drying, 19 Drying Failure, 20 Fan Failure, 21 Compressor Failure",
  95: "1 Leaving Bed, 2 Sitting on Bed, 3 Lying on Bed, 4 Posture Changed, 5 Sitting on Edge of Bed",
  96: "1 Clean, 2 Slightly Polluted, 3 Moderately Polluted, 4 Highly Polluted",
  97: "0 Closed, 100 Open, 101 Unknown, 102 Stopped, 103 Closing, 104 Opening",
  98: "0 Off, 1 Heat, 2 Cool, 3 Auto, 4 Fan Only, 5 Program Auto, 6 Program Heat, 7 Program Cool",
  99: "7 On, 8 Auto",
  115:
    "0 On, 1 Off, 2 Fade Up, 3 Fade Down, 4 Fade Stop, 5 Fast On, 6 Fast Off, 7 Triple Press On, " +
    "8 Triple Press Off, 9 4x Press On, 10 4x Press Off, 11 5x Press On, 12 5x Press Off",
};

/** Seconds of the wired ramp rate indices 0 to 31 (property RR, unit 25). */
export const RAMP_RATE_SECONDS: readonly number[] = [
  540, 480, 420, 360, 300, 270, 240, 210, 180, 150, 120, 90, 60, 47, 43, 38.5, 34, 32, 30, 28, 26, 23.5, 21.5, 19, 8.5,
  6.5, 4.5, 2, 0.5, 0.3, 0.2, 0.1,
];
