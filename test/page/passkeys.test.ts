/** Passkeys on the page, with the virtual authenticator of Chromium: a phone and a second device, and what remains when one is lost. */

import axe from "axe-core";
import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { OWNER } from "../support/controller.ts";
import { DESK, PHONE, seriousFaults, sessionEnded, usePages } from "./visits.ts";

const pages = usePages();
/** Passkeys belong to a name. */
const byName = () => pages.url().replace("127.0.0.1", "localhost");

type Device = { readonly session: CDPSession; readonly authenticatorId: string };

/** A device with a fingerprint sensor, which always recognises its person. */
async function addAuthenticator(page: Page): Promise<Device> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

async function open(viewport = DESK) {
  const visitor = await pages.visit(viewport);
  const device = await addAuthenticator(visitor.page);
  await visitor.page.goto(`${byName()}/account`);
  return { ...visitor, device };
}

async function signIn(page: Page, password: string = OWNER.password): Promise<void> {
  await page.getByLabel("Name or e-mail address").fill(OWNER.username);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Passkeys" }).waitFor();
}

async function addPasskey(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Continue" }).click();
}

const withPasskey = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" }).click();
const row = (page: Page, name: string) =>
  page.getByRole("region", { name: "Passkeys" }).getByRole("listitem").filter({ hasText: name });
const signOut = (page: Page) => page.getByRole("button", { name: "Sign out", exact: true }).first().click();

test("a person adds a passkey, signs in with it, adds a second device, and survives the loss of the first", async () => {
  await using phone = await open(PHONE);
  await signIn(phone.page);
  await addPasskey(phone.page, "Ada's phone");
  const dialog = phone.page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Recovery codes" }).waitFor();
  const codes = await dialog.getByRole("listitem").allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  await phone.page.evaluate(axe.source);
  expect(await seriousFaults(phone.page)).toEqual([]);
  await dialog.getByRole("button", { name: "I have noted it" }).click();
  await row(phone.page, "Ada's phone").getByText("not used yet").waitFor();

  await signOut(phone.page);
  await withPasskey(phone.page);
  await row(phone.page, "Ada's phone").getByText("last used").waitFor();
  expect(phone.problems).toEqual([]);

  await using desk = await open();
  await signIn(desk.page, codes[0]);
  await addPasskey(desk.page, "Ada's desk");
  await row(desk.page, "Ada's desk").waitFor();
  await desk.page.getByText("Recovery codes left: 9.").waitFor();

  // The phone is lost: its passkey and its session end.
  await row(desk.page, "Ada's phone").getByRole("button", { name: "Remove the passkey Ada's phone" }).click();
  await desk.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row(desk.page, "Ada's phone").waitFor({ state: "detached" });
  const sessions = desk.page.getByRole("region", { name: "Where you are signed in" });
  // The latest after this one.
  await sessions
    .getByRole("button", { name: /^Sign out / })
    .first()
    .click();
  await sessionEnded(phone.page).waitFor();
  await signOut(desk.page);
  await withPasskey(desk.page);
  await row(desk.page, "Ada's desk").getByText("last used").waitFor();

  await using thief = await pages.visit();
  await thief.page.goto(byName());
  const stolen = await addAuthenticator(thief.page);
  const { credentials } = await phone.device.session.send("WebAuthn.getCredentials", {
    authenticatorId: phone.device.authenticatorId,
  });
  for (const credential of credentials) {
    await stolen.session.send("WebAuthn.addCredential", { authenticatorId: stolen.authenticatorId, credential });
  }
  await withPasskey(thief.page);
  await thief.page.getByRole("alert").getByText("The passkey was not accepted: it may have been removed.").waitFor();
}, 120_000);

test("a device without a passkey is told what to do, and a page under an IP address why it has none", async () => {
  await using visitor = await open();
  await withPasskey(visitor.page);
  await visitor.page.getByRole("alert").getByText("No passkey was used.").waitFor();
  await using other = await pages.visitSignedIn("/account", DESK);
  await other.page.getByText("Passkeys need a name").waitFor();
  expect(await other.page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  await using stranger = await pages.visit();
  await stranger.page.goto(pages.url());
  await stranger.page.getByLabel("Password").waitFor();
  expect(await stranger.page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
}, 60_000);

test("an owner removes the passkeys of an account", async () => {
  await using visitor = await open();
  await signIn(visitor.page);
  await visitor.page.goto(`${byName()}/system/people`);
  await visitor.page.getByRole("button", { name: `Remove the passkeys of ${OWNER.username}` }).click();
  await visitor.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  // It was the owner's own account, which is signed out everywhere.
  await visitor.page.getByRole("form", { name: "Sign in" }).waitFor();
}, 60_000);
