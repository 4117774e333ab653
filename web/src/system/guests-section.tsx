/** Guest links: one person reaches certain things for a time, without an account. A link is shown once, also as a QR code. */

import type { Group, GuestLink, Home, Node } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Ask, DialogButton, STAY } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { Options } from "../parts/options.tsx";
import { QrCode } from "../parts/qr-code.tsx";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { type TextKey, t } from "../text/text.ts";
import { timeText } from "../text/time.ts";

const HOUR_S = 3600;
/** How long a link lasts; 0: until it is revoked. */
const LASTING = { hours: 3 * HOUR_S, day: 24 * HOUR_S, week: 7 * 24 * HOUR_S, ever: 0 } as const;
const ROLES = ["guest", "user"] as const;

export function GuestsCard() {
  const home = useHome();
  const act = useAct();
  const [guests, setGuests] = useState<readonly GuestLink[] | null>(null);
  const reload = () => void act.run(async () => setGuests(await home.guests.list()));
  useEffect(reload, []);
  const add = (
    <DialogButton class="primary" label={t("guest.new")}>
      <NewGuest onDone={reload} />
    </DialogButton>
  );
  return (
    <Card title={t("guest.title")} actions={add}>
      <p class="hint">{t("guest.about")}</p>
      <p role="alert">{act.problem}</p>
      {guests?.length === 0 && <p class="empty">{t("guest.none")}</p>}
      <ul class="rows">
        {guests?.map((guest) => (
          <GuestRow key={guest.id} guest={guest} reload={reload} />
        ))}
      </ul>
    </Card>
  );
}

function GuestRow({ guest: { id, name, role, expiresAt, limits }, reload }: { guest: GuestLink; reload: () => void }) {
  const home = useHome();
  const revoke = async () => {
    await home.guests.revoke(id);
    reload();
  };
  const reached = [
    ...limits.folders.map((address) => home.folders.find(address)?.name),
    ...limits.scenes.map((address) => home.groups.find(address)?.name),
    ...limits.nodes.map((address) => home.nodes.find(address)?.name),
  ].filter(Boolean);
  return (
    <li>
      <span class="main">
        {name}
        <small>
          {expiresAt === null ? t("guest.ever") : t("guest.until", { time: timeText(Date.parse(expiresAt)) })}
          {reached.length > 0 && ` · ${reached.join(", ")}`}
        </small>
      </span>
      <span class="tag">{t(`guest.role.${role}`)}</span>
      <DialogButton class="danger" label={t("guest.revoke")} name={t("guest.revokeTitle", { name })}>
        <Ask title={t("guest.revokeTitle", { name })} submit={t("guest.revoke")} isDangerous onSubmit={revoke}>
          <p>{t("guest.revokeAbout")}</p>
        </Ask>
      </DialogButton>
    </li>
  );
}

