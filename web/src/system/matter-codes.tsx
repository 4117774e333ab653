/** The Matter bridge: the codes by which an ecosystem adds it, and the ecosystems that have it. */

import type { MatterRecord } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Ask, DialogButton } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { QrCode } from "../parts/qr-code.tsx";
import { useHome } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { t, tn } from "../text/text.ts";

/** The longest that a bridge can be added after it was asked for. */
const WINDOW_S = 900;

/** @param state of the integration: its codes are there when it is ready */
export function MatterCodes({ state }: { state: string }) {
  const home = useHome();
  const act = useAct();
  const [bridge, setBridge] = useState<MatterRecord["bridge"] | null>(null);
  const take = (work: () => Promise<MatterRecord>) => act.run(async () => setBridge((await work()).bridge));
  useEffect(() => {
    void take(() => home.matter.get());
  }, [state]);
  if (!bridge) return <p role="alert">{act.problem}</p>;
  const { qrPairingCode, manualPairingCode, fabrics } = bridge;
  return (
    <Card title={t("matter.title")}>
      {qrPairingCode && manualPairingCode ? (
        <>
          <p>{t("matter.scan")}</p>
          <QrCode text={qrPairingCode} />
          <label>
            {t("matter.digits")}
            <input readOnly value={manualPairingCode} onFocus={(event) => event.currentTarget.select()} />
          </label>
        </>
      ) : (
        <div class="buttons">
          <button
            type="button"
            disabled={act.isBusy || state !== "ready"}
            onClick={() => void take(() => home.matter.openWindow(WINDOW_S))}
          >
            {t("matter.addAnother")}
          </button>
        </div>
      )}
      {fabrics.length > 0 && (
        <>
          <p class="hint">{tn("matter.fabrics", fabrics.length)}</p>
          <ul class="rows">
            {fabrics.map(({ index, label, vendorId }) => {
              const name = label || t("matter.vendor", { number: vendorId });
              return (
                <li key={index}>
                  <span class="main">{name}</span>
                  <DialogButton class="danger" label={t("remove")}>
                    <Ask
                      title={t("remove.title", { name })}
                      submit={t("remove")}
                      isDangerous
                      onSubmit={async () => setBridge((await home.matter.removeFabric(index)).bridge)}
                    >
                      <p>{t("matter.removeAbout")}</p>
                    </Ask>
                  </DialogButton>
                </li>
              );
            })}
          </ul>
        </>
      )}
      <p role="alert">{act.problem}</p>
    </Card>
  );
}
