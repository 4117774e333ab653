import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

const LAMP = "1A 2B 3C 1";
const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from("a small picture")]);

let controller: TestController;
beforeAll(async () => {
  controller = await startTestController({ floorPlanBytesMax: 65_536 });
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

const plan = async () => (await controller.portal.get("/api/floor-plan")).json<{ data: object }>().data;
const putImage = (body: Buffer) =>
  controller.portal.request("PUT", "/api/floor-plan/image", {
    headers: { ...controller.bearer(), "Content-Type": "application/octet-stream" },
    body,
  });

test("a plan has its picture and its nodes, after a restart too, until it is removed", async () => {
  expect(await plan()).toEqual({ image: null, places: [] });
  await putImage(PNG);
  const places = [{ address: LAMP, x: 0.25, y: 0.5 }];
  expect((await controller.portal.put("/api/floor-plan/places", { places })).status).toBe(200);
  await controller.restart();
  await controller.login();
  expect(await plan()).toEqual({ image: `data:image/png;base64,${PNG.toString("base64")}`, places });
  await controller.portal.delete("/api/floor-plan");
  expect(await plan()).toEqual({ image: null, places: [] });
});

test("what is no picture, one that is too large, and places of unknown nodes are refused, and nothing changes", async () => {
  await putImage(PNG);
  const before = await plan();
  const refused = [
    await putImage(Buffer.from("<svg onload='alert(1)'/>")),
    await putImage(Buffer.alloc(70_000, PNG)),
    await controller.portal.put("/api/floor-plan/places", { places: [{ address: "nothing", x: 0, y: 0 }] }),
    await controller.portal.put("/api/floor-plan/places", { places: [{ address: LAMP, x: 2, y: 0 }] }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 413, 404, 400]);
  expect(await plan()).toEqual(before);
});
