/** The layout of places: a head with actions, cards, a list beside a detail. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Link } from "wouter-preact";
import { t } from "../text/text.ts";
import { useTitle } from "./use-title.ts";

export function Head({ title, children }: { title: ComponentChildren; children?: ComponentChildren }) {
  useTitle(typeof title === "string" ? title : null);
  return (
    <header class="head">
      {typeof title === "string" ? <h1>{title}</h1> : title}
      {children && <div class="buttons">{children}</div>}
    </header>
  );
}

type CardProps = {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
};

export function Card({ title, actions, class: kind = "", children }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${kind}`} aria-labelledby={id}>
      <div class="head">
        <h2 id={id}>{title}</h2>
        {actions && <div class="buttons">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

type SplitProps = {
  readonly list: ComponentChildren;
  readonly detail: ComponentChildren | null;
  /** What a desk shows in the place of the detail while there is none. */
  readonly children?: ComponentChildren;
};

/** A phone shows either the list or the detail, a desktop both. */
export function Split({ list, detail, children }: SplitProps) {
  return (
    <div class={detail === null ? "split" : "split has-detail"}>
      <div class="list">{list}</div>
      {detail === null ? <div class="only-large">{children}</div> : <div>{detail}</div>}
    </div>
  );
}

export type Crumb = { readonly text: string; readonly href?: string };

export function Crumbs({ of }: { of: readonly Crumb[] }) {
  return (
    <p class="crumb">
      {of.map(({ text, href }, at) => (
        <>
          {at > 0 && " / "}
          {href === undefined ? text : <Link href={href}>{text}</Link>}
        </>
      ))}
    </p>
  );
}

/** In the place of a thing that does not exist, or no longer. @param text says so */
export function Missing({ text }: { text: string }) {
  return (
    <article class="missing">
      <Head title={t("missing")} />
      <p role="alert">{text}</p>
      <Link class="button" href="/">
        {t("missing.home")}
      </Link>
    </article>
  );
}

/** Loading, failed, or empty; nothing when there is something to show. */
export function Rest({
  of,
  empty,
}: {
  of: { readonly data: unknown; readonly problem: string | null };
  empty?: string;
}) {
  if (of.problem) return <p role="alert">{of.problem}</p>;
  if (of.data === null) return <p class="hint">{t("starting")}</p>;
  const isEmpty = Array.isArray(of.data) && of.data.length === 0;
  return isEmpty && empty ? <p class="empty">{empty}</p> : null;
}
