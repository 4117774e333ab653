/** A client that lost an answer sends the write again, with the key that it gave the first one. */

import { expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

async function create(controller: TestController, key: string, name: string) {
  const headers = { ...controller.bearer(), "Content-Type": "application/json", "Idempotency-Key": key };
  const body = JSON.stringify({ name, nodeType: "folder" });
  return controller.portal.request("POST", "/api/nodes", { headers, body });
}

const folders = ({ services }: TestController, name: string) =>
  [...services.home.folders.values()].filter((folder) => folder.name === name).length;

test("a write that comes again with its key is carried out once, and gets the same answer", async () => {
  await using controller = await startTestController();
  await controller.login();
  const first = await create(controller, "attempt-1", "Cellar");
  const again = await create(controller, "attempt-1", "Cellar");
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.json()).toEqual(first.json());
  expect([first.headers["idempotency-replayed"], again.headers["idempotency-replayed"]]).toEqual([undefined, "true"]);
  expect(folders(controller, "Cellar")).toBe(1);
  await create(controller, "attempt-2", "Cellar");
  expect(folders(controller, "Cellar")).toBe(2);
});

test("two that come at once with one key are carried out once", async () => {
  await using controller = await startTestController();
  await controller.login();
  const [first, again] = await Promise.all([create(controller, "k", "Cellar"), create(controller, "k", "Cellar")]);
  expect(again?.json()).toEqual(first?.json());
  expect(folders(controller, "Cellar")).toBe(1);
});

test("a key is known after a restart: the answer says that it was done", async () => {
  await using controller = await startTestController();
  await controller.login();
  await create(controller, "before", "Cellar");
  await controller.restart();
  await controller.login();
  const again = await create(controller, "before", "Cellar");
  expect([again.status, again.json()]).toEqual([200, { successful: true, data: null }]);
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expect(folders(controller, "Cellar")).toBe(1);
});

test("a key is known after many later ones: the answer says that it was done", async () => {
  await using controller = await startTestController();
  await controller.login();
  await create(controller, "first", "Cellar");
  for (let later = 0; later < 64; later += 1) await create(controller, `later-${later}`, "Attic");
  const again = await create(controller, "first", "Cellar");
  expect([again.status, again.json()]).toEqual([200, { successful: true, data: null }]);
  expect(folders(controller, "Cellar")).toBe(1);
});

test("what was refused can be tried again with its key, and a key of another form is refused", async () => {
  await using controller = await startTestController();
  await controller.login();
  expect((await create(controller, "k", "")).status).toBe(400);
  expect((await create(controller, "k", "Cellar")).status).toBe(200);
  const odd = await create(controller, "two words", "Attic");
  expect([odd.status, odd.json()]).toMatchObject([400, { code: "BAD_VALUE" }]);
  expect(folders(controller, "Attic")).toBe(0);
});

test("a key belongs to its request: another body, route or fewer rights get no answer of another one", async () => {
  await using controller = await startTestController();
  await controller.login();
  await create(controller, "k", "Cellar");
  const other = await create(controller, "k", "Attic");
  expect([other.status, folders(controller, "Attic")]).toEqual([409, 0]);
  const headers = { ...controller.bearer(), "Content-Type": "application/json", "Idempotency-Key": "k" };
  const body = JSON.stringify({ name: "Cellar", nodeType: "folder" });
  const elsewhere = await controller.portal.request("POST", "/api/nodes?x=1", { headers, body });
  const asAssistant = await controller.portal.request("POST", "/api/nodes", {
    headers: { ...headers, "Domovoi-Assistant": "test" },
    body,
  });
  expect([elsewhere.status, asAssistant.status >= 400]).toEqual([409, true]);
  await controller.restart();
  await controller.login();
  expect((await create(controller, "k", "Attic")).status).toBe(409);
  expect((await create(controller, "k", "Cellar")).status).toBe(200);
});
