/** Links of a scene that devices carry out, on the page of the scene, with simulated Insteon devices. */

import { connect } from "@domovoi/client";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, request, usePages } from "./visits.ts";

const { visitSignedIn, url } = usePages(async () => ["--demo-insteon"]);

const LAMP = "2D 40 11 1";
const KEYPAD = "2D 40 12 1";
const BUTTON = "2D 40 12 4";
const LONG = { timeout: 120_000 };

test("the page of a scene says that a link waits for its devices, and then that they carry it out", async () => {
  await using visitor = await visitSignedIn(`/node/${encodeURIComponent(BUTTON)}`, DESK);
  const { page } = visitor;
  // Its devices come one after the other.
  await page.getByRole("heading", { level: 1, name: /^Keypad Button/ }).waitFor(LONG);
  await request(page, "POST", "/api/nodes", { name: "Reading", nodeType: "group" });
  await using owner = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  const { address } = owner.group("Reading");
  const members = `/api/groups/members/${address}`;
  for (const nodeAddress of [LAMP, KEYPAD]) await request(page, "POST", members, { nodeAddress });
  await request(page, "POST", members, { nodeAddress: BUTTON, isController: true });
  await page.goto(`${url()}/scene/${address}`);
  const lamp = page.getByRole("listitem").filter({ hasText: owner.node(LAMP).name });
  await lamp.getByText(/^The scene switches it by itself until the devices have the link\./).waitFor(LONG);
  await lamp.getByText("The scene switches it with one message for all its devices.").waitFor(LONG);
  await lamp.getByText(`${owner.node(BUTTON).name} switches it directly, also without the controller.`).waitFor(LONG);
  expect(visitor.problems).toEqual([]);
}, 240_000);
