/** Accounts: who may log in, and as what. */

import { useState } from "preact/hooks";
import { Avatar } from "../parts/avatar.tsx";
import { Ask, DialogButton, STAY } from "../parts/dialog.tsx";
import { Card, Rest } from "../parts/layout.tsx";
import { WindowFields, windowText } from "../parts/window-fields.tsx";
import { clock, type Day, minutesOf, type Window, WORKDAYS } from "../parts/windows.ts";
import { loginOf, nameOf } from "../session/login-name.ts";
import { useHome } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { t } from "../text/text.ts";
import { AccountSessions } from "./account-sessions.tsx";
import { GuestsCard } from "./guests-section.tsx";

type Role = "owner" | "user" | "guest";
type Span = { readonly days: readonly Day[]; readonly from: string; readonly to: string };
type Account = {
  readonly id: string;
  readonly kind: "portal" | "local";
  readonly login: string;
  readonly role: Role;
  /** null: at all times. */
  readonly hours: readonly Span[] | null;
};

const ROLES: readonly Role[] = ["owner", "user", "guest"];
const KINDS = ["portal", "local"] as const;
/** Accounts for the rooms that are chosen: what they may do there. A user also locks and opens. */
const PRESETS = { child: "guest", grandparent: "user", cleaner: "guest", tenant: "user" } as const;
/** To begin with, where an account has hours. */
const USUAL: readonly Window[] = [{ days: WORKDAYS, from: 8 * 60, to: 12 * 60 }];
type Preset = keyof typeof PRESETS;

export function PeopleSection() {
  const accounts = useLoaded<readonly Account[]>("/api/accounts");
  return (
    <>
      <Card
        title={t("people.accounts")}
        actions={
          <>
            <DialogButton class="primary" label={t("people.new")}>
              <NewAccount preset={null} onDone={accounts.reload} />
            </DialogButton>
            {(Object.keys(PRESETS) as Preset[]).map((preset) => (
              <DialogButton key={preset} label={t(`people.${preset}`)}>
                <NewAccount preset={preset} onDone={accounts.reload} />
              </DialogButton>
            ))}
          </>
        }
      >
        <Rest of={accounts} />
        <ul class="rows">
          {accounts.data?.map((account) => (
            <AccountRow key={account.id} account={account} reload={accounts.reload} />
          ))}
        </ul>
      </Card>
      <GuestsCard />
    </>
  );
}

function AccountRow({ account, reload }: { account: Account; reload: () => void }) {
  const { id, login: stored, role, kind, hours } = account;
  const home = useHome();
  const login = nameOf(stored);
  const path = `/api/accounts/${encodeURIComponent(id)}`;
  const after = async (work: Promise<unknown>) => {
    await work;
    reload();
  };
  return (
    <li>
      <Avatar name={login} />
      <span class="main">
        {login}
        <small>{t(`people.${kind}`)}</small>
        {hours && <small>{windowsOf(hours).map(windowText).join(" · ")}</small>}
      </span>
      <span class="tag">{t(`role.${role}`)}</span>
      <span class="buttons">
        <DialogButton label={t("people.role")} name={t("people.roleOf", { login })}>
          <Ask
            title={t("people.roleOf", { login })}
            submit={t("save")}
            onSubmit={(form) => after(home.request("POST", path, { role: String(form.get("role")) }))}
          >
            <RoleFields chosen={role} />
          </Ask>
        </DialogButton>
        {role !== "owner" && (
          <DialogButton label={t("people.hours")} name={t("people.hoursOf", { login })}>
            <HoursDialog
              title={t("people.hoursOf", { login })}
              hours={hours}
              save={(next) => after(home.request("POST", path, { hours: next }))}
            />
          </DialogButton>
        )}
        <DialogButton label={t("people.password")} name={t("people.passwordOf", { login })}>
          <Ask
            title={t("people.passwordOf", { login })}
            submit={t("save")}
            onSubmit={(form) =>
              after(home.request("POST", `${path}/password`, { password: String(form.get("password")) }))
            }
          >
            <p>{t("people.passwordAbout")}</p>
            <PasswordField isRequired />
          </Ask>
        </DialogButton>
        {kind === "portal" && (
          <DialogButton label={t("people.passkeys")} name={t("people.passkeysOf", { login })}>
            <Ask
              title={t("people.passkeysOf", { login })}
              submit={t("remove")}
              isDangerous
              onSubmit={() => after(home.request("DELETE", `${path}/passkeys`))}
            >
              <p>{t("people.passkeysAbout")}</p>
            </Ask>
          </DialogButton>
        )}
        <DialogButton class="danger" label={t("remove")} name={t("remove.title", { name: login })}>
          <Ask
            title={t("remove.title", { name: login })}
            submit={t("remove")}
            isDangerous
            onSubmit={() => after(home.request("DELETE", path))}
          >
            <p>{t("people.removeAbout")}</p>
          </Ask>
        </DialogButton>
      </span>
      {kind === "portal" && <AccountSessions id={id} />}
    </li>
  );
}

