/** Waits for events of the library: with a timeout, and without leaving a listener behind. */

type Listener<R> = (...args: never[]) => R | undefined;
type Emitter = Record<"on" | "off", (event: string, hear: (...args: never[]) => void) => unknown>;

/**
 * Resolves with the first result that is not undefined, of whichever listener.
 *
 * @param emitter of the library, whose own types tie every event to its listener, one by one.
 * @param listeners what each event means; undefined = wait on. One that throws ends the wait with its error.
 * @throws the signal's reason when it is aborted.
 */
export function awaitEvent<R>(
  emitter: object,
  listeners: Readonly<Record<string, Listener<R>>>,
  signal: AbortSignal,
): Promise<R> {
  const source = emitter as Emitter; // Each of the library's is one, with narrower types.
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      for (const [event, hear] of heard) source.off(event, hear);
      signal.removeEventListener("abort", abort);
      settle();
    };
    const abort = () => end(() => reject(signal.reason));
    const heard = Object.entries(listeners).map(([event, listener]) => {
      const hear = (...args: never[]) => {
        try {
          const result = listener(...args);
          if (result !== undefined) end(() => resolve(result));
        } catch (error) {
          end(() => reject(error));
        }
      };
      return [event, hear] as const;
    });
    for (const [event, hear] of heard) source.on(event, hear);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
}
