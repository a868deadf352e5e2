import { accepted, missing, refused, type Checked } from '../checked.js';
import type { RegisteringSoftware } from '../registering-software.js';
import { describePrintableFault, isPrintableText } from './claim-values.js';
import type { RegistrationContext } from './registration-context.js';

/** `iss` is the software of the software statement: it signs for itself (Open Banking DCR). */
export function verifyIssuer({ claims, software, acceptHostIssuer }: RegistrationContext): Checked<string> {
  const iss = claims.get('iss');
  if (iss === undefined) return missing('iss');
  const names = [
    software.softwareId,
    software.softwareClientId,
    // The published description calls iss a domain name; the standard does not, so this is a setting.
    ...(acceptHostIssuer === true ? hostsOf(software) : []),
  ];
  const isSoftware = names.includes(iss as string);
  return isSoftware && typeof iss === 'string'
    ? accepted(iss)
    : refused('iss', 'must be the software_id of the software statement');
}

function hostsOf({ clientUri, redirectUris }: RegisteringSoftware): string[] {
  return [clientUri ?? '', ...redirectUris].filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri).hostname);
}

/**
 * `aud` names only this service: another party that it named could use the request here (RFC 10070). TPPs use several
 * names for the service, and some use the client id.
 * @returns the first name
 */
export function verifyAudience({ claims, software, audience, clientId }: RegistrationContext): Checked<string> {
  const aud = claims.get('aud');
  if (aud === undefined) return missing('aud');
  const names: unknown[] = [...audience, software.softwareClientId, clientId];
  const sent: unknown[] = [aud].flat();
  const [first] = sent;
  return typeof first === 'string' && sent.every((name) => names.includes(name))
    ? accepted(first)
    : refused('aud', "must be this bank's organisation id in the directory, or its issuer");
}

/** `jti`: any text. The database decides whether it was used before. */
export function verifyJwtId({ claims }: RegistrationContext): Checked<string> {
  const jti = claims.get('jti');
  if (jti === undefined) return missing('jti');
  return isPrintableText(jti, 128) ? accepted(jti) : refused('jti', describePrintableFault(jti, 128));
}

/** `software_id`, if given, must equal that of the software statement. */
export function verifySoftwareId({ claims, software }: RegistrationContext): Checked<undefined> {
  const softwareId = claims.get('software_id');
  return softwareId === undefined || softwareId === software.softwareId
    ? accepted(undefined)
    : refused('software_id', 'must be the software_id of the software statement');
}

/** `client_id`: ignored in a new registration; must be the client's own in a replacement (RFC 7592 s2.2). */
export function verifyClientId({ claims, clientId }: RegistrationContext): Checked<undefined> {
  const claimed = claims.get('client_id');
  return clientId === undefined || claimed === undefined || claimed === clientId
    ? accepted(undefined)
    : refused('client_id', 'must be the id of the client that is replaced');
}
