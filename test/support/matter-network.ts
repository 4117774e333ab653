/** Hosts of a simulated network: a bridge and a controller of Matter in one process, without sockets and without a disk. */

// The library is configured in setup.ts.
const {
  Crypto,
  Entropy,
  Environment,
  MemoryStorageDriver,
  Network,
  NetworkSimulator,
  ServiceBundle,
  StorageService,
  Logger,
} = await import("@matter/main");

const { default: output } = Logger.destinations;
if (output) output.write = () => {};

type SimulatedNetwork = { host(): InstanceType<typeof Environment> };

export function simulateNetwork(): SimulatedNetwork {
  const simulator = new NetworkSimulator();
  let hosts = 0;
  return {
    host() {
      hosts += 1;
      const environment = new Environment(`host-${hosts}`);
      environment.set(Entropy, Environment.default.get(Entropy));
      environment.set(Crypto, Environment.default.get(Crypto));
      environment.set(Network, simulator.addHost(hosts));
      const storage = environment.get(StorageService);
      storage.registerDriver(MemoryStorageDriver);
      storage.configuredDriver = "memory";
      ServiceBundle.default.deploy(environment);
      return environment;
    },
  };
}
