import { lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSecrets } from "../../src/store/secrets.ts";
import { temporaryDirectory } from "../support/test-store.ts";

test("an existing secret that cannot be read is not replaced", () => {
  const dir = join(temporaryDirectory(), "secrets");
  mkdirSync(dir);
  // A symbolic link to itself cannot be read, even by root.
  symlinkSync("key", join(dir, "key"));
  const refusal = expect.objectContaining({
    code: "STORE_UNAVAILABLE",
    message: 'The secret "key" in the data directory can neither be read nor written.',
  });
  expect(() => createSecrets(dir).secret("key", () => "new")).toThrow(refusal);
  expect(readdirSync(dir)).toEqual(["key"]);
  expect(lstatSync(join(dir, "key")).isSymbolicLink()).toBe(true);
});
