import {
  type AccountIdentification,
  accountIdentification,
  currency,
  object,
  payeesHash,
  text,
  total,
  uuid,
} from './request-schemas.js';

/** The values of a challenge that this bank reads; it stores and compares all of them. */
export interface ChallengeBinding {
  purpose: 'Payment' | 'Access' | 'SignIn';
  psuId: string;
  total?: string;
  currency?: string;
  numberOfPayments?: number;
  payee?: AccountIdentification & { name: string; secondaryIdentification?: string };
  debtorAccount?: AccountIdentification;
  data?: string[];
  accounts?: AccountIdentification[];
  endsAt?: string;
  lastsSeconds?: number;
  tpp?: {
    clientName: string;
    organisationName: string;
    organisationId: string;
    registerNumber?: string;
    onBehalfOf?: string;
  };
}

/** What a payment is compared with once it is to be made. */
export interface PaymentBinding extends ChallengeBinding {
  fileId: string;
  total: string;
  currency: string;
  numberOfPayments: number;
  payeesHash: string;
  debtorAccount: AccountIdentification;
}

export interface ChallengeVerificationRequest {
  oneTimeCode?: string;
  binding: ChallengeBinding;
}

const psu = { psuId: text(128), interactionId: uuid };
const tpp = object(
  {
    clientName: text(350),
    organisationName: text(350),
    organisationId: text(128),
    registerNumber: text(128),
    onBehalfOf: text(350),
  },
  ['registerNumber', 'onBehalfOf'],
);

/** JSON schema of a challenge's values, as deploy/bank-openapi.yaml declares them. */
export const challengeBinding = {
  oneOf: [
    object(
      {
        ...psu,
        purpose: { const: 'Payment' },
        fileId: uuid,
        total,
        currency,
        numberOfPayments: { type: 'integer', minimum: 1 },
        payeesHash,
        payee: object({ ...accountIdentification, name: text(350), secondaryIdentification: text(34) }, [
          'secondaryIdentification',
        ]),
        debtorAccount: object(accountIdentification),
        tpp,
      },
      ['payee'],
    ),
    object(
      {
        ...psu,
        purpose: { const: 'Access' },
        data: { type: 'array', minItems: 1, items: text(128) },
        lastsSeconds: { type: 'integer', minimum: 1 },
        accounts: { type: 'array', minItems: 1, items: object(accountIdentification) },
        endsAt: { type: 'string', format: 'date-time' },
        tpp,
      },
      ['lastsSeconds', 'accounts', 'endsAt'],
    ),
    object({ ...psu, purpose: { const: 'SignIn' }, tpp }, ['tpp']),
  ],
};

export const challengeVerification = object(
  { oneTimeCode: { type: 'string', pattern: '^[0-9A-Za-z]{4,12}$' }, binding: challengeBinding },
  ['oneTimeCode'],
);
