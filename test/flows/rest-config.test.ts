import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { child, children, textOf, type XmlElement } from "../support/read-xml.ts";
import { openRestListener, type RestListener } from "../support/rest-listener.ts";

describe("/rest/config", () => {
  let listener: RestListener;
  let config: XmlElement;

  beforeAll(async () => {
    listener = await openRestListener();
    config = await listener.xml("/rest/config");
  });
  afterAll(() => listener.close());

  test("root/id is a lower-case colon MAC, the controller's own", () => {
    const id = textOf(child(config, "root"), "id");
    expect(id).toMatch(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/);
    expect(id).toBe(listener.services.home.controller.uuid);
    expect(textOf(child(config, "root"), "name")).toBe(listener.services.home.controller.name);
  });

  test("clients find the features that they look up by their text", () => {
    const features = children(child(config, "features"), "feature");
    const texts = new Map(features.map((feature) => [textOf(feature, "desc"), textOf(feature, "id")]));
    expect(texts.get("Networking Module")).toBe("21040");
    expect(texts.get("Portal Integration - UDI")).toBe("21075");
    expect(features.length).toBeGreaterThanOrEqual(5);
    expect(features.every((feature) => /^(true|false)$/.test(textOf(feature, "isInstalled")))).toBe(true);
  });

  test("everything that one client or another cannot do without is there", () => {
    expect(textOf(config, "platform")).toBe("IoX");
    expect(textOf(config, "variables")).toBe("true");
    expect(textOf(config, "nodedefs")).toBe("true");
    expect(textOf(child(config, "product"), "id")).toBe(listener.services.config.productId);
    expect(textOf(child(config, "product"), "desc")).toBe(listener.services.config.productName);
    expect(textOf(child(config, "deviceSpecs"), "make")).toBe(listener.services.config.manufacturer);
    expect(textOf(child(config, "deviceSpecs"), "model")).not.toBe("");
  });

  test("the version is the interface's, the product's own stands beside it", () => {
    expect(textOf(config, "app_full_version")).toMatch(/^\d+\.\d+\.\d+/);
    expect(textOf(config, "app_version")).toBe(listener.services.config.interfaceVersion);
    expect(textOf(config, "domovoi")).toBe(listener.services.productVersion);
  });

  test("every id that a node accepts is among the controls, each with name and label", () => {
    const controls = children(child(config, "controls"), "control");
    const known = new Set(controls.map((control) => textOf(control, "name")));
    expect(controls.every((control) => textOf(control, "label") !== "")).toBe(true);
    expect(known.size).toBe(controls.length);
    const accepted = listener.services.profile
      .instances()
      .flatMap((home) => [...home.nodedefs.values(), ...home.dynamicNodedefs.values()])
      .flatMap(({ accepts }) => accepts.map(({ id }) => id));
    expect(accepted.filter((id) => !known.has(id))).toEqual([]);
  });

  test("the Networking Module is installed", () => {
    const features = children(child(config, "features"), "feature");
    const networking = features.find((feature) => textOf(feature, "id") === "21040");
    expect(networking && textOf(networking, "isInstalled")).toBe("true");
  });

  test("a rename of the controller shows at once", async () => {
    const { uuid } = listener.services.home.controller;
    expect((await listener.get(`/rest/nodes/${uuid}/change?name=Cottage`)).status).toBe(200);
    expect(textOf(child(await listener.xml("/rest/config/"), "root"), "name")).toBe("Cottage");
  });
});
