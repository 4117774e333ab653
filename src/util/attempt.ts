/** What the work returns; null when it throws. For work whose failure says nothing but that it is not possible. */
export function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