function windowsOf(hours: readonly Span[]): readonly Window[] {
  return hours.map(({ days, from, to }) => ({ days, from: minutesOf(from), to: minutesOf(to) }));
}

function spansOf(windows: readonly Window[]): readonly Span[] {
  const given = windows.filter(({ days }) => days.length > 0);
  return given.map(({ days, from, to }) => ({ days, from: clock(from), to: clock(to) }));
}

type HoursProps = {
  readonly title: string;
  readonly hours: readonly Span[] | null;
  readonly save: (hours: readonly Span[] | null) => Promise<unknown>;
};

function HoursDialog({ title, hours, save }: HoursProps) {
  const [windows, setWindows] = useState(hours && windowsOf(hours));
  return (
    <Ask title={title} submit={t("save")} onSubmit={() => save(windows && spansOf(windows))}>
      <HoursFields windows={windows} change={setWindows} />
    </Ask>
  );
}

type HoursFieldsProps = {
  /** null: at all times. */
  readonly windows: readonly Window[] | null;
  readonly change: (windows: readonly Window[] | null) => void;
};

function HoursFields({ windows, change }: HoursFieldsProps) {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={windows === null}
          onChange={({ currentTarget }) => change(currentTarget.checked ? null : USUAL)}
        />
        {t("people.always")}
      </label>
      {windows && <p class="hint">{t("people.hoursAbout")}</p>}
      {windows && <WindowFields windows={windows} change={change} />}
    </>
  );
}

function RoleFields({ chosen }: { chosen: Role }) {
  return (
    <fieldset>
      <legend>{t("people.role")}</legend>
      {ROLES.map((name) => (
        <label key={name} class="check">
          <input type="radio" name="role" value={name} defaultChecked={name === chosen} />
          <span>
            {t(`role.${name}`)} <small class="hint">{t(`role.${name}About`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function PasswordField({ isRequired }: { isRequired: boolean }) {
  return (
    <label>
      {t("signIn.password")}
      <input name="password" type="password" minLength={8} required={isRequired} autocomplete="new-password" />
    </label>
  );
}

/**
 * A password that the controller made is shown once, here.
 *
 * @param preset null: the role is chosen, and reaches the whole home
 */
function NewAccount({ preset, onDone }: { preset: Preset | null; onDone: () => void }) {
  const home = useHome();
  const [windows, setWindows] = useState(preset === "cleaner" ? USUAL : null);
  const [made, setMade] = useState<{ readonly login: string; readonly password: string } | null>(null);
  if (made) {
    return (
      <Ask title={t("people.made", { login: made.login })} submit={t("people.noted")} onSubmit={async () => {}}>
        <p>{t("people.note")}</p>
        <p>
          <strong>{made.password}</strong>
        </p>
      </Ask>
    );
  }
  const create = async (form: FormData) => {
    const [name, password] = [String(form.get("login")), String(form.get("password"))];
    const kind = preset ? "portal" : String(form.get("kind"));
    const login = kind === "portal" ? loginOf(name) : name.trim();
    const folders = form.getAll("folders").map(String);
    if (preset && folders.length === 0) throw new Error(t("people.chooseRoom"));
    const rights = preset
      ? { role: PRESETS[preset], limits: { folders, scenesWithin: true }, hours: windows && spansOf(windows) }
      : { role: String(form.get("role")) };
    const body = { login, kind, ...rights, ...(password !== "" && { password }) };
    const { data } = await home.request("POST", "/api/accounts", body);
    onDone();
    const generated = (data as { readonly password: string | null }).password;
    if (generated === null) return null;
    setMade({ login: nameOf(login), password: generated });
    return STAY;
  };
  return (
    <Ask title={t(preset ? `people.${preset}` : "people.new")} submit={t("create")} onSubmit={create}>
      <label>
        {t(preset ? "people.name" : "people.login")}
        <input name="login" required maxLength={60} autocomplete="off" autofocus />
      </label>
      {preset ? <Rooms about={t(`people.${preset}About`)} /> : <KindFields />}
      {preset === "cleaner" && <HoursFields windows={windows} change={setWindows} />}
      {!preset && <RoleFields chosen="user" />}
      <PasswordField isRequired={false} />
      <p class="hint">{t("people.generate")}</p>
    </Ask>
  );
}

/** All of them, to begin with. */
function Rooms({ about }: { about: string }) {
  const rooms = [...useHome().folders].sort((one, other) => one.path.localeCompare(other.path));
  return (
    <fieldset>
      <legend>{t("people.rooms")}</legend>
      <p class="hint">{about}</p>
      {rooms.map(({ address, path }) => (
        <label key={address} class="check">
          <input type="checkbox" name="folders" value={address} defaultChecked />
          {path.replaceAll("/", " / ")}
        </label>
      ))}
    </fieldset>
  );
}

function KindFields() {
  return (
    <fieldset>
      <legend>{t("people.kind")}</legend>
      {KINDS.map((kind) => (
        <label key={kind} class="check">
          <input type="radio" name="kind" value={kind} defaultChecked={kind === "portal"} />
          <span>
            {t(`people.${kind}`)} <small class="hint">{t(`people.${kind}About`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
