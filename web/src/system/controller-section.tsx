/** Facts about the controller. */

import { Card } from "../parts/layout.tsx";
import { useHome } from "../store/context.ts";
import { number, t } from "../text/text.ts";

export function ControllerSection() {
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
