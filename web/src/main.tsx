import { render } from "preact";
import { App } from "./app.tsx";
import { takeGuestLink } from "./session/token-store.ts";
import "./styles/base.css";
import { showTheme } from "./store/thin-layer.ts";
import { loadTexts, loadTextsOf, t } from "./text/text.ts";

showTheme();
await loadTexts();
takeGuestLink(() => confirm(t("signIn.guestInstead")));
render(location.pathname === "/alert" ? await alertPage() : <App />, document.getElementById("app") as HTMLElement);
// Needs a certificate that the browser trusts; without one the page works all the same, only not offline.
void navigator.serviceWorker?.register("/worker.js").then(keepLoaded, () => {});

/** Before signing in: who has the link of a message may answer. */
async function alertPage() {
  const [{ AlertAnswerPage }] = await Promise.all([import("./home/alert-answer.tsx"), loadTextsOf("places")]);
  return <AlertAnswerPage />;
}

async function keepLoaded(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
}
