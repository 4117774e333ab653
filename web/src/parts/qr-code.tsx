/** A QR code, for a camera in front of this screen. The library is loaded when one is shown. */

import { useEffect, useState } from "preact/hooks";
import { t } from "../text/text.ts";

/** White around the code, in modules: readers need it. */
const MARGIN = 4;

export function QrCode({ text }: { text: string }) {
  const [modules, setModules] = useState<readonly (readonly boolean[])[]>([]);
  useEffect(() => {
    // Without the library the text beside it is enough.
    import("qr").then(
      ({ encodeQR }) => setModules(encodeQR(text, "raw", { border: MARGIN })),
      () => {},
    );
  }, [text]);
  if (modules.length === 0) return null;
  const path = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg class="qr-code" role="img" aria-label={t("qr.label")} viewBox={`0 0 ${modules.length} ${modules.length}`}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
