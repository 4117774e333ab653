import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { type Certificate, loadCertificate, type Machine } from "../../src/http/tls.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { DAY_MS, outcome, START_MS } from "./gate.ts";
import { MemoryAccounts } from "./memory-accounts.ts";

const MACHINE: Machine = { hostName: "Hearth", addresses: ["192.168.1.10", "2001:db8::10"] };

type Services = {
  readonly accounts: MemoryAccounts;
  readonly clock: VirtualClock;
  readonly load: (settings?: Readonly<Record<string, unknown>>, machine?: Machine) => Promise<Certificate>;
};

function createServices(startMs = START_MS): Services {
  const accounts = new MemoryAccounts();
  const clock = new VirtualClock(startMs);
  const load = (settings = {}, machine = MACHINE) =>
    loadCertificate({ config: parseConfig(settings), accounts, clock, randomness: systemRandomness, machine });
  return { accounts, clock, load };
}

const leafOf = ({ cert }: Certificate) => new X509Certificate(cert);
const caOf = ({ ca }: Certificate) => new X509Certificate(ca);
const daysFrom = (fromMs: number, date: Date) => Math.round((date.getTime() - fromMs) / DAY_MS);

describe("the certificate that the controller makes", () => {
  let own: Certificate;
  beforeAll(async () => {
    own = await createServices().load({
      host: "10.1.2.3",
      portalHost: "my.example.net",
      allowedHosts: ["Home.Example.org", "*.casa.example", "10.9.9.9", "not a host"],
    });
  });

  test("is signed by its own CA, is no CA itself, and has its key", () => {
    const [leaf, ca] = [leafOf(own), caOf(own)];
    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect(leaf.checkIssued(ca)).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect([leaf.ca, ca.ca]).toEqual([false, true]);
    expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect(() =>
      createSecureContext({ key: own.key, cert: own.cert, ca: own.ca, minVersion: "TLSv1.2" }),
    ).not.toThrow();
  });

  test.each(["localhost", "hearth", "hearth.local", "my.example.net", "home.example.org", "any.casa.example"])(
    "is good for the name %s",
    (name) => {
      expect(leafOf(own).checkHost(name)).toBeDefined();
    },
  );

  test.each(["127.0.0.1", "::1", "192.168.1.10", "2001:db8::10", "10.1.2.3", "10.9.9.9"])(
    "is good for the address %s",
    (address) => {
      expect(leafOf(own).checkIP(address)).toBeDefined();
    },
  );

  test("is good for no other name", () => {
    expect(leafOf(own).checkHost("example.org")).toBeUndefined();
    expect(leafOf(own).subjectAltName).not.toContain("not a host");
  });

  test("lasts 800 days, its CA ten years, both valid since yesterday", () => {
    expect([daysFrom(START_MS, leafOf(own).validFromDate), daysFrom(START_MS, leafOf(own).validToDate)]).toEqual([
      -1, 800,
    ]);
    expect([daysFrom(START_MS, caOf(own).validFromDate), daysFrom(START_MS, caOf(own).validToDate)]).toEqual([
      -1, 3650,
    ]);
  });

  test("has another key and another CA in every house", async () => {
    const other = await createServices().load();
    expect(other.key).not.toBe(own.key);
    expect(caOf(other).subject).not.toBe(caOf(own).subject);
    expect(leafOf(own).verify(caOf(other).publicKey)).toBe(false);
  });
});

