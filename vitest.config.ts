import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Packages are built in the nightly run.
    exclude: ["test/packaging/**"],
    // Processes that tests start run the bundled service, as users do.
    globalSetup: ["tools/build-service.js", "test/support/install-programs.ts"],
    setupFiles: ["test/support/setup.ts"],
    // The service keeps no state in modules, so test files may share a process; starting one for each costs far more.
    isolate: false,
    // Threads cannot be given back when a test leaves a worker of the store behind; processes can.
    pool: "forks",
    // By default the runner leaves a core to itself. Much of a test here is waiting for a process or a radio. With a third
    // worker on two cores, tests of the page and of the command line exceed their time.
    maxWorkers: 2,
    // A test that needs another file to run before it shows itself; the seed is printed, and --sequence.seed repeats the order.
    sequence: { shuffle: { files: true } },
    testTimeout: 15_000,
    hookTimeout: 15_000,
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary", "json-summary", "html"] },
  },
});
