/** The simulated radio network of a test controller. */

import type { TestController } from "./controller.ts";

/** Settles when every node has been reported with its properties. */
export async function interviewed({ services }: TestController): Promise<void> {
  const { feed, home } = services;
  const expected = ["Desk strip", "Siren", "Garden sensor", "Kitchen shutter", "Bedroom thermostat"];
  await new Promise<void>((resolve) => {
    const look = () => {
      const names = new Set(
        [...home.nodes.values()].filter(({ properties }) => properties.size > 0).map(({ name }) => name),
      );
      if (expected.every((name) => names.has(name))) resolve();
    };
    feed.listen(look);
    look();
  });
}
