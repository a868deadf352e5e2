import {
  allResources,
  type ErrorEntry,
  payments,
  payers,
  readWrite,
  signed,
  type WrittenEntry,
} from './error-entry.js';
import { sections } from './standard-sections.js';

const { obErrors, obNamespaces, obHeaders, obSigning, obIdempotency, obFilePayments, obRegistration } = sections;

/** An entry of the standard, for 3.1 and 4.0. */
export interface ObEntry extends WrittenEntry<'statuses'> {
  /** OBExternalStatusReason1Code, which 4.0 answers instead */
  readonly code40: `U${number}`;
  /** what is different in 4.0 */
  readonly differently40?: Partial<ErrorEntry>;
}

/**
 * The error codes of the standard that this service answers with, as `ErrorCode` of OBError1. The type of the codes is
 * made from these keys, so no other code can be used. The status is 400, unless an entry says otherwise.
 */
export const obErrors312 = {
  'UK.OBIE.Field.Invalid': {
    code40: 'U002',
    areas: allResources,
    meaning: 'A body member or claim has a value that is not allowed.',
    causes: [
      'The value has the wrong type, is too long, does not match the schema, or is not one of the listed values.',
      'The value contradicts another one: the sum or number of payments in the file differs from the consent, or ' +
        'the payments of one file have different types.',
      'A payment is above the limit of its type (UK.OBIE.FPS, UK.OBIE.BACS), or the sum of the consent is above ' +
        'what so many payments may have.',
      'The hash of the uploaded bytes is not the FileHash of the consent.',
    ],
    remedies: [
      'Read Message, which names the member and the rule. Path locates the member.',
      'For a hash: upload exactly the bytes that you hashed. A file that was parsed and serialised again has ' +
        'different bytes.',
    ],
    sections: [obNamespaces, obErrors],
  },
  'UK.OBIE.Field.InvalidDate': {
    code40: 'U003',
    areas: readWrite,
    meaning: 'A date-time is malformed or out of range.',
    causes: [
      'The value is not an ISO 8601 date-time.',
      'The execution date has passed (in London), or the deadline for authorisation is not in the future.',
    ],
    remedies: ['Send a date-time with its zone, such as 2030-01-31T00:00:00+00:00, of today or later.'],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Field.Missing': {
    code40: 'U004',
    areas: allResources,
    meaning: 'A required body member or claim is absent.',
    causes: ['The member in Path is absent. In a registration, null counts as absent.'],
    remedies: ['Add the member in Path. Names are case-sensitive.'],
    sections: [obNamespaces, obErrors],
  },
  'UK.OBIE.Field.Unexpected': {
    code40: 'U005',
    areas: allResources,
    meaning: 'The body has a member that is not allowed, or a claim under two names with different values.',
    causes: [
      'The standard does not list the member in Path. Payments in files and access consents of v3.1 ignore such a ' +
        'member; single payments do not, because it might be their day.',
      'The file has a second list of payments.',
      'Registration: seven claims may be in camel case or with underscores; this request has both, with different ' +
        'values.',
    ],
    remedies: [
      'Remove the member, or send it where Message says. Names are case-sensitive.',
      'Registration: send the claim once, preferably under its name in RFC 7591.',
    ],
    sections: [obNamespaces, obRegistration],
    differently40: {
      meaning: 'The body has a member that its schema does not allow.',
      causes: [
        'The standard allows no other members in this object, or the member in Path belongs to version 3.1 ' +
          '(Reference of RemittanceInformation).',
        'The file has a second list of payments.',
      ],
      remedies: ['Remove the member. Put members of your own in SupplementaryData.'],
    },
  },
  'UK.OBIE.Header.Invalid': {
    code40: 'U006',
    areas: readWrite,
    meaning: 'A request header is malformed.',
    causes: [
      'x-fapi-interaction-id is not a UUID, x-fapi-auth-date is not an HTTP date, or x-fapi-customer-ip-address is ' +
        'not an IP address.',
      'x-idempotency-key is longer than 40 characters, or begins or ends with white space.',
      'A header that may occur only once was sent twice.',
    ],
    remedies: ['Correct the header in Path, or omit it if it is optional.'],
    sections: [obNamespaces, obHeaders],
  },
  'UK.OBIE.Header.Missing': {
    code40: 'U007',
    areas: payments,
    meaning: 'A required request header is absent or empty.',
    causes: ['Every POST of payments and their consents needs x-idempotency-key.'],
    remedies: ['Send the header in Path, with a new value for every new request.'],
    sections: [obNamespaces, obIdempotency],
  },
  'UK.OBIE.Resource.ConsentMismatch': {
    code40: 'U008',
    areas: readWrite,
    meaning: 'The payment differs from what the customer approved, or the resource belongs to another version.',
    causes: [
      'Initiation of the payment, or Risk of a single one, differs from that of the consent in the member in Path.',
      'The consent or the payment was made in another version of the API, and remains there. A newer version shows ' +
        'payments of an older one, and continues its account access and funds confirmation consents.',
    ],
    remedies: [
      'Send Data.Initiation, and Risk of a single payment, exactly as GET of the consent returns them. Do not add or ' +
        'omit optional members.',
      'Use the version in which the consent was made.',
    ],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Resource.InvalidConsentStatus': {
    code40: 'U009',
    areas: payers,
    meaning: 'The consent does not have the status that this step needs.',
    causes: [
      'A file was uploaded to a consent that already has one: only AwaitingUpload accepts a file.',
      'A payment was made from a consent that the customer has not approved or has declined, or that was used ' +
        'before: only Authorised can be used, and only once.',
      'Funds were asked about with a consent that is not Authorised, or not any more.',
      'The consent waited too long and was rejected.',
    ],
    remedies: [
      'Read the consent and check Data.Status.',
      'Stage a new consent if this one is Consumed or Rejected. If an answer was lost, repeat the request with the ' +
        'same x-idempotency-key: it takes effect only once.',
    ],
    sections: [obNamespaces, obFilePayments],
    differently40: {
      causes: [
        'A payment was made from a consent that the customer has not approved or has declined. One that was used ' +
          'before is 409 U029, and so is a second file.',
        'Funds were asked about with a consent that is not Authorised, or not any more.',
        'The consent waited too long and was rejected.',
      ],
    },
  },
  'UK.OBIE.Resource.InvalidFormat': {
    code40: 'U010',
    areas: allResources,
    meaning: 'The body could not be parsed.',
    causes: [
      'The body is not JSON in UTF-8, not an object, nested too deeply, or has a member twice.',
      'In registration: the body is not a compact JWS.',
      'The body exceeds the size limit.',
    ],
    remedies: [
      'Check that the body is complete and in UTF-8 without a byte order mark.',
      'Send one payment file, with no more payments than the bank accepts in one.',
    ],
    sections: [obNamespaces, obErrors],
  },
  'UK.OBIE.Resource.NotFound': {
    code40: 'U011',
    areas: readWrite,
    meaning: 'No resource has this id.',
    causes: [
      'The ConsentId, FilePaymentId or DomesticPaymentId in the path or the body is unknown. The standard answers ' +
        'this with 400; 404 is for paths that do not exist.',
      'The file of a consent was requested before it was uploaded, or after it was erased.',
    ],
    remedies: ['Use the id from the answer that created the resource. Ids of the sandbox are unknown in production.'],
    sections: [obErrors, obNamespaces],
  },
  'UK.OBIE.Rules.AfterCutOffDateTime': {
    code40: 'U012',
    areas: payments,
    meaning:
      'The payment scheme accepts no more payments for that day, and this bank does not move them to a later day.',
    causes: ['The request arrived after CutOffDateTime of the consent, or after the cut-off of the requested day.'],
    remedies: [
      'Stage a new consent. That to a file may have a RequestedExecutionDateTime on a later day; that to a single ' +
        'payment has no day, so stage it on the next one.',
    ],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Rules.ResourceAlreadyExists': {
    code40: 'U029',
    areas: payments,
    meaning: 'The idempotency key was used for another request.',
    causes: ['The same x-idempotency-key arrived again within its lifetime, with a different body.'],
    remedies: [
      'Use a new key for every new request.',
      'To repeat a request, send the same body: JSON documents may be formatted differently, a file must have the ' +
        'same bytes.',
    ],
    sections: [obIdempotency, obNamespaces],
    differently40: {
      statuses: [409, 422],
      meaning: 'What the request asks for already exists, or its idempotency key was used for another request.',
      causes: [
        'With 422: the same x-idempotency-key arrived again within its lifetime, with a different body.',
        'With 409: the consent already has its file, or its payment was already made.',
        'A request under this key is still in progress: 409 for a file, 422 for a single payment.',
      ],
    },
  },
  'UK.OBIE.Signature.Invalid': {
    code40: 'U015',
    areas: signed,
    meaning: 'The signature does not verify.',
    causes: [
      'The body changed after it was signed: it was parsed and serialised again, or a line break was added.',
      'The signing key is not the key with this kid in the key set of the software.',
      'The payload was encoded in Base64 although the header says "b64": false, or the reverse.',
    ],
    remedies: [
      'Sign the bytes that you send, and send them unchanged.',
      'Check that the key set of the software contains the public key with this kid.',
    ],
    sections: [obSigning, sections.rfc7515, obNamespaces],
  },
  'UK.OBIE.Signature.InvalidClaim': {
    code40: 'U016',
    areas: signed,
    meaning: 'A member of the signature header, or of a signed statement, has a wrong value.',
    causes: [
      'alg is not the algorithm that the client registered (PS256 or ES256; never RS256).',
      'kid is not in the key set of the software.',
      'iat is in the future, iss is not "<organisation id>/<software id>", tan names another trust anchor, or crit ' +
        'is incomplete.',
    ],
    remedies: ['Correct the header member in Path. A clock that runs fast is a common cause.'],
    sections: [obSigning, obNamespaces],
  },
  'UK.OBIE.Signature.Malformed': {
    code40: 'U018',
    areas: signed,
    meaning: 'The signature is not a JWS of the expected form.',
    causes: [
      'x-jws-signature must be "header..signature": three parts, the middle one empty.',
      'The header is not a JSON object in Base64url, or the header was sent twice.',
    ],
    remedies: ['Make a detached JWS: leave nothing between the two dots, and do not pad Base64url.'],
    sections: [obSigning, sections.rfc7515, obNamespaces],
  },
  'UK.OBIE.Signature.Missing': {
    code40: 'U019',
    areas: payments,
    meaning: 'The request is not signed.',
    causes: ['Every POST needs x-jws-signature.'],
    remedies: ['Sign the body and send the detached JWS in x-jws-signature.'],
    sections: [obSigning, obNamespaces],
  },
  'UK.OBIE.Signature.MissingClaim': {
    code40: 'U017',
    areas: payments,
    meaning: 'A required member of the signature header is absent.',
    causes: ['alg, kid, crit and the three members http://openbanking.org.uk/iat, /iss and /tan are required.'],
    remedies: ['Add the header member in Path.'],
    sections: [obSigning, obNamespaces],
  },
  'UK.OBIE.UnexpectedError': {
    code40: 'U000',
    statuses: [500, 503],
    areas: allResources,
    meaning: 'The service failed; the request is not the cause.',
    causes: ['Part of the service failed. Its log has the details under Id.'],
    remedies: [
      'Repeat the request with the same x-idempotency-key: it takes effect once.',
      'If it happens again, give the bank Id and x-fapi-interaction-id of the answer.',
    ],
    sections: [obNamespaces],
  },
  'UK.OBIE.Unsupported.AccountIdentifier': {
    code40: 'U021',
    areas: payers,
    meaning: 'Identification does not match its SchemeName.',
    causes: [
      'UK.OBIE.SortCodeAccountNumber requires 14 digits: the six-digit sort code and the eight-digit account number.',
      'UK.OBIE.IBAN requires an IBAN with correct check digits.',
      'UK.OBIE.FPS and UK.OBIE.BACS reach accounts in the United Kingdom only: the IBAN begins with GB.',
    ],
    remedies: ['Correct Identification, or use the scheme to which it belongs.'],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Unsupported.AccountSecondaryIdentifier': {
    code40: 'U022',
    areas: payers,
    meaning: 'SecondaryIdentification cannot be used with an account of this SchemeName.',
    causes: ['A card number (UK.OBIE.PAN) or a wallet (UK.OBIE.Wallet) has no building society roll number.'],
    remedies: ['Omit SecondaryIdentification, or name the account to which it belongs.'],
    sections: [obNamespaces, obFilePayments],
  },
  'UK.OBIE.Unsupported.Currency': {
    code40: 'U023',
    areas: payers,
    meaning: 'The service does not support this currency.',
    causes: ['Payments are made, and funds confirmed, in GBP only.'],
    remedies: ['Send the amount in GBP.'],
    sections: [obNamespaces],
  },
  'UK.OBIE.Unsupported.LocalInstrument': {
    code40: 'U026',
    areas: payments,
    meaning: 'The service does not support this payment type.',
    causes: ['LocalInstrument is none of UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS and UK.OBIE.BalanceTransfer.'],
    remedies: ['Use one of these four, with the prefix UK.OBIE., or omit the member, which means UK.OBIE.FPS.'],
    sections: [obNamespaces],
  },
  'UK.OBIE.Unsupported.Scheme': {
    code40: 'U027',
    areas: payers,
    meaning: 'The scheme of an account identification is unknown, or does not fit the payment type.',
    causes: [
      'The service cannot pay to or from this SchemeName. A card number (UK.OBIE.PAN) is an account only in a ' +
        'balance transfer.',
      'UK.OBIE.BBAN says no country, and UK.OBIE.FPS and UK.OBIE.BACS reach accounts in the United Kingdom only.',
      'The bank does not pay to wallets (UK.OBIE.Wallet), or one stands where the account that pays belongs.',
    ],
    remedies: ['Use UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN.'],
    sections: [obNamespaces, obFilePayments],
  },
} as const satisfies Record<`UK.OBIE.${string}`, ObEntry>;

/** `ErrorCode` of OBError1 as the standard has it. */
export type ObErrorCode = keyof typeof obErrors312;
