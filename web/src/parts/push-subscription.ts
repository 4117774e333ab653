/** The subscription of this browser at its push service. */

/** Id of this browser's device at the controller, so that the page can mark it. */
const ID = "domovoi.push";

export function ownPushDevice(): string | null {
  return localStorage.getItem(ID);
}

export function keepPushDevice(id: string): void {
  localStorage.setItem(ID, id);
}

/** Ends it, so that nobody who uses this browser later sees messages of the account. */
export async function endPush(): Promise<void> {
  localStorage.removeItem(ID);
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}
