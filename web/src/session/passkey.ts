/** Passkeys of this browser. What it makes and signs goes to the controller as base64url. */

export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const { id, response } = made.toJSON() as RegistrationResponseJSON;
  const { clientDataJSON, attestationObject } = response;
  return { id, clientDataJSON, attestationObject };
}

export async function signWithPasskey(options: PublicKeyCredentialRequestOptionsJSON) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const signed = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { id, response } = signed.toJSON() as AuthenticationResponseJSON;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle };
}