describe("a certificate that was made before", () => {
  test("is shown again after a restart, on a machine whose IPv6 addresses changed too", async () => {
    const { load } = createServices();
    const first = await load();
    expect((await load()).cert).toBe(first.cert);
    expect((await load({}, { hostName: "hearth", addresses: ["192.168.1.10", "2001:db8::77"] })).cert).toBe(first.cert);
  });

  test.each<readonly [string, Readonly<Record<string, unknown>>, Machine]>([
    ["another IPv4 address", {}, { ...MACHINE, addresses: ["192.168.1.11"] }],
    ["another name", {}, { ...MACHINE, hostName: "stove.example.org" }],
    ["another bound address", { host: "10.0.0.1" }, MACHINE],
    ["one more allowed host", { allowedHosts: ["more.example.org"] }, MACHINE],
  ])("is made anew for %s, by the same CA and with the same key", async (_name, settings, machine) => {
    const { load } = createServices();
    const first = await load();
    const renewed = await load(settings, machine);
    expect(renewed.cert).not.toBe(first.cert);
    expect([renewed.ca, renewed.key]).toEqual([first.ca, first.key]);
    expect((await load(settings, machine)).cert).toBe(renewed.cert);
  });

  test("is renewed when less than thirty days are left", async () => {
    const { clock, load } = createServices();
    const first = await load();
    await clock.advance(770 * DAY_MS);
    expect((await load()).cert).toBe(first.cert);
    await clock.advance(1000);
    const renewed = await load();
    expect(daysFrom(clock.now(), leafOf(renewed).validToDate)).toBe(800);
    expect(renewed.ca).toBe(first.ca);
  });

  test("never outlives its CA, whose renewal keeps the same key, so that clients that trust the old one trust the new one", async () => {
    const { clock, load } = createServices();
    const first = await load();
    await clock.advance(3600 * DAY_MS);
    const late = await load();
    expect(leafOf(late).validToDate).toEqual(caOf(first).validToDate);
    await clock.advance(21 * DAY_MS);
    const renewed = await load();
    expect(daysFrom(clock.now(), caOf(renewed).validToDate)).toBe(3650);
    expect(caOf(renewed).subject).toBe(caOf(first).subject);
    expect(leafOf(renewed).checkIssued(caOf(first))).toBe(true);
    expect(leafOf(renewed).verify(caOf(first).publicKey)).toBe(true);
  });

  test.each(["tls-cert", "ca-cert"])("is made anew when its %s is damaged or belongs to another key", async (name) => {
    const { accounts, load } = createServices();
    const first = await load();
    const other = createServices();
    await other.load();
    for (const damaged of ["", "torn", other.accounts.findSecret(name) ?? ""]) {
      accounts.replaceSecret(name, damaged);
      const renewed = await load();
      expect(leafOf(renewed).verify(caOf(renewed).publicKey)).toBe(true);
      expect(renewed.key).toBe(first.key);
    }
  });

  test("made on a machine that starts in 1970 is good once the machine knows the time", async () => {
    const { clock, load } = createServices(0);
    const first = await load();
    await clock.advance(START_MS);
    expect((await load()).cert).toBe(first.cert);
    expect(leafOf(first).validToDate.getTime()).toBeGreaterThan(START_MS);
  });
});

test("the machine's own names are taken when none are passed in", async () => {
  const clock = new VirtualClock(START_MS);
  const own = await loadCertificate({
    config: parseConfig({ host: "::" }),
    accounts: new MemoryAccounts(),
    clock,
    randomness: systemRandomness,
  });
  expect(leafOf(own).checkHost("localhost")).toBeDefined();
});

describe("the owner's certificate", () => {
  let folder: string;
  let owners: Certificate;
  const inFolder = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "domovoi-certificate-"));
    owners = await createServices().load();
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("is shown as it stands in the files, and read again each time", async () => {
    const { accounts, load } = createServices();
    const certificateFile = await inFolder("chain.pem", owners.cert);
    const certificateKeyFile = await inFolder("key.pem", owners.key);
    const shown = await load({ certificateFile, certificateKeyFile });
    expect(shown).toMatchObject({ cert: owners.cert, key: owners.key, ca: owners.ca });
    expect(accounts.secrets.size).toBe(0);
    const next = await createServices().load();
    await Promise.all([writeFile(certificateFile, next.cert), writeFile(certificateKeyFile, next.key)]);
    expect(await load({ certificateFile, certificateKeyFile })).toMatchObject({ cert: next.cert, key: next.key });
  });

  test("is refused with the name of the setting when the files cannot be used", async () => {
    const { load } = createServices();
    const good = {
      certificateFile: await inFolder("a.pem", owners.cert),
      certificateKeyFile: await inFolder("a.key", owners.key),
    };
    const { key: otherKey } = await createServices().load();
    const refused: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
      [{ certificateFile: good.certificateFile }, /Set both/],
      [{ certificateKeyFile: good.certificateKeyFile }, /Set both/],
      [{ ...good, certificateFile: join(folder, "none") }, /certificateFile cannot be read/],
      [{ ...good, certificateKeyFile: join(folder, "none") }, /certificateKeyFile cannot be read/],
      [{ ...good, certificateFile: await inFolder("b.pem", "hello") }, /certificateFile does not hold/],
      [{ ...good, certificateKeyFile: await inFolder("b.key", "hello") }, /does not belong/],
      [{ ...good, certificateKeyFile: await inFolder("c.key", otherKey) }, /does not belong/],
    ];
    for (const [settings, sentence] of refused) {
      expect(await outcome(load(settings))).toBe("BAD_VALUE");
      await expect(load(settings)).rejects.toThrow(sentence);
    }
  });
});
