import { setClock } from './oauth-refusals.js';
import type { RefusalRule } from './refusal.js';

const messageSigning = 'Read/Write profile 3.1.2, message signing; RFC 7515 appendix F';
const registration = 'OBIE Dynamic Client Registration 3.2; RFC 7591 s2, s3';

/** Rules of signatures, headers, consents, files and registration, by name. */
export const apiRefusals: Readonly<Record<string, RefusalRule>> = {
  'jws.missing': {
    title: 'The body is not signed.',
    section: messageSigning,
    fix: 'Send x-jws-signature with every POST.',
  },
  'jws.malformed': {
    title: 'x-jws-signature is not a detached JWS.',
    section: messageSigning,
    fix: 'header..signature: three parts, the middle one empty, all base64url without padding.',
  },
  jws: {
    title: 'A member of the header of x-jws-signature is missing or wrong.',
    section: messageSigning,
    fix: 'Compare with what "npm run tpp -- sign FILE --explain" shows.',
  },
  'jws.alg': {
    title: 'The body is not signed with the registered algorithm.',
    section: `${messageSigning}; FAPI 1.0 Advanced s8.6`,
    fix: 'Sign with PS256, or with ES256 if it is registered. RS256 is never accepted.',
  },
  'jws.kid': {
    title: 'No key with this kid is in the published key set of the software.',
    section: `${messageSigning} (kid)`,
    fix: 'Use the kid under which the directory publishes your signing key.',
  },
  'jws.iat': {
    title: 'iat of the signature is in the future.',
    section: `${messageSigning} (http://openbanking.org.uk/iat)`,
    fix: `Seconds, not milliseconds. ${setClock}`,
  },
  'jws.iss': {
    title: 'iss of the signature is not this TPP.',
    section: `${messageSigning} (http://openbanking.org.uk/iss)`,
    fix: 'Set iss to <organisation id>/<software id>, not to the client_id.',
  },
  'jws.tan': {
    title: 'tan of the signature names another trust anchor.',
    section: `${messageSigning} (http://openbanking.org.uk/tan)`,
    fix: 'Set tan to openbanking.org.uk.',
  },
  'jws.crit': {
    title: 'crit of the signature is incomplete.',
    section: `${messageSigning}; RFC 7515 s4.1.11`,
    fix: 'List b64 in crit if the header has it, and the three http://openbanking.org.uk/ members.',
  },
  'jws.b64': {
    title: 'b64 and crit of the signature contradict each other.',
    section: `${messageSigning}; RFC 7797 s6`,
    fix: 'Set b64 to false and list it in crit, or omit it from both.',
  },
  'jws.form': {
    title: 'b64 of the signature is not what this version of the API has.',
    section: `${messageSigning}; RFC 7797 s3`,
    fix: 'On v4.0 leave b64 out of the header and of crit, and sign the body encoded in base64url.',
  },
  'jws.rewritten': {
    title: 'The body was parsed and serialised again between signing and sending.',
    section: `${messageSigning}: the payload is the body as it is sent`,
    fix: 'Serialise the body once, sign its bytes, and send the same bytes.',
  },
  'jws.signature': {
    title: 'The signature does not match the body.',
    section: messageSigning,
    fix:
      'Sign the bytes that you send, with the private key of the published public key. If b64 is false, sign the ' +
      'bytes themselves, not their base64url form.',
  },
  'header.x-idempotency-key': {
    title: 'x-idempotency-key is missing or malformed.',
    section: 'Read/Write profile 3.1, idempotency',
    fix: 'Send a new key of 1 to 40 characters with every new POST.',
  },
  header: {
    title: 'A header is missing or malformed.',
    section: 'Read/Write profile 3.1, request headers',
    fix: 'Send the header once, in the required format.',
  },
  'idempotency.reused': {
    title: 'The idempotency key was used before, with a different body.',
    section: 'Read/Write profile 3.1, idempotency',
    fix: 'Repeat the first body byte for byte, or use a new key for a new request.',
  },
  'idempotency.in-use': {
    title: 'Another request with this idempotency key is still in progress.',
    section: 'Read/Write profile 3.1, idempotency',
    fix: 'Wait for its answer, then repeat the request with the same key and body.',
  },
  'media-type': {
    title: 'The operation does not support this media type.',
    section: 'Read/Write profile 3.1, HTTP request headers; RFC 9110 s15.5.7, s15.5.16',
    fix: 'Content-Type application/json, for registration application/jose; Accept application/json.',
  },
  'consent.status': {
    title: 'The consent does not have the status that this operation needs.',
    section: 'Read/Write profile 3.1, payment consents, status model',
    fix: 'Follow the order: consent, for a file its upload, authorisation, payment. A consent goes through it once.',
  },
  'consent.not-found': {
    title: 'There is no such consent or payment.',
    section: 'Read/Write profile 3.1, resource identifiers',
    fix: 'Use the id that this bank returned.',
  },
  'consent.owner': {
    title: 'The resource belongs to another client.',
    section: 'Read/Write profile 3.1, security and access control',
    fix: 'Read it as the client that created it; a new registration is a new client.',
  },
  'consent.version': {
    title: 'The resource belongs to another version of the API.',
    section: 'Read/Write profile 3.1, release management',
    fix: 'Go on in the version in which the consent was made, or stage a new consent in this one.',
  },
  'consent.permission': {
    title: 'The customer did not permit this.',
    section: 'Read/Write profile 3.1, account access consents, permissions',
    fix: 'Ask for the permission in a new consent, and have the customer agree.',
  },
  'consent.account': {
    title: 'The customer did not choose this account.',
    section: 'Read/Write profile 3.1, account access consents',
    fix: 'Read only accounts that GET /accounts lists for this token.',
  },
  'consent.mismatch': {
    title: 'The payment differs from its consent.',
    section: 'Read/Write profile 3.1, payments (Initiation and Risk must match)',
    fix: 'Send Initiation, and Risk of a single payment, as the consent returned them, member for member.',
  },
  'file.hash': {
    title: 'The file is not the one that the consent describes.',
    section: 'Read/Write profile 3.1, FileHash',
    fix: 'Hash the bytes that you upload (SHA-256, base64); white space counts.',
  },
  'file.count': {
    title: 'The number of payments differs from that of the consent.',
    section: 'Read/Write profile 3.1, NumberOfTransactions',
    fix: 'Count the payments of the file that you upload.',
  },
  'file.sum': {
    title: 'The sum differs from that of the consent.',
    section: 'Read/Write profile 3.1, ControlSum',
    fix: 'Add the amounts as decimals, not as floating-point numbers.',
  },
  'file.missing': {
    title: 'The consent has no file.',
    section: 'Read/Write profile 3.1, file payment consents (file)',
    fix: 'Upload the file before you read it. The bank erases it when its retention time is over.',
  },
  'file.items': {
    title: 'A file holds one payment or more, up to the limit of the bank.',
    section: 'this bank’s file format, see Limits in its documentation',
    fix: 'Split the file; each part needs its own consent.',
  },
  'file.type': {
    title: 'This bank does not support the FileType.',
    section: 'Read/Write profile 3.1, FileType',
    fix: 'FileType is UK.OBIE.PaymentInitiation.3.1 on v3.1, UK.OBIE.PaymentInitiation.4.0 on v4.0.',
  },
  'cut-off': {
    title: 'The payment scheme accepts no more payments for that day.',
    section: 'Read/Write profile 3.1, CutOffDateTime',
    fix: 'Stage a new consent: to a file with a RequestedExecutionDateTime on a later day, to a payment on that day.',
  },
  registration: {
    title: 'The registration request is invalid.',
    section: registration,
    fix: 'Compare with what "npm run tpp -- register --explain" shows.',
  },
  'registration.management': {
    title: 'The credentials do not allow reading or changing this registration.',
    section: 'OBIE Dynamic Client Registration 3.2 (GET, PUT, DELETE); RFC 7592 s2',
    fix: 'Send an access token of this client (client_credentials), or its client id and secret as Basic.',
  },
  'registration.owner': {
    title: 'The registration belongs to another client.',
    section: 'OBIE Dynamic Client Registration 3.2; RFC 7592 s2',
    fix: 'Use the credentials of the client whose id is in the path.',
  },
  'registration.redirect_uris': {
    title: 'A redirect_uri is missing, or is not in the software statement.',
    section: `${registration} (redirect_uris)`,
    fix:
      'Register only addresses of the software statement. To use another, add it in the directory and get a new ' +
      'statement first. localhost is not allowed.',
  },
  'registration.aud': {
    title: 'The registration request is not for this bank.',
    section: `${registration} (aud)`,
    fix: 'aud is the issuer of the discovery document, or the bank’s organisation id.',
  },
  'registration.exp': {
    title: 'The registration request has expired, or is valid for too long.',
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
    fix: 'Sign with PS256 or ES256. RS256 is never accepted.',
  },
  'registration.kid': {
    title: 'No key with this kid is in the published key set of the software.',
    section: `${registration}; RFC 7515 s4.1.4`,
    fix: 'Use the kid under which the directory publishes your signing key.',
  },
  'registration.signature': {
    title: 'The signature of the registration request does not verify with the published key.',
    section: `${registration}; RFC 7515 s5.2`,
    fix: 'Sign with the private key of the published public key.',
  },
  'software-statement': {
    title: 'The software statement is invalid.',
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
    fix: 'Send the statement unchanged, as the directory issued it.',
  },
  'field.unexpected': {
    title: 'The body has a member that is not allowed there.',
    section: 'Read/Write profile 3.1, data model',
    fix: 'Remove the member, or send it where the message says. Names are case-sensitive.',
  },
  body: {
    title: 'The body cannot be read.',
    section: 'Read/Write profile 3.1, data model; RFC 8259',
    fix: 'Send one complete JSON object in UTF-8 without a byte order mark, no member twice.',
  },
  field: {
    title: 'A member of the body is missing or invalid.',
    section: 'Read/Write profile 3.1, data model',
    fix: 'See the member’s type and limits in /docs.',
  },
  'rate-limit': {
    title: 'Too many requests in a short time.',
    section: 'RFC 6585 s4',
    fix: 'Wait as Retry-After says.',
  },
  unavailable: {
    title: 'A system on which the answer depends is unavailable.',
    section: 'RFC 6749 s4.1.2.1 (temporarily_unavailable)',
    fix: 'Repeat the request later, and check that your key set can be reached.',
  },
  unexpected: {
    title: 'The service failed.',
    section: 'Read/Write profile 3.1, 500',
    fix: 'Give the bank the interaction id.',
  },
};
