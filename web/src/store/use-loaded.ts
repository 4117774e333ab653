/** Data that a place reads over `/api`, again whenever its key changes. */

import { useEffect, useState } from "preact/hooks";
import { problemText } from "../text/problem.ts";
import { useHome, useStore } from "./context.ts";

type Loaded<T> = { readonly data: T | null; readonly problem: string | null; readonly reload: () => void };

/** @param path below `/api`; null: nothing is read. @param again moves when the answer may have changed */
export function useLoaded<T>(path: string | null, again: unknown = 0): Loaded<T> {
  const home = useHome();
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ data: null, problem: null });
  const [turn, setTurn] = useState(0);
  // The home is loaded again when the connection is back: then it may work.
  const retry = useStore().revision.value * Number(state.problem !== null);
  useEffect(() => {
    if (path === null) return;
    let isOver = false;
    home.request("GET", path).then(
      ({ data }) => isOver || setState({ data: data as T, problem: null }),
      (error: Error) => isOver || setState({ data: null, problem: problemText(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [path, again, turn, retry, home]);
  return { ...state, reload: () => setTurn(turn + 1) };
}
