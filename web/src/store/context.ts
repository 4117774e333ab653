import type { Home } from "@domovoi/client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { HomeStore } from "./home-store.ts";

export const StoreContext = createContext<HomeStore | null>(null);

export function useStore(): HomeStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error("Outside of the shell.");
  return store;
}

/** The time that the page shows: now, or a past moment. */
export function useShownTime(): () => number {
  const store = useStore();
  const atMs = store.past.value?.atMs;
  return () => atMs ?? Date.now();
}

/** As `useHome`. Rendering follows the states of programs and the values of variables too. */
export function useHomeWithStates(): Home {
  void useStore().states.value;
  return useHome();
}

/** The loaded home, at the past moment that is shown or as it is; the places are only rendered when it is there. Rendering follows changes of the tree. */
export function useHome(): Home {
  const store = useStore();
  void store.revision.value;
  const home = store.past.value?.home ?? store.home.value;
  if (!home) throw new Error("The home is not loaded.");
  return home;
}
