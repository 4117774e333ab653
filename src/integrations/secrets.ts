/**
 * Secret settings of integrations: one file each beside the keys of the controller. They are in no record, journal or log.
 * Every member throws ControllerError STORE_UNAVAILABLE when the disk does not do it.
 */

/** The files of the store. */
type SecretFiles = {
  findSecret(name: string): string | null;
  replaceSecret(name: string, value: string): void;
  removeSecret(name: string): void;
};

export type IntegrationSecrets = {
  /** The stored secrets. A home restored from an open backup has lost them. */
  read(id: string, names: readonly string[]): Readonly<Record<string, string>>;
  write(id: string, secrets: Readonly<Record<string, unknown>>): void;
  remove(id: string, names: readonly string[]): void;
};

export function createIntegrationSecrets(files: SecretFiles): IntegrationSecrets {
  const fileOf = (id: string, name: string) => `integration.${id}.${name}`;
  return {
    read: (id, names) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const value = files.findSecret(fileOf(id, name));
          return value === null ? [] : [[name, value]];
        }),
      ),
    write(id, secrets) {
      for (const [name, value] of Object.entries(secrets)) {
        if (files.findSecret(fileOf(id, name)) !== value) files.replaceSecret(fileOf(id, name), String(value));
      }
    },
    remove(id, names) {
      for (const name of names) files.removeSecret(fileOf(id, name));
    },
  };
}
