/** A place whose code is loaded when it is opened. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../text/text.ts";

type LazyProps<P> = { readonly load: () => Promise<ComponentType<P>> } & P;

export function Lazy<P extends object>({ load, ...props }: LazyProps<P>) {
  const [loaded, setLoaded] = useState<{ readonly load: unknown; readonly Place: ComponentType<P> } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    load().then(
      (Place) => setLoaded({ load, Place }),
      () => setProblem(t("place.notLoaded")),
    );
  }, [load]);
  if (problem) return <p role="alert">{problem}</p>;
  // Another place may have stood here: its component does not know these properties.
  const isCurrent = loaded?.load === load;
  return isCurrent ? <loaded.Place {...(props as unknown as P)} /> : <p class="starting">{t("starting")}</p>;
}
