/**
 * What each member of a scene does at a command to the scene, as the controller reports it. @see
 * docs/interface/groups.md
 */

type Parameter = {
  readonly id: string;
  readonly val: { readonly value: number; readonly prec: number; readonly uom?: number };
};
type DeviceState = { readonly state: string; readonly detail: string };
type Link = { readonly device?: DeviceState } & (
  | { readonly type: "native"; readonly node: string; readonly params?: readonly Parameter[] }
  | { readonly type: "cmd"; readonly node: string; readonly cmd?: string; readonly params?: readonly Parameter[] }
  | { readonly type: "default" | "ignore"; readonly node: string }
);
type Block = { readonly id: string; readonly links: readonly Link[] };

export type SceneLinks = { readonly groups: readonly { readonly id: string; readonly ctl: readonly Block[] }[] };

export type MemberLink =
  | { readonly kind: "level"; readonly level: number | null; readonly ramp: number | null }
  | { readonly kind: "cmd"; readonly command: string }
  | { readonly kind: "default" | "ignore" };

/** Whether the device or the controller carries out the link of a member. */
export type DeviceLink = DeviceState & { readonly controller: string };

export function deviceLinksOf(links: SceneLinks | null, scene: string, member: string): readonly DeviceLink[] {
  const blocks = links?.groups.find(({ id }) => id === scene)?.ctl ?? [];
  return blocks.flatMap(({ id: controller, links: own }) =>
    own.flatMap(({ node, device }) => (node === member && device ? [{ controller, ...device }] : [])),
  );
}

/** Seconds by the value of unit 25, which is an index. */
const RAMP_INDEX_UNIT = 25;
const RAMP_SECONDS = [
  ...[540, 480, 420, 360, 300, 270, 240, 210, 180, 150, 120, 90, 60, 47, 43, 38.5],
  ...[34, 32, 30, 28, 26, 23.5, 21.5, 19, 8.5, 6.5, 4.5, 2, 0.5, 0.3, 0.2, 0.1],
] as const;

export function levelsOf(links: SceneLinks | null, scene: string): ReadonlyMap<string, MemberLink> {
  const own = links?.groups.find(({ id }) => id === scene)?.ctl.find(({ id }) => id === scene);
  return new Map((own?.links ?? []).map((link) => [link.node, memberLink(link)]));
}

function memberLink(link: Link): MemberLink {
  if (link.type !== "native" && link.type !== "cmd") return { kind: link.type };
  const value = (id: string) => link.params?.find((parameter) => parameter.id === id)?.val ?? null;
  // The level of a command is its parameter without a name.
  const [level, ramp] = [value(link.type === "native" ? "OL" : ""), value("RR")];
  if (link.type === "cmd" && !level) return { kind: "cmd", command: link.cmd ?? "" };
  return { kind: "level", level: level && level.value / 10 ** level.prec, ramp: ramp && secondsOf(ramp) };
}

function secondsOf({ value, prec, uom }: Parameter["val"]): number | null {
  return uom === RAMP_INDEX_UNIT ? (RAMP_SECONDS[value] ?? null) : value / 10 ** prec;
}
