/**
 * One frame for all devices that are to do the same. No device confirms it, so each is commanded by itself afterwards; devices
 * that sleep, are encrypted or do not answer are left to that.
 */

import type { Attribution } from "../attribution.ts";
import type { ZWaveDevice } from "../library.ts";
import type { Act } from "../plan/act.ts";
import { CC } from "../plan/command-class-table.ts";
import { keyText } from "../plan/device-view.ts";
import type { RunningRadio } from "../radio.ts";
import { effectOf } from "./perform.ts";

type MemberAct = { readonly device: ZWaveDevice; readonly act: Act };
type Set = Extract<Act, { kind: "set" }>;

/** Begins at once; never throws. */
export function groupcast(radio: RunningRadio, attribution: Attribution, members: readonly MemberAct[]): void {
  for (const group of groupsOf(members.filter((member) => mayBeTold(radio, member)))) {
    const [first] = group;
    if (!first || group.length < 2) continue;
    for (const { device, act } of group) {
      const effect = effectOf(act);
      if (effect) attribution.expect(device.id, keyText(effect.value), null, effect.expected);
    }
    void tell(radio, group, first.act as Set);
  }
}

/** Writing the same to the same value: what one frame can say. */
function groupsOf(members: readonly MemberAct[]): Iterable<readonly MemberAct[]> {
  const groups = new Map<string, MemberAct[]>();
  for (const member of members) {
    const { value, to, duration } = member.act as Set;
    const same = JSON.stringify([keyText(value), to, duration ?? null]);
    groups.set(same, [...(groups.get(same) ?? []), member]);
  }
  return groups.values();
}

/** Only switches and levels: a lock or a garage door never gets an unconfirmed frame. */
const TOLD_TOGETHER: readonly number[] = [CC.binarySwitch, CC.multilevelSwitch];

function mayBeTold({ library }: RunningRadio, { device, act }: MemberAct): boolean {
  if (act.kind !== "set" || act.value.endpoint !== 0 || !TOLD_TOGETHER.includes(act.value.commandClass)) return false;
  return device.isListening === true && device.isSecure === false && device.status === library.NodeStatus.Alive;
}

async function tell(
  { stack, host }: RunningRadio,
  group: readonly MemberAct[],
  { value, to, duration }: Set,
): Promise<void> {
  const options = duration === undefined ? {} : { transitionDuration: duration };
  try {
    await stack.controller.getMulticastGroup(group.map(({ device }) => device.id)).setValue(value, to, options);
  } catch (error) {
    host.log.debug("The members of a scene could not be commanded in one frame.", { error });
  }
}
