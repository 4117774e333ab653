/** Dialogs: a form, or a question before what cannot be taken back. The browser's own, so focus and Escape work. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useAct } from "../store/use-act.ts";
import { t } from "../text/text.ts";
import { Closing, useClose } from "./closing.ts";

/** Keeps a dialog open that shows something else now. */
export const STAY = Symbol("stay");

type FormDialogProps = {
  readonly title: string;
  /** Label of the button that does it. */
  readonly submit: string;
  readonly isDangerous?: boolean;
  /** An edit of the home, in words. It is shown with a button that undoes it. */
  readonly done?: string;
  /** The dialog closes when it worked, except when this resolves with `STAY`. */
  readonly onSubmit: (form: FormData) => Promise<unknown>;
  /** Called at each change of a field. */
  readonly onChange?: (form: FormData) => void;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
};

export function FormDialog({
  title,
  submit,
  isDangerous = false,
  done,
  onSubmit,
  onChange,
  onClose,
  children,
}: FormDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const act = useAct();
  useEffect(() => dialog.current?.showModal(), []);
  const send = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    let result: unknown;
    const work = async () => {
      result = await onSubmit(form);
      return result;
    };
    const isDone = await (done === undefined ? act.run(work) : act.edit(done, work));
    if (isDone && result !== STAY) onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <form class="fields" onSubmit={send} onChange={({ currentTarget }) => onChange?.(new FormData(currentTarget))}>
        <h2 id={titleId}>{title}</h2>
        {children}
        <p role="alert" class="problem">
          {act.problem}
        </p>
        <div class="buttons end">
          <button type="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" class={isDangerous ? "danger" : "primary"} disabled={act.isBusy} aria-busy={act.isBusy}>
            {submit}
          </button>
        </div>
      </form>
    </dialog>
  );
}

type DialogButtonProps = {
  readonly label: ComponentChildren;
  /** For a label that is only a picture. */
  readonly name?: string;
  readonly class?: string;
  /** The dialog; it calls `useClose`. */
  readonly children: ComponentChildren;
};

/** A button that opens a dialog. */
export function DialogButton({ label, name, class: kind, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={kind}
        aria-haspopup="dialog"
        aria-label={name}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && <Closing value={close}>{children}</Closing>}
    </>
  );
}

type AskProps = Omit<FormDialogProps, "onClose">;

/** A form dialog inside of a `DialogButton`. */
export function Ask(props: AskProps) {
  return <FormDialog {...props} onClose={useClose()} />;
}
