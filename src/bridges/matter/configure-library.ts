/** Settings of the Matter library. It reads them once, when anything else of it is imported; otherwise it would take our arguments. */

/** @param storage a directory of its own; null: nothing is stored */
export async function configureLibrary(storage: string | null): Promise<void> {
  const { config } = await import("@matter/nodejs/config");
  config.loadProcessArgv = false;
  config.loadProcessEnv = false;
  config.loadConfigFile = false;
  config.trapProcessSignals = false;
  config.trapUnhandledErrors = false;
  config.setProcessExitCodeOnError = false;
  if (storage !== null) config.defaultStoragePath = storage;
  // One file instead of one for each attribute.
  config.storageDriver = storage === null ? "memory" : "sqlite";
}
