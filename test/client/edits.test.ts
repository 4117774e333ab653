/** Edits of the home through the library. @see client/RULES.md */

import type { Home } from "@domovoi/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { failureOf } from "./support/connected.ts";
import { openAsOwner } from "./support/opened.ts";

let controller: TestController;
let home: Home;

beforeAll(async () => {
  controller = await startTestController();
  home = await openAsOwner(controller, "portal");
}, 60_000);

afterAll(async () => {
  await home.close();
  await controller[Symbol.asyncDispose]();
});

describe("C18 edits", () => {
  test("build a room, and are taken back by their numbers", async () => {
    const { edits } = home;
    const den = await edits.createFolder("Den");
    const scene = await edits.createScene("Reading", den.address);
    const lamp = home.node("Desk Lamp").address;
    await edits.addMember(scene.address, lamp, { level: 60, ramp: 2 });
    await edits.setLevel(scene.address, lamp, { level: 40 });
    expect(await edits.capture(scene.address)).toEqual([]);
    await edits.test(scene.address);
    const moved = await edits.move(lamp, den.address);
    await home.refresh();
    expect([home.group("Reading").members.length, home.node("Den/Desk Lamp").address]).toEqual([1, lamp]);
    expect(await edits.uses("node", lamp)).toContainEqual(
      expect.objectContaining({ as: "member", kind: "group", name: "Reading" }),
    );
    expect(await edits.undo(moved.edit ?? undefined)).toMatchObject({ undoes: moved.edit });
    await edits.removeMember(scene.address, lamp);
    const disabled = await edits.disable(lamp, "broken");
    expect((await edits.edit(disabled.edit ?? 0)).things[0]).toMatchObject({ after: { disabledBecause: "broken" } });
    await edits.undo();
    await edits.remove(den.address, { contents: "delete" });
    await home.refresh();
    expect([home.groups.find("Reading"), home.folders.find("Den")]).toEqual([null, null]);
    expect((await edits.history({ limit: 1 }))[0]).toMatchObject({ title: 'Remove the folder "Den"', undoneBy: null });
  });

  test("say what stands against them", async () => {
    const created = await home.edits.createFolder("Attic");
    await home.edits.createFolder("Box", created.address);
    expect(await failureOf(home.edits.remove(created.address))).toMatchObject({
      status: 409,
      reason: "FOLDER_NOT_EMPTY",
    });
    expect(await failureOf(home.edits.undo(created.edit ?? 0))).toMatchObject({ status: 409, reason: "UNDO_REFUSED" });
  });

  test("move the place, replace a device, add it again", async () => {
    expect(await home.edits.place()).toMatchObject({ timeZone: "Europe/Berlin", elevation: null, units: "metric" });
    expect(await home.edits.setPlace({ elevation: 34, units: "us" })).toMatchObject({ elevation: 34, units: "us" });
    const [lamp, spare] = [home.node("Hall Ceiling").address, home.node("Porch Light").address];
    const planned = await home.edits.replace(lamp, spare, { dryRun: true });
    expect(planned).toMatchObject({ addresses: { [lamp]: spare }, edit: null });
    const done = await home.edits.replace(lamp, spare, { force: true });
    expect(done.edit).toBeTypeOf("number");
    expect((await home.edits.addAgain(lamp)).address).toBe(lamp);
  });

  test("keep what a resource sends to themselves", async () => {
    const { edits } = home;
    const headers = [{ name: "Authorization", value: "Bearer s3cret-token" }];
    const made = await edits.createResource({ name: "Chime", url: "http://127.0.0.1:9/?key=s3cret-key", headers });
    await edits.changeResource(made.address, { body: "s3cret-body" });
    const tested = await failureOf(edits.testResource(made.address));
    expect(tested).toMatchObject({ status: 403 });
    const failure = await failureOf(edits.createResource({ name: "Chime", url: "ftp://s3cret-key", headers }));
    expect(`${tested} ${failure} ${failure.stack}`).not.toContain("s3cret");
    expect((await edits.removeResource(made.address)).edit).toBeTypeOf("number");
  });

  test("are refused in local mode before anything is sent", async () => {
    const local = await openAsOwner(controller, "local");
    const sent = local.requests;
    expect(await failureOf(local.edits.createFolder("Den"))).toMatchObject({ code: "NOT_IN_LOCAL_MODE" });
    expect(local.requests).toBe(sent);
    await local.close();
  });
});
