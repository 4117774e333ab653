/** Between hue and saturation, which people choose, and the channels of a lamp at full brightness. */

const CHANNEL_MAX = 255;

/** @param channels red, green and blue, 0 to 255 */
export function hueOf(channels: readonly number[]): { readonly hue: number; readonly saturation: number } {
  const [red = 0, green = 0, blue = 0] = channels;
  const high = Math.max(red, green, blue);
  const span = high - Math.min(red, green, blue);
  if (span === 0) return { hue: 0, saturation: 0 };
  const sixth =
    high === red ? (green - blue) / span : high === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  return { hue: Math.round((sixth * 60 + 360) % 360), saturation: span / high };
}

/** @param hue 0 to 360 @param saturation 0 to 1 */
export function rgbOf(hue: number, saturation: number): readonly [red: number, green: number, blue: number] {
  const channel = (offset: number) => {
    const at = (offset + hue / 60) % 6;
    const share = 1 - saturation * Math.max(0, Math.min(at, 4 - at, 1));
    return Math.round(share * CHANNEL_MAX);
  };
  return [channel(5), channel(3), channel(1)];
}
