/** The controller itself, section by section: a list of them beside the one that is open. */

import { Activity, Bell, Cable, Cpu, DatabaseBackup, Globe, History, type LucideIcon, MapPin, Palette, Plug, Radio, Users, Variable } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { Head, Split } from "../parts/layout.tsx";
import { isOwner } from "../session/role.ts";
import { type TextKey, t } from "../text/text.ts";
import { AppearanceSection } from "./appearance-section.tsx";
import { BackupSection } from "./backup-section.tsx";
import { ControllerSection } from "./controller-section.tsx";
import { HealthSection } from "./health-section.tsx";
import { HistorySection } from "./history-section.tsx";
import { IntegrationsSection } from "./integrations-section.tsx";
import { PeopleSection } from "./people-section.tsx";
import { LocationSection } from "./location-section.tsx";
import { PluginsSection } from "./plugins-section.tsx";
import { RadiosSection } from "./radios-section.tsx";
import { ResourcesSection } from "./resources-section.tsx";
import { VariablesSection } from "./variables-section.tsx";

type Section = {
  readonly name: string;
  readonly text: TextKey;
  readonly Icon: LucideIcon;
  readonly isForOwners: boolean;
  readonly show: (rest: string, onSignOut: () => void) => ComponentChildren;
};

const SECTIONS: readonly Section[] = [
  { name: "integrations", text: "house.integrations", Icon: Cable, isForOwners: true, show: (id) => <IntegrationsSection id={id} notifies={false} /> },
  { name: "plugins", text: "house.plugins", Icon: Plug, isForOwners: true, show: (slot) => <PluginsSection id={slot} /> },
  { name: "radios", text: "house.radios", Icon: Radio, isForOwners: true, show: () => <RadiosSection /> },
  { name: "notifications", text: "house.notifications", Icon: Bell, isForOwners: true, show: (id) => <IntegrationsSection id={id} notifies /> },
  { name: "variables", text: "house.variables", Icon: Variable, isForOwners: false, show: () => <VariablesSection /> },
  { name: "resources", text: "house.resources", Icon: Globe, isForOwners: false, show: () => <ResourcesSection /> },
  { name: "people", text: "house.people", Icon: Users, isForOwners: true, show: () => <PeopleSection /> },
  { name: "history", text: "house.history", Icon: History, isForOwners: true, show: () => <HistorySection /> },
  { name: "backup", text: "house.backup", Icon: DatabaseBackup, isForOwners: true, show: () => <BackupSection /> },
  { name: "health", text: "house.health", Icon: Activity, isForOwners: true, show: () => <HealthSection /> },
  { name: "location", text: "house.location", Icon: MapPin, isForOwners: true, show: () => <LocationSection /> },
  { name: "appearance", text: "house.appearance", Icon: Palette, isForOwners: false, show: () => <AppearanceSection /> },
  { name: "controller", text: "house.controller", Icon: Cpu, isForOwners: false, show: (_rest, onSignOut) => <ControllerSection onSignOut={onSignOut} /> },
];

export function HousePlace({ section, onSignOut }: { section: string; onSignOut: () => void }) {
  const [name = "", ...rest] = section.split("/");
  const open = SECTIONS.find((some) => some.name === name);
  const detail = open ? (
    <>
      <Head title={t(open.text)} />
      {open.show(rest.join("/"), onSignOut)}
    </>
  ) : (
    <p role="alert">{t("place.unknown")}</p>
  );
  return (
    <Split
      list={
        <>
          {name === "" ? <Head title={t("place.house")} /> : <h2>{t("place.house")}</h2>}
          <nav class="card sections" aria-label={t("place.house")}>
            {SECTIONS.filter(({ isForOwners }) => !isForOwners || isOwner()).map(({ name: own, text, Icon }) => (
              <Link key={own} href={`/house/${own}`} aria-current={own === name ? "page" : undefined}>
                <Icon size={20} aria-hidden />
                {t(text)}
              </Link>
            ))}
          </nav>
        </>
      }
      detail={name === "" ? null : <>{<Back />}{detail}</>}
    />
  );
}

/** On a phone, where the list is not beside it. */
function Back() {
  return (
    <p class="crumb only-phone">
      <Link href="/house">{t("place.house")}</Link>
    </p>
  );
}
