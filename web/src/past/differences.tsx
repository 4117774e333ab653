/** The differences between a past moment and now: values, programs and variables, and added or removed things. */

import type { Home, Node } from "@domovoi/client";
import { Link } from "wouter-preact";
import { stateText } from "../parts/node-state.ts";
import { nodeHref } from "../parts/things.ts";
import { useStore } from "../store/context.ts";
import { t, tn } from "../text/text.ts";

type Difference = {
  readonly key: string;
  readonly name: string;
  readonly href: string;
  readonly then: string;
  readonly now: string;
};

const SHOWN_MAX = 200;

export function Differences({ past }: { past: Home }) {
  const store = useStore();
  void [store.revision.value, store.states.value];
  const now = store.home.value;
  if (!now) return null;
  const all = [...differentNodes(past, now), ...differentPrograms(past, now), ...differentVariables(past, now)];
  return (
    <details open>
      <summary>{tn("past.differences", all.length)}</summary>
      {all.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("rename.name")}</th>
              <th scope="col">{t("past.then")}</th>
              <th scope="col">{t("node.now")}</th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, SHOWN_MAX).map(({ key, name, href, then, now: present }) => (
              <tr key={key}>
                <th scope="row">
                  <Link href={href}>{name}</Link>
                </th>
                <td>{then}</td>
                <td>{present}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}

function differentNodes(past: Home, now: Home): readonly Difference[] {
  const addresses = new Set([...past.nodes, ...now.nodes].map(({ address }) => address));
  return [...addresses].flatMap((address) => {
    const [before, present] = [past.nodes.find(address), now.nodes.find(address)];
    const name = (present ?? before)?.name ?? address;
    const difference = {
      key: `node ${address}`,
      name,
      href: nodeHref(address),
      then: shownValue(before),
      now: shownValue(present),
    };
    return difference.then === difference.now ? [] : [difference];
  });
}

function shownValue(node: Node | null): string {
  return node === null ? t("history.absent") : stateText(node) || t("value.unknown");
}

function differentPrograms(past: Home, now: Home): readonly Difference[] {
  return [...now.programs].flatMap(({ id, name, isFolder, status }) => {
    const before = past.programs.find(id)?.status;
    if (isFolder || before === undefined || before === status) return [];
    return [{ key: `program ${id}`, name, href: `/program/${id}`, then: truthText(before), now: truthText(status) }];
  });
}

function truthText(status: boolean): string {
  return t(status ? "programs.true" : "programs.false");
}

function differentVariables(past: Home, now: Home): readonly Difference[] {
  return [...now.variables].flatMap(({ type, id, name, value }) => {
    const before = past.variables.find(`${type}.${id}`)?.value;
    if (before === undefined || before === value) return [];
    return [
      { key: `variable ${type}.${id}`, name, href: "/system/variables", then: String(before), now: String(value) },
    ];
  });
}
