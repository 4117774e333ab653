import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Packages are built in the nightly run.
    exclude: ["test/packaging/**"],
    setupFiles: ["test/support/setup.ts"],
    // The service keeps no state in modules, so test files may share a process; starting one for each costs far more.
    isolate: false,
    // Threads cannot be given back when a test leaves a worker of the store behind; processes can.
    pool: "forks",
    // Much of a test here is waiting for a process, a radio or a browser, so one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 15_000,
    hookTimeout: 15_000,
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary", "json-summary", "html"] },
  },
});
