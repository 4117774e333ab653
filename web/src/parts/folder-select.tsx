/** The room that a thing lies in. */

import { useHome } from "../store/context.ts";
import { t } from "../text/text.ts";
import { Options } from "./options.tsx";

type SelectProps = {
  readonly value: string | null;
  readonly choose: (folder: string | null) => void;
  readonly not?: string;
  /** Default: the room. */
  readonly label?: string;
  /** In the place of a room. */
  readonly top?: string;
};

/** @param not a folder that cannot be chosen, with all below it */
export function FolderSelect({ value, choose, not, label = t("folder"), top = t("room.none") }: SelectProps) {
  const home = useHome();
  const forbidden = not === undefined ? null : home.folders.find(not)?.path;
  const folders = [...home.folders]
    .filter(({ path }) => forbidden == null || (path !== forbidden && !path.startsWith(`${forbidden}/`)))
    .sort((a, b) => a.path.localeCompare(b.path));
  return (
    <label>
      {label}
      <select value={value ?? ""} onChange={(event) => choose(event.currentTarget.value || null)}>
        <option value="">{top}</option>
        <Options of={folders.map(({ address, path }) => [address, path])} />
      </select>
    </label>
  );
}
