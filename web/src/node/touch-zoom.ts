/** Fingers on a chart: one moves it through time, two zoom it. It follows them at once, and its values are read again when the last one is lifted. */

export type Range = { readonly fromMs: number; readonly toMs: number };

type TouchChart = {
  shown(): Range;
  show(range: Range): void;
  done(range: Range): void;
};

/** Closer fingers would zoom by any factor. */
const APART_MIN_PX = 24;

export function followFingers(area: HTMLElement, chart: TouchChart): void {
  /** Where each finger is, and the time that it holds. */
  const fingers = new Map<number, { readonly x: number; readonly atMs: number }>();
  let isMoved = false;
  const timeAt = (x: number) => {
    const { fromMs, toMs } = chart.shown();
    return fromMs + (x / area.clientWidth) * (toMs - fromMs);
  };
  const hold = () => {
    for (const [id, { x }] of fingers) fingers.set(id, { x, atMs: timeAt(x) });
  };
  const xOf = ({ clientX }: PointerEvent) => clientX - area.getBoundingClientRect().left;
  area.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    area.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: xOf(event), atMs: 0 });
    hold();
  });
  area.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    fingers.set(event.pointerId, { ...finger, x: xOf(event) });
    isMoved = true;
    chart.show(rangeUnder([...fingers.values()], area.clientWidth, chart.shown()));
  });
  const lift = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    hold();
    if (fingers.size === 0 && isMoved) chart.done(chart.shown());
    if (fingers.size === 0) isMoved = false;
  };
  area.addEventListener("pointerup", lift);
  area.addEventListener("pointercancel", lift);
}

/** The range in which every finger still holds its time. */
function rangeUnder(
  fingers: readonly { readonly x: number; readonly atMs: number }[],
  widthPx: number,
  shown: Range,
): Range {
  const [one, other] = fingers.toSorted((a, b) => a.atMs - b.atMs);
  if (!one) return shown;
  const apartPx = other ? Math.max(APART_MIN_PX, other.x - one.x) : 0;
  const msPerPx = other ? (other.atMs - one.atMs) / apartPx : (shown.toMs - shown.fromMs) / widthPx;
  const fromMs = one.atMs - one.x * msPerPx;
  return { fromMs, toMs: fromMs + widthPx * msPerPx };
}
