/** The persons: where they are, what each source says, and the address of a person's phone. */

import type { Person, PersonAddress } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Ask, DialogButton, STAY } from "../parts/dialog.tsx";
import { Card } from "../parts/layout.tsx";
import { QrCode } from "../parts/qr-code.tsx";
import { nodeHref } from "../parts/things.ts";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { reasonText } from "../text/reasons.ts";
import { t } from "../text/text.ts";

export function PersonsCard() {
  const home = useHome();
  const store = useStore();
  const act = useAct();
  const [persons, setPersons] = useState<readonly Person[]>([]);
  const { revision, operations } = store;
  useEffect(() => {
    void act.run(async () => setPersons(await home.persons.list()));
  }, [revision.value, operations.value]);
  return (
    <Card title={t("persons.title")}>
      {persons.length === 0 && <p class="hint">{t("persons.none")}</p>}
      <ul class="rows">
        {persons.map((person) => (
          <li key={person.id}>
            <span class="main">
              <Link href={nodeHref(person.node)}>{person.name}</Link>
              <small>{said(person.says)}</small>
              {person.sources.map((source) => (
                <small key={`${source.kind} ${source.from}`}>
                  {t(`persons.source.${source.kind}`)} {source.from}: {said(source.says)}. {reasonText(source.reason)}
                </small>
              ))}
            </span>
            <DialogButton label={t("persons.address")} name={t("persons.addressOf", { name: person.name })}>
              <Address person={person} />
            </DialogButton>
          </li>
        ))}
      </ul>
      <p role="alert">{act.problem}</p>
    </Card>
  );
}

function said(says: Person["says"]): string {
  return says === null ? t("persons.notKnown") : t(`state.${says}`);
}

function Address({ person }: { person: Person }) {
  const home = useHome();
  const [made, setMade] = useState<PersonAddress | null>(null);
  const make = async () => {
    setMade(await home.persons.renewAddress(person.id, location.origin));
    return STAY;
  };
  return (
    <Ask title={t("persons.addressOf", { name: person.name })} submit={t("persons.makeAddress")} onSubmit={make}>
      {made === null ? (
        <p>{t("persons.addressAbout")}</p>
      ) : (
        <>
          <p>{t("persons.scan")}</p>
          <QrCode text={made.link} />
          <label>
            {t("persons.url")}
            <input readOnly value={made.url} onFocus={(event) => event.currentTarget.select()} />
          </label>
        </>
      )}
    </Ask>
  );
}
