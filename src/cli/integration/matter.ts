/** `domovoi matter`: the Matter bridge and its ecosystems. */

import type { ControllerSession, MatterRecord } from "@domovoi/client";
import encodeQR from "qr";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { type Done, done, usageFailure } from "../outcome.ts";
import { plain } from "../show/plain.ts";

type WindowOptions = ConnectionOptions & { readonly seconds?: string };

/** Readers need some white around the code. */
const BORDER = 2;

export async function showMatter({ matter }: ControllerSession): Promise<Done> {
  const found = await matter.get();
  return done(linesOf(found), found);
}

export async function openWindow({ matter }: ControllerSession, { seconds = "900" }: WindowOptions): Promise<Done> {
  const wanted = Number(seconds);
  if (!Number.isInteger(wanted)) throw usageFailure("--seconds is a whole number.");
  const opened = await matter.openWindow(wanted);
  return done(linesOf(opened), opened);
}

export async function removeFabric({ matter }: ControllerSession, index: string): Promise<Done> {
  if (!/^\d{1,3}$/.test(index)) throw usageFailure('The index is a number. "domovoi matter" shows it.');
  const left = await matter.removeFabric(Number(index));
  return done(`The bridge is no longer in the ecosystem ${index}.`, left);
}

function linesOf({ bridge }: MatterRecord): readonly string[] {
  const { state, reason, nodes, fabrics, qrPairingCode, manualPairingCode } = bridge;
  if (state === "off") return ['There is no Matter bridge. Add it with "domovoi integration add matterbridge".'];
  const codes =
    qrPairingCode === undefined || manualPairingCode === undefined
      ? fabrics.length > 0
        ? ['To add a further ecosystem: "domovoi matter window".']
        : []
      : [
          ...encodeQR(qrPairingCode, "ascii", { border: BORDER }).trimEnd().split("\n"),
          qrPairingCode,
          manualPairingCode,
        ];
  return [
    `The Matter bridge is ${state} and shows ${nodes} nodes.${reason === "" ? "" : ` ${reason}`}`,
    ...fabrics.map(
      ({ index, label, vendorId }) => `${index}   ${label === "" ? "(no name)" : plain(label)}   vendor ${vendorId}`,
    ),
    ...codes,
  ];
}