function NewGuest({ onDone }: { onDone: () => void }) {
  const home = useHome();
  const [made, setMade] = useState<{ readonly name: string; readonly link: string } | null>(null);
  const [chosen, setChosen] = useState<GuestThings>({ folders: [], scenes: [], nodes: [] });
  if (made) return <MadeLink {...made} />;
  const create = async (form: FormData) => {
    const name = String(form.get("name")).trim();
    const things = thingsOf(form);
    if (Object.values(things).every((some) => some.length === 0)) throw new Error(t("guest.choose"));
    const limits = { ...things, scenesWithin: !form.has("scenesBeyond") };
    const seconds = LASTING[String(form.get("lasting")) as keyof typeof LASTING];
    const role = String(form.get("role")) as GuestLink["role"];
    const { link } = await home.guests.create({ name, role, limits, ...(seconds > 0 && { seconds }) });
    onDone();
    setMade({ name, link });
    return STAY;
  };
  return (
    <Ask title={t("guest.new")} submit={t("create")} onSubmit={create} onChange={(form) => setChosen(thingsOf(form))}>
      <label>
        {t("guest.name")}
        <input name="name" required maxLength={200} autocomplete="off" />
      </label>
      <label>
        {t("guest.lasting")}
        <select name="lasting">
          <Options
            of={Object.keys(LASTING).map((name) => [name, t(`guest.lasting.${name}` as TextKey)])}
            chosen={"day"}
          />
        </select>
      </label>
      <fieldset>
        <legend>{t("people.role")}</legend>
        {ROLES.map((role) => (
          <label key={role} class="check">
            <input type="radio" name="role" value={role} defaultChecked={role === "guest"} />
            <span>
              {t(`guest.role.${role}`)} <small class="hint">{t(`guest.roleAbout.${role}`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <Choices name="folders" title={t("guest.rooms")} of={[...home.folders]} isOpen />
      <Choices name="scenes" title={t("scenes.title")} of={[...home.groups]} />
      <Choices name="nodes" title={t("folder.nodes")} of={[...home.nodes]} />
      <ScenesBeyond chosen={chosen} />
    </Ask>
  );
}

function thingsOf(form: FormData): GuestThings {
  const chosen = (kind: string) => form.getAll(kind).map(String);
  return { folders: chosen("folders"), scenes: chosen("scenes"), nodes: chosen("nodes") };
}

/** Scenes that switch more than what was chosen: those of the rooms are left out, except when the owner wants them. */
function ScenesBeyond({ chosen }: { chosen: GuestThings }) {
  const beyond = scenesBeyond(useHome(), chosen);
  const ofRooms = beyond.filter(({ scene }) => !chosen.scenes.includes(scene.address));
  if (beyond.length === 0) return null;
  return (
    <fieldset>
      <legend>{t("guest.beyond")}</legend>
      <ul>
        {beyond.map(({ scene, devices }) => (
          <li key={scene.address}>
            {scene.name} <small class="hint">{devices.map(({ name }) => name).join(", ")}</small>
          </li>
        ))}
      </ul>
      {ofRooms.length > 0 && (
        <label class="check">
          <input type="checkbox" name="scenesBeyond" />
          {t("guest.withBeyond", { scenes: ofRooms.map(({ scene }) => scene.name).join(", ") })}
        </label>
      )}
    </fieldset>
  );
}

type ChoicesProps = {
  readonly name: string;
  readonly title: string;
  readonly of: readonly { readonly address: string; readonly path: string }[];
  readonly isOpen?: boolean;
};

function Choices({ name, title, of, isOpen = false }: ChoicesProps) {
  if (of.length === 0) return null;
  const sorted = of.toSorted((a, b) => a.path.localeCompare(b.path));
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      {sorted.map(({ address, path }) => (
        <label key={address} class="check">
          <input type="checkbox" name={name} value={address} />
          {path.replaceAll("/", " / ")}
        </label>
      ))}
    </details>
  );
}

/** The only time that the link is there. */
function MadeLink({ name, link }: { name: string; link: string }) {
  const [isCopied, setCopied] = useState(false);
  // Browsers give the clipboard only to pages whose certificate they trust.
  const copy = () =>
    void navigator.clipboard?.writeText(link).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <Ask title={t("guest.made", { name })} submit={t("guest.noted")} onSubmit={async () => {}}>
      <p>{t("guest.madeAbout")}</p>
      <QrCode text={link} />
      <label>
        {t("guest.link")}
        <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      {"clipboard" in navigator && (
        <div class="buttons">
          <button type="button" onClick={copy}>
            {t(isCopied ? "guest.copied" : "guest.copy")}
          </button>
        </div>
      )}
    </Ask>
  );
}

/** Addresses. */
type GuestThings = {
  readonly folders: readonly string[];
  readonly scenes: readonly string[];
  readonly nodes: readonly string[];
};

type SceneBeyond = { readonly scene: Group; readonly devices: readonly Node[] };

/**
 * Which devices a guest link reaches only through scenes, as the controller decides it.
 * The scenes of the link that also command devices outside of it, with these devices.
 */
function scenesBeyond(home: Home, { folders, scenes, nodes }: GuestThings): readonly SceneBeyond[] {
  const isWithin = (address: string | null): boolean =>
    address !== null &&
    (folders.includes(address) ||
      isWithin(home.folders.find(address)?.parent ?? home.nodes.find(address)?.parent ?? null));
  const isReached = ({ address }: Node) => nodes.includes(address) || isWithin(address);
  return [...home.groups]
    .filter(({ address, parent }) => scenes.includes(address) || isWithin(parent))
    .map((scene) => ({ scene, devices: commanded(home, scene).filter((node) => !isReached(node)) }))
    .filter(({ devices }) => devices.length > 0);
}

function commanded(home: Home, { members, intents, targetsResolved }: Group): readonly Node[] {
  return members
    .filter((address) => !targetsResolved || intents.has(address))
    .flatMap((address) => home.nodes.find(address) ?? []);
}
