import { addressWords, type LocalInstrument, longestAddressLine, postalAddress7 } from '#libs/obie-rules';
import {
  type AccountIdentification,
  accountIdentification,
  amount,
  currency,
  executionDate,
  localInstrument,
  object,
  text,
  uuid,
} from './request-schemas.js';

/** One payment as the service hands it over; it is stored unchanged. */
export interface PaymentRequest {
  paymentId: string;
  filePaymentId: string;
  debtorAccount: AccountIdentification;
  creditorAccount: AccountIdentification & { name: string; secondaryIdentification?: string; proxy?: object };
  amount: string;
  currency: string;
  localInstrument: LocalInstrument;
  endToEndIdentification?: string;
  reference?: string;
  unstructured?: string;
  creditorPostalAddress?: object;
  creditorAgent?: object;
  ultimateCreditor?: object;
  ultimateDebtor?: object;
  structuredRemittance?: object[];
  regulatoryReporting?: object[];
  requestedExecutionDate?: string;
}

const country = { type: 'string', pattern: '^[A-Z]{2}$' };
const code = { type: 'string', pattern: '^[A-Z]{4}$' };
const dateTime = { type: 'string', format: 'date-time' };
const texts = (maxItems: number, maxLength: number): object => ({ type: 'array', maxItems, items: text(maxLength) });
const list = (maxItems: number, items: object): object => ({ type: 'array', maxItems, items });
const optional = (properties: Record<string, object>): object => object(properties, Object.keys(properties));

const postalAddress = optional({
  AddressType: { enum: addressWords },
  ...Object.fromEntries(Object.entries(postalAddress7.texts).map(([name, longest]) => [name, text(longest)])),
  Country: country,
  AddressLine: texts(postalAddress7.mostLines, longestAddressLine),
});

const party = optional({
  name: text(140),
  schemeName: text(40),
  identification: text(256),
  lei: { type: 'string', pattern: '^[A-Z0-9]{18}[0-9]{2}$' },
  postalAddress,
});

const document = optional({
  code,
  issuer: text(35),
  number: text(35),
  relatedDate: dateTime,
  lineDetails: texts(20, 2048),
});

const structuredRemittance = optional({
  documents: list(20, document),
  documentAmount: amount,
  creditorReference: optional({ code, issuer: text(35), reference: text(35) }),
  invoicer: text(256),
  invoicee: text(256),
  taxRemittance: text(140),
  additionalInformation: texts(3, 140),
});

const regulatoryDetail = optional({
  type: text(35),
  date: dateTime,
  country,
  amount,
  currency,
  information: texts(20, 35),
});

const regulatoryReport = optional({
  indicator: { enum: ['CRED', 'DEBT', 'BOTH'] },
  authority: optional({ name: text(140), country }),
  details: list(20, regulatoryDetail),
});

const required = {
  paymentId: text(35),
  filePaymentId: uuid,
  debtorAccount: object(accountIdentification),
  creditorAccount: object(
    {
      ...accountIdentification,
      name: text(350),
      secondaryIdentification: text(34),
      proxy: object({ code, identification: text(2048), type: text(35) }, ['type']),
    },
    ['secondaryIdentification', 'proxy'],
  ),
  amount,
  currency,
  localInstrument,
};

const further = {
  endToEndIdentification: text(35),
  reference: text(35),
  unstructured: text(140),
  creditorPostalAddress: postalAddress,
  creditorAgent: party,
  ultimateCreditor: party,
  ultimateDebtor: party,
  structuredRemittance: list(20, structuredRemittance),
  regulatoryReporting: list(10, regulatoryReport),
  requestedExecutionDate: executionDate,
};

/** JSON schema of it, as deploy/bank-openapi.yaml declares it. */
export const paymentRequest = object({ ...required, ...further }, Object.keys(further));
