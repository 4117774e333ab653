/** A field for the digits of a code that is printed on a device. Where the browser reads such codes, a button opens the camera. */

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "../text/text.ts";
import { useClose } from "./closing.ts";
import { DialogButton } from "./dialog.tsx";

type Detector = { detect(image: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]> };
type Detectors = { new (options: { readonly formats: readonly string[] }): Detector };

const LOOK_EVERY_MS = 250;

/** Available in Chromium on phones and macOS only. */
function detectors(): Detectors | null {
  return "BarcodeDetector" in globalThis && "mediaDevices" in navigator
    ? (Reflect.get(globalThis, "BarcodeDetector") as Detectors)
    : null;
}

type CodeFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly isRequired: boolean;
  /** The part of the code for the field; null: another kind of code. */
  readonly read: (code: string) => string | null;
};

export function CodeField({ name, label, hint, isRequired, read }: CodeFieldProps) {
  const [text, setText] = useState("");
  return (
    <div class="fields">
      <label>
        {label}
        <input
          name={name}
          required={isRequired}
          inputMode="numeric"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <small class="hint">{hint}</small>
      </label>
      {detectors() && (
        <div class="buttons">
          <DialogButton label={t("scan.open")}>
            <Scanner read={read} onCode={setText} />
          </DialogButton>
        </div>
      )}
    </div>
  );
}

function Scanner({ read, onCode }: Pick<CodeFieldProps, "read"> & { readonly onCode: (text: string) => void }) {
  const close = useClose();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    dialog.current?.showModal();
    const ending = new AbortController();
    const found = (text: string) => {
      onCode(text);
      close();
    };
    scan(video.current as HTMLVideoElement, read, ending.signal).then(
      found,
      () => ending.signal.aborted || setProblem(t("scan.noCamera")),
    );
    return () => ending.abort();
  }, []);
  return (
    // Without a form of its own: it is inside the form of the field.
    <dialog ref={dialog} aria-labelledby={titleId} onClose={close}>
      <div class="fields">
        <h2 id={titleId}>{t("scan.title")}</h2>
        <p>{t("scan.about")}</p>
        <video ref={video} class="camera" muted playsInline />
        <p role="alert">{problem}</p>
        <div class="buttons end">
          <button type="button" onClick={close}>
            {t("close")}
          </button>
        </div>
      </div>
    </dialog>
  );
}

/** @throws the reason of the signal, or what the camera fails with */
async function scan(video: HTMLVideoElement, read: CodeFieldProps["read"], signal: AbortSignal): Promise<string> {
  const Detector = detectors() as Detectors;
  const detector = new Detector({ formats: ["qr_code", "data_matrix"] });
  const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  try {
    signal.throwIfAborted();
    video.srcObject = camera;
    await video.play();
    for (;;) {
      for (const { rawValue } of await detector.detect(video)) {
        const text = read(rawValue);
        if (text !== null) return text;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      signal.throwIfAborted();
    }
  } finally {
    for (const track of camera.getTracks()) track.stop();
  }
}
