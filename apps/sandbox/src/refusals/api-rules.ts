import { setClock, type Rule } from './rule.js';

const messageSigning = 'Read/Write profile 3.1.2, message signing; RFC 7515 appendix F';
const registration = 'OBIE Dynamic Client Registration 3.2; RFC 7591 s2, s3';

/** Rules of signatures, headers, consents, files and registration, by name. */
export const apiRules: Readonly<Record<string, Rule>> = {
  'jws.missing': {
    title: 'The body is not signed.',
    section: messageSigning,
    fix: 'Send x-jws-signature with every POST.',
  },
  'jws.malformed': {
    title: 'x-jws-signature is no detached JWS.',
    section: messageSigning,
    fix: 'header..signature: three parts, the middle one empty, all base64url without padding.',
  },
  jws: {
    title: 'A member of the header of x-jws-signature is missing or wrong.',
    section: messageSigning,
    fix: 'Compare with what "npm run tpp -- sign FILE --explain" shows.',
  },
  'jws.alg': {
    title: 'The body is signed with another algorithm than the registered one.',
    section: `${messageSigning}; FAPI 1.0 Advanced s8.6`,
    fix: 'Sign with PS256, or ES256 where it is registered. RS256 is never taken.',
  },
  'jws.kid': {
    title: 'No key with this kid is in the published key set of the software.',
    section: `${messageSigning} (kid)`,
    fix: 'Name the kid under which the directory publishes your signing key.',
  },
  'jws.iat': {
    title: 'The signature says that it was made in the future.',
    section: `${messageSigning} (http://openbanking.org.uk/iat)`,
    fix: `Seconds, not milliseconds. ${setClock}`,
  },
  'jws.iss': {
    title: 'iss of the signature is not this TPP.',
    section: `${messageSigning} (http://openbanking.org.uk/iss)`,
    fix: 'iss is organisation id, slash, software id; not the client_id.',
  },
  'jws.tan': {
    title: 'tan of the signature is another trust anchor.',
    section: `${messageSigning} (http://openbanking.org.uk/tan)`,
    fix: 'tan is openbanking.org.uk.',
  },
  'jws.crit': {
    title: 'crit of the signature does not name what must be understood.',
    section: `${messageSigning}; RFC 7515 s4.1.11`,
    fix: 'crit names b64 (where b64 is in the header) and the three http://openbanking.org.uk/ members.',
  },
  'jws.b64': {
    title: 'b64 and crit of the signature do not fit.',
    section: `${messageSigning}; RFC 7797 s6`,
    fix: 'b64 is false and named in crit, or it is in neither.',
  },
  'jws.rewritten': {
    title: 'The body was parsed and written again between signing and sending.',
    section: `${messageSigning}: the payload is the body as it is sent`,
    fix: 'Make the text of the body once, sign its octets, and send those very octets.',
  },
  'jws.signature': {
    title: 'The signature does not fit the body.',
    section: messageSigning,
    fix: 'Sign the octets that are sent, with the private half of the published key; with b64 false the octets themselves, not their base64url form.',
  },
  'header.x-idempotency-key': {
    title: 'x-idempotency-key is missing or malformed.',
    section: 'Read/Write profile 3.1, idempotency',
    fix: 'Send a new key of 1 to 40 characters with every new POST.',
  },
  header: {
    title: 'A header is missing or malformed.',
    section: 'Read/Write profile 3.1, request headers',
    fix: 'Send the header once, in its form.',
  },
  'idempotency.reused': {
    title: 'The idempotency key was used before, with another body.',
    section: 'Read/Write profile 3.1, idempotency',
    fix: 'Repeat the first body octet for octet, or take a new key for a new request.',
  },
  'media-type': {
    title: 'The media type is not one of this operation.',
    section: 'Read/Write profile 3.1, HTTP request headers; RFC 9110 s15.5.7, s15.5.16',
    fix: 'Content-Type application/json, for registration application/jose; Accept application/json.',
  },
  'consent.status': {
    title: 'The consent is in another state than this operation needs.',
    section: 'Read/Write profile 3.1, file payment consents, status model',
    fix: 'Order of the journey: consent, upload, authorise, pay. A consent goes through it once.',
  },
  'consent.not-found': {
    title: 'There is no such consent or payment.',
    section: 'Read/Write profile 3.1, resource identifiers',
    fix: 'Use the id that this bank returned.',
  },
  'consent.owner': {
    title: 'The resource belongs to another client.',
    section: 'Read/Write profile 3.1, security and access control',
    fix: 'Read it as the client that made it; a new registration is a new client.',
  },
  'consent.mismatch': {
    title: 'The request does not repeat the consent.',
    section: 'Read/Write profile 3.1, POST /file-payments (Initiation must match)',
    fix: 'Send Initiation as it came back with the consent, member for member.',
  },
  'file.hash': {
    title: 'The file is not the one that the consent was made for.',
    section: 'Read/Write profile 3.1, FileHash',
    fix: 'Hash the octets that are uploaded (SHA-256, base64); blanks count.',
  },
  'file.count': {
    title: 'The number of payments is another than the consent says.',
    section: 'Read/Write profile 3.1, NumberOfTransactions',
    fix: 'Count the payments of the file that is uploaded.',
  },
  'file.sum': {
    title: 'The sum is another than the consent says.',
    section: 'Read/Write profile 3.1, ControlSum',
    fix: 'Add decimals, not floating-point numbers.',
  },
  'file.items': {
    title: 'A file holds 1 to 150 payments.',
    section: 'this bank’s file format, see Limits in its documentation',
    fix: 'Split the file; each part has a consent of its own.',
  },
  'file.type': {
    title: 'The FileType is not one that this bank takes.',
    section: 'Read/Write profile 3.1, FileType',
    fix: 'FileType is UK.OBIE.PaymentInitiation.3.1 on v3.1, UK.OBIE.PaymentInitiation.4.0 on v4.0.',
  },
  registration: {
    title: 'The registration request is not right.',
    section: registration,
    fix: 'Compare with what "npm run tpp -- register --explain" shows.',
  },
  'registration.management': {
    title: 'The credentials do not allow reading or changing this registration.',
    section: 'OBIE Dynamic Client Registration 3.2 (GET, PUT, DELETE); RFC 7592 s2',
    fix: 'Send an access token of this client (client_credentials), or its client id and secret as Basic.',
  },
  'registration.redirect_uris': {
    title: 'A redirect_uri is missing or not one of the software statement.',
    section: `${registration} (redirect_uris)`,
    fix: 'Register addresses of the statement only; add the address at the directory and get a new statement first. No localhost.',
  },
  'registration.aud': {
    title: 'The registration request is not for this bank.',
    section: `${registration} (aud)`,
    fix: 'aud is the issuer of the discovery document, or the bank’s organisation id.',
  },
  'registration.exp': {
    title: 'The registration request has expired, or is good for too long.',
    section: `${registration} (exp)`,
    fix: setClock,
  },
  'registration.iat': {
    title: 'The registration request was signed in the future.',
    section: `${registration} (iat)`,
    fix: setClock,
  },
  'registration.alg': {
    title: 'The registration request is signed with an algorithm that is not allowed.',
    section: `${registration}; FAPI 1.0 Advanced s8.6`,
    fix: 'Sign with PS256 or ES256. RS256 is never taken.',
  },
  'registration.kid': {
    title: 'No key with this kid is in the published key set of the software.',
    section: `${registration}; RFC 7515 s4.1.4`,
    fix: 'Name the kid under which the directory publishes your signing key.',
  },
  'registration.signature': {
    title: 'The signature of the registration request does not fit the published key.',
    section: `${registration}; RFC 7515 s5.2`,
    fix: 'Sign with the private half of the published key.',
  },
  'software-statement': {
    title: 'The software statement is not right.',
    section: 'RFC 7591 s2.3; OBIE software statements',
    fix: 'Get a new software statement from the directory.',
  },
  'software-statement.exp': {
    title: 'The software statement has expired.',
    section: 'RFC 7591 s2.3; RFC 7519 s4.1.4',
    fix: 'Get a new software statement from the directory; in the sandbox it is served fresh.',
  },
  'software-statement.signature': {
    title: 'The software statement is not signed by the directory.',
    section: 'RFC 7591 s2.3',
    fix: 'Send the statement as the directory gave it, unchanged.',
  },
  field: {
    title: 'A member of the body is missing or not allowed as it is.',
    section: 'Read/Write profile 3.1, data model',
    fix: 'See the member’s type and bounds in /docs.',
  },
  'rate-limit': {
    title: 'Too many requests in a short time.',
    section: 'RFC 6585 s4',
    fix: 'Wait as Retry-After says.',
  },
  unavailable: {
    title: 'Something that this answer needs cannot be had.',
    section: 'RFC 6749 s4.1.2.1 (temporarily_unavailable)',
    fix: 'Send the request again in a while; check that your key set can be reached.',
  },
  unexpected: {
    title: 'The service failed.',
    section: 'Read/Write profile 3.1, 500',
    fix: 'Tell the bank the interaction id.',
  },
  other: { title: 'The request was refused.', section: 'see the message', fix: 'See the message.' },
};
