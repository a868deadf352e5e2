import type { ErrorEntry } from './error-entry.js';
import { sections } from './standard-sections.js';

const { obErrors, obNamespaces, obHeaders, obSigning, obIdempotency, obFilePayments, obRegistration } = sections;
const both = ['file payments', 'registration'] as const;
const filePayments = ['file payments'] as const;

/**
 * The error codes of the standard that this service answers with, as `ErrorCode` of OBError1. A code that is not here
 * cannot be answered: its type is made from these keys.
 */
export const obErrors312 = {
  'UK.OBIE.Field.Invalid': {
    statuses: [400],
    areas: both,
    meaning: 'A member of the body, or a claim, has a value that is not allowed.',
    causes: [
      'The value has the wrong type, is too long, does not have the form that the schema asks for, or is not one of the listed values.',
      'The value contradicts another one: the sum or the number of payments of the file is not what the consent says, or payments of one file are of different types.',
      'The hash of the uploaded octets is not the FileHash of the consent.',
    ],
    remedies: [
      'Read Message: it names the member and the rule. Path is where the member is.',
      'For a hash: upload exactly the octets that were hashed. A file that was parsed and written again is another file.',
    ],
    sections: [obNamespaces, obErrors],
  },
  'UK.OBIE.Field.InvalidDate': {
    statuses: [400],
    areas: filePayments,
    meaning: 'A date-time cannot be read, or lies where it may not.',
    causes: [
      'The value is not an ISO 8601 date-time.',
      'The day of execution has passed, in London, or the deadline for authorisation is not in the future.',
    ],
    remedies: ['Send a date-time with its zone, such as 2030-01-31T00:00:00+00:00, of today or later.'],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Field.Missing': {
    statuses: [400],
    areas: both,
    meaning: 'A required member of the body, or a required claim, is absent.',
    causes: ['The member that Path names is not there. In a registration, null counts as absent.'],
    remedies: ['Add the member that Path names. Names are case-sensitive.'],
    sections: [obNamespaces, obErrors],
  },
  'UK.OBIE.Field.Unexpected': {
    statuses: [400],
    areas: both,
    meaning: 'The body has a member that it may not have, or a claim under two names with different values.',
    causes: [
      'v4.0: the standard closes the object, and the member that Path names is not one of its members; or it is in its place of v3.1.',
      'Registration: seven claims may be written in camel case or with underscores; this request has both, and they differ.',
    ],
    remedies: [
      'Leave the member out, or send it where Message says. Names are case-sensitive.',
      'Registration: send the claim once, best under its name in RFC 7591.',
    ],
    sections: [obNamespaces, obRegistration],
  },
  'UK.OBIE.Header.Invalid': {
    statuses: [400],
    areas: filePayments,
    meaning: 'A request header does not have the form that it must have.',
    causes: [
      'x-fapi-interaction-id is not a UUID, x-fapi-auth-date is not an HTTP date, or x-fapi-customer-ip-address is not an IP address.',
      'x-idempotency-key is longer than 40 characters, or begins or ends with white space.',
      'A header that may be sent once was sent twice.',
    ],
    remedies: ['Correct the header that Path names, or leave it out if it is optional.'],
    sections: [obNamespaces, obHeaders],
  },
  'UK.OBIE.Header.Missing': {
    statuses: [400],
    areas: filePayments,
    meaning: 'A required request header is absent or empty.',
    causes: ['Every POST needs x-idempotency-key.'],
    remedies: ['Send the header that Path names, with a new value for every new request.'],
    sections: [obNamespaces, obIdempotency],
  },
  'UK.OBIE.Resource.ConsentMismatch': {
    statuses: [400],
    areas: filePayments,
    meaning: 'The payment is not what the customer agreed to.',
    causes: ['Initiation of the payment differs from Initiation of the consent in the member that Path names.'],
    remedies: [
      'Send Data.Initiation exactly as GET /file-payment-consents/{ConsentId} returns it. Optional members may not be added or left out.',
    ],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Resource.InvalidConsentStatus': {
    statuses: [400],
    areas: filePayments,
    meaning: 'The consent is not in the state that this step needs.',
    causes: [
      'A file is uploaded to a consent that has one already: only AwaitingUpload takes a file.',
      'A payment is made from a consent that the customer has not approved, has declined, or that was used before: only Authorised can be used, and once.',
      'The consent waited too long and was rejected.',
    ],
    remedies: [
      'Read the consent and look at Data.Status.',
      'Stage a new consent when this one is Consumed or Rejected. Repeat a request whose answer was lost with the same x-idempotency-key: it is answered as the first time.',
    ],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Resource.InvalidFormat': {
    statuses: [400],
    areas: both,
    meaning: 'The body could not be read at all.',
    causes: [
      'The body is not JSON in UTF-8, not an object, nested too deeply, or has a member twice.',
      'In registration: the body is not a compact JWS.',
      'The body is longer than this service reads.',
    ],
    remedies: [
      'Check that the body is complete and in UTF-8 without a byte order mark.',
      'Send one payment file of at most 150 payments.',
    ],
    sections: [obNamespaces, obErrors],
  },
  'UK.OBIE.Resource.NotFound': {
    statuses: [400],
    areas: filePayments,
    meaning: 'There is no resource with this id.',
    causes: [
      'The ConsentId or FilePaymentId in the path or in the body is unknown here. The standard answers that with 400; 404 is for paths that do not exist.',
      'The file of a consent is asked for before one was uploaded, or after it was erased.',
    ],
    remedies: ['Use the id from the answer that created the resource. Ids of the sandbox are unknown in production.'],
    sections: [obErrors, obNamespaces],
  },
  'UK.OBIE.Rules.AfterCutOffDateTime': {
    statuses: [400],
    areas: filePayments,
    meaning:
      'The payment scheme takes no more payments for that day, and this bank takes none for a later day by itself.',
    causes: ['The request came after CutOffDateTime of the consent, or after the cut-off of the day it asks for.'],
    remedies: ['Stage a new consent with a RequestedExecutionDateTime of a later day.'],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Rules.ResourceAlreadyExists': {
    statuses: [400],
    areas: filePayments,
    meaning: 'The idempotency key was used for another request.',
    causes: ['Within its lifetime x-idempotency-key came a second time, with another body.'],
    remedies: [
      'Use a new key for every new request.',
      'When repeating a request, send the same body: documents may be formatted anew, a file must be the same octets.',
    ],
    sections: [obIdempotency, obNamespaces],
  },
  'UK.OBIE.Signature.Invalid': {
    statuses: [400],
    areas: both,
    meaning: 'The signature does not verify.',
    causes: [
      'The body was changed after it was signed: parsed and written again, or a line break was added.',
      'The key that signed is not the one that kid names in the key set of the software.',
      'The payload was encoded in Base64 although the header says "b64": false, or the other way round.',
    ],
    remedies: [
      'Sign the octets that are sent, and send them as they were signed.',
      'Check that the key set of the software holds the public key under this kid.',
    ],
    sections: [obSigning, sections.rfc7515, obNamespaces],
  },
  'UK.OBIE.Signature.InvalidClaim': {
    statuses: [400],
    areas: both,
    meaning: 'A member of the signature header, or of a signed statement, has a wrong value.',
    causes: [
      'alg is not the algorithm that the client registered (PS256 or ES256; never RS256).',
      'kid is not in the key set of the software.',
      'iat lies in the future, iss is not "<organisation id>/<software id>", tan is another trust anchor, or crit does not list what it must.',
    ],
    remedies: ['Correct the header member that Path names. A clock that is ahead is a common cause.'],
    sections: [obSigning, obNamespaces],
  },
  'UK.OBIE.Signature.Malformed': {
    statuses: [400],
    areas: both,
    meaning: 'The signature is not a JWS of the expected form.',
    causes: [
      'x-jws-signature must be "header..signature": three parts, the middle one empty.',
      'The header is no JSON object in Base64url, or the header was sent twice.',
    ],
    remedies: ['Make a detached JWS: leave the payload out between the two dots, and do not pad Base64url.'],
    sections: [obSigning, sections.rfc7515, obNamespaces],
  },
  'UK.OBIE.Signature.Missing': {
    statuses: [400],
    areas: filePayments,
    meaning: 'The request is not signed.',
    causes: ['Every POST needs x-jws-signature.'],
    remedies: ['Sign the body and send the detached JWS in x-jws-signature.'],
    sections: [obSigning, obNamespaces],
  },
  'UK.OBIE.Signature.MissingClaim': {
    statuses: [400],
    areas: filePayments,
    meaning: 'A required member of the signature header is absent.',
    causes: ['alg, kid, crit and the three members http://openbanking.org.uk/iat, /iss and /tan must be there.'],
    remedies: ['Add the header member that Path names.'],
    sections: [obSigning, obNamespaces],
  },
  'UK.OBIE.UnexpectedError': {
    statuses: [500],
    areas: both,
    meaning: 'Something failed here; the request is not to blame.',
    causes: ['A part of the service did not do its work. What exactly is in its log, under Id.'],
    remedies: [
      'Repeat the request with the same x-idempotency-key: it takes effect once.',
      'If it happens again, tell the bank Id and x-fapi-interaction-id of the answer.',
    ],
    sections: [obNamespaces],
  },
  'UK.OBIE.Unsupported.AccountIdentifier': {
    statuses: [400],
    areas: filePayments,
    meaning: 'Identification does not have the form of its SchemeName.',
    causes: [
      'UK.OBIE.SortCodeAccountNumber takes 14 digits: six of the sort code, eight of the account number.',
      'UK.OBIE.IBAN takes an IBAN whose check digits are right.',
    ],
    remedies: ['Correct Identification, or name the scheme that it belongs to.'],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Unsupported.AccountSecondaryIdentifier': {
    statuses: [400],
    areas: filePayments,
    meaning: 'SecondaryIdentification cannot be used with an account of this SchemeName.',
    causes: ['A card number (UK.OBIE.PAN) has no roll number of a building society.'],
    remedies: ['Leave SecondaryIdentification out, or name the account that it belongs to.'],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Unsupported.Currency': {
    statuses: [400],
    areas: filePayments,
    meaning: 'The currency is not one that this service pays in.',
    causes: ['FPS, BACS, CHAPS and balance transfers are made in GBP only.'],
    remedies: ['Send the amount in GBP.'],
    sections: [obNamespaces],
  },
  'UK.OBIE.Unsupported.LocalInstrument': {
    statuses: [400],
    areas: filePayments,
    meaning: 'The payment type is not one that this service makes.',
    causes: ['LocalInstrument is none of UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS and UK.OBIE.BalanceTransfer.'],
    remedies: ['Name one of these four, with the prefix UK.OBIE., or leave the member out: then it is UK.OBIE.FPS.'],
    sections: [obNamespaces],
  },
  'UK.OBIE.Unsupported.Scheme': {
    statuses: [400],
    areas: filePayments,
    meaning: 'The scheme of an account identification is not known here, or does not go with the payment type.',
    causes: [
      'SchemeName is not one that this service can pay to or from. A card number (UK.OBIE.PAN) is an account only in a balance transfer.',
    ],
    remedies: ['Use UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN.'],
    sections: [obNamespaces, obFilePayments],
  },
} as const satisfies Record<`UK.OBIE.${string}`, ErrorEntry>;
