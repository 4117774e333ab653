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
import { Card, Head, Missing, Split } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { hasUserRights, isOwner } from "../session/role.ts";
import { useHome } from "../store/context.ts";
import { number, type TextKey, t } from "../text/text.ts";
import { BackupSection } from "./backup-section.tsx";
import { CertificateSection } from "./certificate-section.tsx";
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
  readonly group: Group;
  /** The section whose list leads to it. */
  readonly within?: string;
};

const GROUPS = ["devices", "people", "automation", "safety", "advanced"] as const;
type Group = (typeof GROUPS)[number];

const SECTIONS: readonly Section[] = [
  {
    name: "integrations",
    group: "devices",
    text: "system.integrations",
    Icon: Cable,
    isShown: isOwner,
    show: (id) => <IntegrationsSection id={id} notifies={false} />,
  },
  {
    name: "plugins",
    group: "devices",
    text: "system.plugins",
    Icon: Plug,
    isShown: isOwner,
    within: "integrations",
    show: (slot) => <PluginsSection id={slot} />,
  },
  {
    name: "radios",
    group: "devices",
    text: "system.radios",
    Icon: Radio,
    isShown: isOwner,
    within: "integrations",
    show: () => <RadiosSection />,
  },
  {
    name: "notifications",
    group: "people",
    text: "system.notifications",
    Icon: Bell,
    isShown: hasUserRights,
    show: (id) => <NotificationsSection id={id} />,
  },
  {
    name: "variables",
    group: "automation",
    text: "system.variables",
    Icon: Variable,
    isShown: () => true,
    show: () => <VariablesSection />,
  },
  {
    name: "resources",
    group: "automation",
    text: "system.resources",
    Icon: Globe,
    isShown: () => true,
    show: () => <ResourcesSection />,
  },
  {
    name: "people",
    group: "people",
    text: "system.people",
    Icon: Users,
    isShown: isOwner,
    show: () => <PeopleSection />,
  },
  {
    name: "proposals",
    group: "automation",
    text: "system.proposals",
    Icon: Lightbulb,
    isShown: isOwner,
    show: () => <Lazy load={proposals} />,
  },
  {
    name: "certificate",
    group: "advanced",
    text: "system.certificate",
    Icon: ShieldCheck,
    isShown: isOwner,
    show: () => <CertificateSection />,
  },
  {
    name: "history",
    group: "safety",
    text: "system.history",
    Icon: History,
    isShown: isOwner,
    show: () => <HistorySection />,
  },
  {
    name: "backup",
    group: "safety",
    text: "system.backup",
    Icon: DatabaseBackup,
    isShown: isOwner,
    show: () => <BackupSection />,
  },
  {
    name: "health",
    group: "safety",
    text: "system.health",
    Icon: Activity,
    isShown: isOwner,
    show: () => <HealthSection />,
  },
  {
    name: "move-in",
    group: "advanced",
    text: "system.moveIn",
    Icon: Truck,
    isShown: isOwner,
    show: () => <MoveInSection />,
  },
  {
    name: "location",
    group: "advanced",
    text: "system.location",
    Icon: MapPin,
    isShown: isOwner,
    show: () => <LocationSection />,
  },
  {
    name: "controller",
    group: "advanced",
    text: "system.controller",
    Icon: Cpu,
    isShown: () => true,
    show: () => <ControllerSection />,
  },
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
            {GROUPS.map((group) => (
              <SectionGroup key={group} group={group} here={open?.within ?? name} marked={marked} />
            ))}
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

type SectionGroupProps = { readonly group: Group; readonly here: string; readonly marked: ReadonlySet<string> };

function SectionGroup({ group, here, marked }: SectionGroupProps) {
  const shown = SECTIONS.filter((each) => each.group === group && each.isShown() && each.within === undefined);
  if (shown.length === 0) return null;
  return (
    <>
      <h3>{t(`system.group.${group}`)}</h3>
      {shown.map(({ name, text, Icon }) => (
        <Link key={name} href={`/system/${name}`} aria-current={name === here ? "page" : undefined}>
          <Icon size={20} aria-hidden />
          {t(text)}
          {marked.has(name) && <span class="tag bad">{t("place.needsAttention")}</span>}
        </Link>
      ))}
    </>
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

/** Facts about the controller. */
function ControllerSection() {
  const home = useHome();
  return (
    <Card title={home.name || t("system.controller")}>
      <dl>
        <dt>{t("system.version")}</dt>
        <dd>{home.config.version}</dd>
        <dt>{t("system.id")}</dt>
        <dd>{home.config.uuid}</dd>
        <dt>{t("folder.nodes")}</dt>
        <dd>{number(home.nodes.size)}</dd>
        <dt>{t("place.programs")}</dt>
        <dd>{number([...home.programs].filter(({ isFolder }) => !isFolder).length)}</dd>
      </dl>
    </Card>
  );
}
