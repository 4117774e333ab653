import { describe, expect, test } from "vitest";
import {
  basic,
  bearer,
  createGate,
  HOME,
  LOCAL_PASSWORD,
  LOCAL_USER,
  OWNER,
  OWNER_PASSWORD,
  outcome,
  outcomes,
} from "./gate.ts";

const right = basic(LOCAL_USER, LOCAL_PASSWORD);

describe("basic authentication on the local listener", () => {
  test("lets the local administrator in, with colons and UTF-8 in the password", async () => {
    const { auth } = await createGate();
    const principal = await auth.authenticate(right, "local", HOME);
    expect(principal).toMatchObject({ login: LOCAL_USER, role: "owner", sessionId: null });
    expect(await auth.authenticate(right.replace("Basic", "bAsIc "), "local", HOME)).toEqual(principal);
    expect(await auth.authenticate(basic("ADMIN", LOCAL_PASSWORD), "local", `::ffff:${HOME}`)).toEqual(principal);
  });

  test("takes credentials in Latin-1 too, as libraries of Python write them", async () => {
    const { auth } = await createGate();
    const wanted = { kind: "local", login: "jürgen", role: "user", password: "Größe über alles" } as const;
    await auth.accounts.add(wanted);
    const value = Buffer.from(`${wanted.login}:${wanted.password}`, "latin1").toString("base64");
    expect(await auth.authenticate(`Basic ${value}`, "local", HOME)).toMatchObject({ login: "jürgen", role: "user" });
  });

  test.each([
    ["no value", "Basic"],
    ["an empty value", "Basic "],
    ["what is not base64", "Basic %%%"],
    ["base64 with a gap", "Basic YWRt aW46"],
    ["no colon", `Basic ${Buffer.from("admin").toString("base64")}`],
    ["bytes that are no text of ours", `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString("base64")}`],
    ["nothing", ""],
    ["another scheme", "Digest username=admin"],
    ["a wrong password", basic(LOCAL_USER, "wrong")],
    ["an empty password", basic(LOCAL_USER, "")],
    ["a portal account", basic(OWNER, OWNER_PASSWORD)],
  ])("refuses %s", async (_name, header) => {
    const { auth } = await createGate();
    expect(await outcome(auth.authenticate(header, "local", HOME))).toBe("LOGIN_FAILED");
  });

  test("refuses a bearer token", async () => {
    const { auth } = await createGate();
    const { accessToken } = await auth.login(OWNER, OWNER_PASSWORD, HOME);
    expect(await outcome(auth.authenticate(bearer(accessToken), "local", HOME))).toBe("LOGIN_FAILED");
  });

  test("computes one hash for fifty first requests of one client", async () => {
    const { auth } = await createGate({ settings: { passwordHashesAtOnce: 1, passwordHashQueueMax: 1 } });
    const requests = Array.from({ length: 50 }, () => auth.authenticate(right, "local", HOME));
    expect(await outcomes(requests)).toEqual({ ok: 50 });
  });

  test("computes none for credentials that were right before", async () => {
    const { auth } = await createGate({ settings: { passwordHashesAtOnce: 1, passwordHashQueueMax: 1 } });
    await auth.authenticate(right, "local", HOME);
    const others = Array.from({ length: 10 }, (_, index) => outcome(auth.login(`user${index}`, "wrong", "10.0.0.9")));
    expect(await outcome(auth.authenticate(right, "local", HOME))).toBe("ok");
    // Other logins that need a hash at this moment are refused because too many are waiting.
    expect(await Promise.all(others)).toContain("LOGINS_BUSY");
  });

  test("remembers credentials for their source only", async () => {
    const { auth, accounts } = await createGate();
    await auth.authenticate(right, "local", HOME);
    await auth.authenticate(right, "local", "10.0.0.9");
    const devices = [...accounts.knownDevices().keys()].filter((id) => id.split(" ").length === 2);
    expect(devices.map((id) => id.split(" ")[1])).toEqual([HOME, "10.0.0.9"]);
  });

  test("forgets an account that is gone", async () => {
    const { auth, accounts } = await createGate();
    await auth.authenticate(right, "local", HOME);
    for (const { id } of accounts.accounts()) await accounts.removeAccount(id);
    expect(await outcome(auth.authenticate(right, "local", HOME))).toBe("LOGIN_FAILED");
  });
});
