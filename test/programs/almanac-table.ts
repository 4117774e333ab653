/**
 * Times of sunrise and sunset as the Astronomical Applications Department of the U.S. Naval Observatory prints them: the
 * first or the fifteenth of every month, "HHMM" of the offset, rounded to the minute.
 */

export type AlmanacPlace = {
  readonly place: string;
  readonly zone: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly year: number;
  readonly dayOfMonth: number;
  /** Hours east of UTC in which the table is printed, without daylight time. */
  readonly offsetHours: number;
  /** Rise and set, month by month. */
  readonly months: readonly (readonly [rise: string, set: string])[];
};

const rows = (text: string) =>
  text
    .trim()
    .split(/\s{2,}|\n/)
    .map((pair) => pair.trim().split(" ") as unknown as readonly [string, string]);

export const ALMANAC: readonly AlmanacPlace[] = [
  {
    place: "San Francisco",
    zone: "America/Los_Angeles",
    latitude: 37 + 46 / 60,
    longitude: -(122 + 26 / 60),
    year: 2012,
    dayOfMonth: 1,
    offsetHours: -8,
    months: rows(`0725 1701  0714 1733  0640 1804  0554 1833  0513 1901  0449 1926
      0452 1935  0514 1918  0540 1838  0606 1752  0636 1710  0707 1651`),
  },
  {
    place: "Buford, Georgia",
    zone: "America/New_York",
    latitude: 34 + 7 / 60,
    longitude: -84,
    year: 2016,
    dayOfMonth: 1,
    offsetHours: -5,
    months: rows(`0742 1737  0734 1806  0704 1833  0623 1857  0546 1920  0525 1943
      0528 1952  0548 1937  0610 1901  0631 1819  0656 1743  0724 1726`),
  },
  {
    place: "Fredonia, Arizona",
    zone: "America/Phoenix",
    latitude: 36 + 57 / 60,
    longitude: -(112 + 31 / 60),
    year: 2023,
    dayOfMonth: 15,
    offsetHours: -7,
    months: rows(`0742 1737  0719 1810  0641 1837  0556 1905  0522 1931  0510 1951
      0522 1949  0547 1922  0612 1838  0638 1754  0708 1721  0736 1715`),
  },
  {
    place: "Anchorage",
    zone: "America/Anchorage",
    latitude: 61.216667,
    longitude: -149.866667,
    year: 2020,
    dayOfMonth: 15,
    offsetHours: 0,
    months: rows(`1857 0119  1743 0243  1614 0401  1437 0521  1310 0641  1221 0740
      1253 0719  1410 0559  1528 0422  1644 0248  1807 0122  1910 0040`),
  },
  {
    place: "Auckland",
    zone: "Pacific/Auckland",
    latitude: -36.833333,
    longitude: 174.8,
    year: 2020,
    dayOfMonth: 15,
    offsetHours: 0,
    months: rows(`1718 0742  1752 0719  1820 0640  1847 0555  1913 0522  1932 0511
      1930 0523  1903 0547  1819 0612  1735 0637  1702 0708  1656 0736`),
  },
  {
    place: "Brasília",
    zone: "America/Sao_Paulo",
    latitude: -15.8,
    longitude: -47.85,
    year: 2020,
    dayOfMonth: 15,
    offsetHours: 0,
    months: rows(`0852 2150  0907 2144  0915 2125  0919 2103  0926 2049  0936 2048
      0939 2056  0928 2103  0906 2107  0844 2111  0830 2122  0835 2139`),
  },
  {
    place: "Singapore",
    zone: "Asia/Singapore",
    latitude: 1.283333,
    longitude: 103.833333,
    year: 2020,
    dayOfMonth: 15,
    offsetHours: 0,
    months: rows(`2312 1115  2317 1121  2310 1117  2300 1109  2256 1106  2300 1111
      2305 1116  2304 1114  2256 1103  2248 1053  2248 1051  2259 1101`),
  },
];
