/** How hard the simulations try: quickly with every `npm test`, long at night, or as the environment says. */

/** Where chance begins. A failure names it; the same seed gives the same steps, though not the same instants. */
export const SEED = whole("DOMOVOI_SEED", 1);
/** Examples of a property test without a number of its own. */
export const EXAMPLES = whole("DOMOVOI_EXAMPLES", 100);
/** Ends of the service by `kill -9`, under load. */
export const KILLS = whole("DOMOVOI_KILLS", 6);
/** Ends of a process that writes to a store, and of restores: without a service around them. */
export const STORE_KILLS = whole("DOMOVOI_STORE_KILLS", 8);
export const RESTORE_KILLS = whole("DOMOVOI_RESTORE_KILLS", 3);
/** Clients that follow the streams of one service; a tenth of them stalls. */
export const FOLLOWERS = whole("DOMOVOI_FOLLOWERS", 40);
/** Clients that reconnect at once. */
export const RETURNING = whole("DOMOVOI_RETURNING", 80);
/** Ends of a service full of programs that wait and repeat. */
export const PROGRAM_KILLS = whole("DOMOVOI_PROGRAM_KILLS", 6);
/** Rounds of ends in every stage of an alert. */
export const ALERT_KILLS = whole("DOMOVOI_ALERT_KILLS", 1);
/** Rounds of each fault of a home with a standby. */
export const TAKEOVERS = whole("DOMOVOI_TAKEOVERS", 10);
/** Ends of the service in the midst of edits of the home. */
export const EDIT_KILLS = whole("DOMOVOI_EDIT_KILLS", 6);
/** Ends of the service and of the command line in every step of a move from another controller. */
export const MOVE_KILLS = whole("DOMOVOI_MOVE_KILLS", 1);
/** Homes with random programs whose verification is held against the engine. */
export const VERIFIED_HOMES = whole("DOMOVOI_VERIFIED_HOMES", 50);
/** Times that the files of a home are damaged while it is down. */
export const DAMAGES = whole("DOMOVOI_DAMAGES", 5);
/** The same without a service around the store, which takes a tenth of the time. */
export const STORE_DAMAGES = whole("DOMOVOI_STORE_DAMAGES", 32);
/** Things that happen in a home while streams are followed. */
export const FOLLOWED_STEPS = whole("DOMOVOI_FOLLOWED_STEPS", 3000);
/** Frames that the service keeps for clients that lag; who stalls is cut when so many more have come. */
export const RING_FRAMES = whole("DOMOVOI_RING_FRAMES", 256);
/** Starts of a plugin that asks before its subscription is confirmed. */
export const PLUGIN_STARTS = whole("DOMOVOI_PLUGIN_STARTS", 40);
/** How long and how hard a home is attacked; 4 is as hard as the attacks that once stopped it. */
export const ATTACK_SECONDS = whole("DOMOVOI_ATTACK_SECONDS", 4);
export const ATTACK_STRENGTH = whole("DOMOVOI_ATTACK_STRENGTH", 1);
/** Names of the attackers to have alone; none: all of them. */
export const ATTACK_ACTORS = (process.env.DOMOVOI_ATTACK_ACTORS ?? "").split(" ").filter(Boolean);

function whole(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} is a whole number of at least 1.`);
  return value;
}
