/**
 * A login of the page may be a plain name, such as Lena. The controller's logins have the shape of an e-mail address, so a name gets an
 * ending that stands for the home.
 */

const OF_THE_HOME = "@home";

/** @param name as a person types it */
export function loginOf(name: string): string {
  const typed = name.trim();
  return typed.includes("@") ? typed : typed.toLowerCase().replace(/\s+/g, "-") + OF_THE_HOME;
}

/** As the page shows it. */
export function nameOf(login: string): string {
  if (!login.endsWith(OF_THE_HOME)) return login;
  return login.slice(0, -OF_THE_HOME.length).replace(/(?:^|-)\p{Ll}/gu, (letter) => letter.toUpperCase());
}
