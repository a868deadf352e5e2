import { allResources, type ErrorEntry, payers, readWrite } from './error-entry.js';
import { sections } from './standard-sections.js';

const { obErrors, obFilePayments, obRegistration } = sections;

/**
 * The bank's own codes, without its namespace, because the standard has none for 403. On the wire they begin with `UK.`
 * and the name that the bank has chosen.
 */
export const bankErrors = {
  'Resource.Forbidden': {
    statuses: [403],
    areas: readWrite,
    meaning: 'The resource belongs to another client.',
    causes: ['Another client than the one with this access token created the consent or the payment.'],
    remedies: ['Use the token of the client that created the resource.'],
    sections: [obErrors],
  },
  'Token.ConsentBinding': {
    statuses: [403],
    areas: payers,
    meaning: 'The customer approved the access token for another consent.',
    causes: [
      'A token of the grant authorization_code is valid only for the consent for which the customer approved it.',
    ],
    remedies: [
      'Use the token from the authorisation of this consent, or for a file payment a client_credentials token.',
    ],
    sections: [obFilePayments, sections.rfc6750],
  },
  'Token.InsufficientScope': {
    statuses: [403],
    areas: readWrite,
    meaning: 'The access token does not have the scope that the operation needs.',
    causes: [
      'Each area needs its own scope: payments for file and single payments, accounts for account access, ' +
        'fundsconfirmations for funds confirmation.',
    ],
    remedies: ['Request a token with the scope that Message names. The client must have registered it.'],
    sections: [sections.rfc6750],
  },
  'Token.WrongGrant': {
    statuses: [403],
    areas: allResources,
    meaning: 'The operation does not accept tokens of this grant.',
    causes: [
      'Message names the required grant: authorization_code for POST /funds-confirmations, POST /domestic-payments ' +
        'and the funds of a domestic payment consent, either for POST /file-payments, client_credentials for ' +
        'everything else.',
    ],
    remedies: ['Request a token by the grant that Message names.'],
    sections: [obFilePayments, obRegistration],
  },
  'Registration.Forbidden': {
    statuses: [403],
    areas: ['registration'],
    meaning: 'The registration belongs to another client.',
    causes: ['The credentials are valid, but belong to another client than the one in the path.'],
    remedies: ['Use the credentials of the client whose id is in the path.'],
    sections: [obRegistration, sections.rfc7592],
  },
} as const satisfies Record<string, ErrorEntry>;

/** `ErrorCode` of the bank's own, without its namespace. */
export type BankErrorCode = keyof typeof bankErrors;

/**
 * @param bankNamespace e.g. `UK.MYBANK`
 * @returns the code as it stands in an answer
 */
export function bankErrorCode(bankNamespace: string, code: BankErrorCode): `UK.${string}` {
  return `${bankNamespace as `UK.${string}`}.${code}`;
}
