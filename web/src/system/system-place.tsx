/** The controller itself, section by section: a list of them beside the one that is open. */

import {
  Activity,
  Bell,
  Cable,
  Cpu,
  DatabaseBackup,
  Globe,
  History,
  Lightbulb,
  type LucideIcon,
  MapPin,
  Plug,
  Radio,
  ShieldCheck,
  Truck,
  Users,
  Variable,
} from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Head, Missing, Split } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { hasUserRights, isOwner } from "../session/role.ts";
import { type TextKey, t } from "../text/text.ts";
import { BackupSection } from "./backup-section.tsx";
import { CertificateSection } from "./certificate-section.tsx";
import { ControllerSection } from "./controller-section.tsx";
import { HealthSection, readHealth } from "./health-section.tsx";
import { HistorySection } from "./history-section.tsx";
import { IntegrationsSection } from "./integrations-section.tsx";
import { LocationSection } from "./location-section.tsx";
import { MoveInSection } from "./move-in-section.tsx";
import { NotificationsSection } from "./notifications-section.tsx";
import { PeopleSection } from "./people-section.tsx";
import { PluginsSection } from "./plugins-section.tsx";
import { RadiosSection } from "./radios-section.tsx";
import { ResourcesSection } from "./resources-section.tsx";
import { VariablesSection } from "./variables-section.tsx";

const proposals = () => import("./proposals-section.tsx").then((module) => module.ProposalsSection);

type Section = {
  readonly name: string;
  readonly text: TextKey;
  readonly Icon: LucideIcon;
  readonly isShown: () => boolean;
  readonly show: (rest: string) => ComponentChildren;
  /** The section whose list leads to it. */
  readonly within?: string;
};

const SECTIONS: readonly Section[] = [
  {
    name: "integrations",
    text: "system.integrations",
    Icon: Cable,
    isShown: isOwner,
    show: (id) => <IntegrationsSection id={id} notifies={false} />,
  },
  {
    name: "plugins",
    text: "system.plugins",
    Icon: Plug,
    isShown: isOwner,
    within: "integrations",
    show: (slot) => <PluginsSection id={slot} />,
  },
  {
    name: "radios",
    text: "system.radios",
    Icon: Radio,
    isShown: isOwner,
    within: "integrations",
    show: () => <RadiosSection />,
  },
  {
    name: "notifications",
    text: "system.notifications",
    Icon: Bell,
    isShown: hasUserRights,
    show: (id) => <NotificationsSection id={id} />,
  },
  {
    name: "variables",
    text: "system.variables",
    Icon: Variable,
    isShown: () => true,
    show: () => <VariablesSection />,
  },
  { name: "resources", text: "system.resources", Icon: Globe, isShown: () => true, show: () => <ResourcesSection /> },
  { name: "people", text: "system.people", Icon: Users, isShown: isOwner, show: () => <PeopleSection /> },
  {
    name: "proposals",
    text: "system.proposals",
    Icon: Lightbulb,
    isShown: isOwner,
    show: () => <Lazy load={proposals} />,
  },
  {
    name: "certificate",
    text: "system.certificate",
    Icon: ShieldCheck,
    isShown: isOwner,
    show: () => <CertificateSection />,
  },
  { name: "history", text: "system.history", Icon: History, isShown: isOwner, show: () => <HistorySection /> },
  { name: "backup", text: "system.backup", Icon: DatabaseBackup, isShown: isOwner, show: () => <BackupSection /> },
  { name: "health", text: "system.health", Icon: Activity, isShown: isOwner, show: () => <HealthSection /> },
  { name: "move-in", text: "system.moveIn", Icon: Truck, isShown: isOwner, show: () => <MoveInSection /> },
  { name: "location", text: "system.location", Icon: MapPin, isShown: isOwner, show: () => <LocationSection /> },
  { name: "controller", text: "system.controller", Icon: Cpu, isShown: () => true, show: () => <ControllerSection /> },
];

/** What the list marks when the controller needs its owner, by the beginning of the reason's code. */
const NEEDY: Readonly<Record<string, string>> = {
  INTEGRATION: "integrations",
  BACKUP: "backup",
  CERTIFICATE: "certificate",
};

/** Sections that a reason of the controller's health leads to. */
function useMarked(): ReadonlySet<string> {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const isReader = isOwner();
  useEffect(() => {
    if (!isReader) return;
    void readHealth().then((health) => {
      setMarked(new Set(health?.reasons.map(({ code }) => NEEDY[code.split("_")[0] ?? ""] ?? "health")));
    });
  }, [isReader]);
  return marked;
}

export function SystemPlace({ section }: { section: string }) {
  const [name = "", ...rest] = section.split("/");
  const open = SECTIONS.find((some) => some.name === name);
  const marked = useMarked();
  const [isDesk] = useState(() => matchMedia("(min-width: 64rem)").matches);
  const detail = open ? (
    <>
      <Head title={t(open.text)} />
      {open.show(rest.join("/"))}
    </>
  ) : (
    <Missing text={t("place.unknown")} />
  );
  return (
    <Split
      list={
        <>
          {name === "" ? <Head title={t("place.system")} /> : <h2>{t("place.system")}</h2>}
          <nav class="card sections" aria-label={t("place.system")}>
            {SECTIONS.filter(({ isShown, within }) => isShown() && within === undefined).map(
              ({ name: own, text, Icon }) => (
                <Link
                  key={own}
                  href={`/system/${own}`}
                  aria-current={own === (open?.within ?? name) ? "page" : undefined}
                >
                  <Icon size={20} aria-hidden />
                  {t(text)}
                  {marked.has(own) && <span class="tag bad">{t("place.needsAttention")}</span>}
                </Link>
              ),
            )}
          </nav>
        </>
      }
      detail={
        name === "" ? null : (
          <>
            {<Back />}
            {detail}
          </>
        )
      }
    >
      {isDesk && isOwner() && <IntegrationsSection id="" notifies={false} />}
    </Split>
  );
}

/** On a phone, where the list is not beside it. */
function Back() {
  return (
    <p class="crumb only-phone">
      <Link href="/system">{t("place.system")}</Link>
    </p>
  );
}
