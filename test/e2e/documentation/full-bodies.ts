import { aConsentRequest } from '../../support/a-consent-request.js';
import { theLongestPayment } from '../../bench/longest-payments.mjs';
import { aPaymentFile, aPaymentItem } from '../../support/a-payment-file.js';
import type { Json } from './api-document.js';

const item = {
  ...aPaymentItem(),
  LocalInstrument: 'UK.OBIE.FPS',
  RequestedExecutionDateTime: '2035-01-31T00:00:00+00:00',
  DebtorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000110000001',
    Name: 'Octon Ltd',
    SecondaryIdentification: 'A-1',
  },
  CreditorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000110000002',
    Name: 'A Supplier Ltd',
    SecondaryIdentification: 'B-1',
  },
  CreditorPostalAddress: {
    AddressType: 'Business',
    Department: 'Sales',
    SubDepartment: 'North',
    StreetName: 'High Street',
    BuildingNumber: '1',
    PostCode: 'EC1A 1BB',
    TownName: 'London',
    CountrySubDivision: 'Greater London',
    Country: 'GB',
    AddressLine: ['1 High Street'],
  },
  RemittanceInformation: { Unstructured: 'Salary', Reference: 'JAN' },
  SupplementaryData: {},
};
const initiation = {
  ...(JSON.parse(aConsentRequest()) as { Data: { Initiation: Json } }).Data.Initiation,
  RequestedExecutionDateTime: '2035-01-31T00:00:00+00:00',
  DebtorAccount: item.DebtorAccount,
  RemittanceInformation: item.RemittanceInformation,
  SupplementaryData: {},
};
const itemIn40: Json = { ...theLongestPayment('4.0', { longest: 10 }), SupplementaryData: {} };
const initiationIn40: Json = {
  ...(JSON.parse(aConsentRequest({ file: aPaymentFile({ version: '4.0' }) })) as { Data: { Initiation: Json } }).Data
    .Initiation,
  RequestedExecutionDateTime: '2035-01-31T00:00:00+00:00',
  CreditorAgent: itemIn40['CreditorAgent'],
  DebtorAccount: itemIn40['DebtorAccount'],
  UltimateDebtor: itemIn40['UltimateDebtor'],
  RemittanceInformation: itemIn40['RemittanceInformation'],
  SupplementaryData: {},
};

const withoutObjects = {
  CreditorAgent: undefined,
  DebtorAccount: undefined,
  UltimateDebtor: undefined,
  RemittanceInformation: undefined,
  UltimateCreditor: undefined,
  RegulatoryReporting: undefined,
};

const agreement = {
  Authorisation: { AuthorisationType: 'Any', CompletionDateTime: '2035-01-31T00:00:00+00:00' },
  SCASupportData: {
    RequestedSCAExemptionType: 'Parking',
    AppliedAuthenticationApproach: 'SCA',
    ReferencePaymentOrderId: 'ORDER-1',
  },
};

const ofVersion = (Initiation: Json, payment: Json) => ({
  CreateFilePaymentConsents: { Data: { Initiation, ...agreement } },
  CreateFilePaymentConsentsConsentIdFile: { File: { Data: { DomesticPayments: [payment] } } },
  CreateFilePayments: { Data: { ConsentId: '01890a5d-ac96-774b-bcce-b302099a8057', Initiation } },
});

const risk = {
  MerchantCategoryCode: '5967',
  MerchantCustomerIdentification: '053598653254',
  BeneficiaryPrepopulatedIndicator: true,
  BeneficiaryAccountType: 'Business',
  PaymentContextCode: 'TransferToThirdParty',
  ContractPresentIndicator: true,
  PaymentPurposeCode: 'GDDS',
};
const ofSingle = (Initiation: Json, Risk: Json) => ({
  CreateDomesticPaymentConsents: { Data: { ReadRefundAccount: 'Yes', Initiation, ...agreement }, Risk },
  CreateDomesticPayments: { Data: { ConsentId: '01890a5d-ac96-774b-bcce-b302099a8057', Initiation }, Risk },
});
const { RequestedExecutionDateTime: _ofFiles, ...single } = item;
const addressIn31 = {
  AddressLine: ['Flat 7'],
  StreetName: 'High Street',
  BuildingNumber: '1',
  PostCode: 'EC1A 1BB',
  TownName: 'London',
  CountrySubDivision: 'Greater London',
  Country: 'GB',
};

const riskIn40 = { ...risk, CategoryPurposeCode: 'SUPP', DeliveryAddress: itemIn40['CreditorPostalAddress'] };

/** By operation, a body with every member that its schema knows. */
export const bodies: Readonly<Record<string, unknown>> = {
  ...ofVersion(initiation, item),
  ...ofSingle(single, {
    ...risk,
    ContractPresentInidicator: true,
    BeneficiaryPaymentDetailsPrepopulatedIndicator: true,
    DeliveryAddress: addressIn31,
  }),
  ...Object.fromEntries(
    Object.entries({
      ...ofVersion(initiationIn40, itemIn40),
      ...ofSingle(itemIn40, riskIn40),
    }).map(([name, body]) => [`${name} 4.0`, body]),
  ),
  // The members of Initiation have the same classes as in the consent.
  'CreateFilePayments 4.0': ofVersion({ ...initiationIn40, ...withoutObjects }, itemIn40).CreateFilePayments,
  'CreateDomesticPayments 4.0': ofSingle({ ...itemIn40, ...withoutObjects }, riskIn40).CreateDomesticPayments,
};
