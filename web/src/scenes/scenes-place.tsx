/** All scenes: run them, see which members follow. */

import type { Group } from "@domovoi/client";
import { Link } from "wouter-preact";
import { CommandLine } from "../parts/honest.tsx";
import { useHome, useStore } from "../store/context.ts";
import { t } from "../text/text.ts";

export function ScenesPlace() {
  const home = useHome();
  const scenes = [...home.groups];
  return (
    <>
      <h1>{t("scenes.title")}</h1>
      {scenes.length === 0 && <p>{t("scenes.empty")}</p>}
      {scenes.map((scene) => (
        <SceneCard key={scene.address} scene={scene} />
      ))}
    </>
  );
}

function SceneCard({ scene }: { scene: Group }) {
  const store = useStore();
  const home = useHome();
  const run = (command: string) => void store.commands.run(scene.address, () => scene.send(command));
  const members = scene.members.flatMap((address) => home.nodes.find(address) ?? []);
  for (const { address } of members) void store.property(address, "ST").value;
  return (
    <details class="room">
      <summary>
        <h2>{scene.name}</h2>
        <span class="value">{t(scene.allOn ? "scene.allOn" : scene.anyOn ? "scene.someOn" : "scene.off")}</span>
      </summary>
      <div class="buttons">
        <button type="button" onClick={() => run("DON")}>
          {t("scene.on")}
        </button>
        <button type="button" onClick={() => run("DOF")}>
          {t("scene.turnOff")}
        </button>
        <CommandLine address={scene.address} />
      </div>
      <ul class="nodes">
        {members.map((node) => (
          <li key={node.address} class="node">
            <Link href={`/node/${encodeURIComponent(node.address)}`}>{node.name}</Link>
            <span class="value">{node.label("ST") ?? t("value.unknown")}</span>
            <CommandLine address={node.address} />
          </li>
        ))}
      </ul>
    </details>
  );
}
