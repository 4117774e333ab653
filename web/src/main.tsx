import { render } from "preact";
import { App } from "./app.tsx";
import "./styles/base.css";
import { loadTexts } from "./text/text.ts";

await loadTexts();
render(<App />, document.getElementById("app") as HTMLElement);
// Needs a certificate that the browser trusts; without one the page works all the same, only not offline.
void navigator.serviceWorker?.register("/worker.js").catch(() => {});
