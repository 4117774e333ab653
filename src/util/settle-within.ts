/** Waiting for the outside world with an end, in real time: for closing sockets and files, never for what the home does. */

/** Settles with the promise or after `spanMs`, whichever is first. Never rejects. */
export function settleWithin(promise: Promise<unknown>, spanMs: number): Promise<void> {
  return new Promise((resolve) => {
    const handle = setTimeout(resolve, spanMs);
    const settle = () => {
      clearTimeout(handle);
      resolve();
    };
    promise.then(settle, settle);
  });
}
