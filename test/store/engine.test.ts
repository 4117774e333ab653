/** What the store promises, whichever engine keeps the home. */

import { describe, expect, test } from "vitest";
import { CAUSE, nodeAdded, openHome, START_MS, stateReported, temporaryDirectory } from "../support/test-store.ts";
import { ENGINES, stopPostgres } from "./engines.ts";

stopPostgres();

describe.each(ENGINES)("a home kept by $name", { timeout: 60_000 }, ({ settings }) => {
  test("keeps texts of clients with every character that there is", async () => {
    const [dir, kept] = [temporaryDirectory(), await settings()];
    const texts = ["a\0b", "back\\slash", "\\0", "\ud800 alone", "emoji 🏠", "quote ' \" {a,b}", "line\nbreak"];
    const first = await openHome(dir, { settings: kept });
    await first.write(nodeAdded("n1"));
    for (const [at, text] of texts.entries()) {
      first.store.driverStore("d").set(text, text);
      const cause = { kind: "request", id: text, by: text } as const;
      first.feed.commit({ type: "folder-added", folder: { address: `f${at}`, name: text, parent: null } }, cause);
    }
    await first.store.saved();
    await first.store.committed(first.feed.lastSeq);
    await first.close();
    const second = await openHome(dir, { settings: kept });
    expect([...second.home.folders.values()].map(({ name }) => name)).toEqual(texts);
    const stored = second.store.driverStore("d");
    expect(stored.keys().map((key) => stored.get(key))).toEqual(texts);
  });

  test("keeps a batch of more entries than one commit takes", async () => {
    const [dir, kept] = [temporaryDirectory(), await settings()];
    const first = await openHome(dir, { settings: kept });
    await first.write(nodeAdded("n1"));
    for (let value = 1; value <= 20_000; value += 1) first.feed.commit(stateReported("n1", value), CAUSE);
    await first.store.committed(first.feed.lastSeq);
    await first.close();
    const second = await openHome(dir, { settings: kept });
    expect(second.home.nodes.get("n1")?.properties.get("ST")?.value).toBe(20_000);
    expect(second.feed.lastSeq).toBe(first.feed.lastSeq);
  });

  test("has a row that was removed and added again as its last one", async () => {
    const [dir, kept] = [temporaryDirectory(), await settings()];
    const first = await openHome(dir, { settings: kept });
    const folder = (address: string) => ({ address, name: address, parent: null });
    for (const address of ["a", "b", "c"]) await first.write({ type: "folder-added", folder: folder(address) });
    first.feed.commit({ type: "folder-removed", address: "a" }, CAUSE);
    await first.write({ type: "folder-added", folder: folder("a") });
    await first.close();
    const second = await openHome(dir, { settings: kept });
    expect([...second.home.folders.keys()]).toEqual(["b", "c", "a"]);
  });

  test("keeps accounts, what drivers store, and secrets, also changed and removed ones", async () => {
    const [dir, kept] = [temporaryDirectory(), await settings()];
    const first = await openHome(dir, { settings: kept });
    const account = { kind: "local", role: "user", passwordHash: "x", createdAtMs: 1 } as const;
    for (const id of ["a", "b"]) await first.store.accounts.putAccount({ ...account, id, login: id });
    await first.store.accounts.removeAccount("a");
    first.store.driverStore("d").set("key", { value: 1 });
    for (const name of ["one", "two", "three"]) first.store.secrets.replaceSecret(name, name);
    first.store.secrets.replaceSecret("two", "changed");
    first.store.secrets.removeSecret("three");
    await first.store.saved();
    await first.close();
    const { store } = await openHome(dir, { settings: kept });
    expect(store.accounts.accounts().map(({ id }) => id)).toEqual(["b"]);
    expect(store.driverStore("d").get("key")).toEqual({ value: 1 });
    expect(["one", "two", "three"].map((name) => store.secrets.findSecret(name))).toEqual(["one", "changed", null]);
  });

  test("answers questions about the past from what was written", async () => {
    const [dir, kept] = [temporaryDirectory(), await settings()];
    const first = await openHome(dir, { settings: kept });
    await first.write(nodeAdded("n1"));
    await first.write(stateReported("n1", 30));
    const past = await first.store.past.homeAt(START_MS + 1);
    expect(past.home?.nodes.get("n1")?.properties.get("ST")?.value).toBe(30);
  });
});
