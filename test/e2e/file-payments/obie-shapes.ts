import { anyObject, array, match, number, object, oneOf, openObject, text, type Shape } from './shape.js';

// The types of the Read/Write API 3.1.2 as its tables have them, every object closed: the standard lets a TPP send more
// than a table has, but what this service answers is what the table says. A file is the TPP's own: it gets back
// whatever it uploaded. What the report file says of its payments is this service's answer again.

/** ISODateTime in the one form of this service's own times. */
const ownDateTime = match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
/** ISODateTime as a TPP sent it; with a zone always. */
const dateTime = match(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)$/i);
/** OBActiveCurrencyAndAmount. */
const moneyMembers = { Amount: match(/^\d{1,13}(\.\d{1,5})?$/), Currency: match(/^[A-Z]{3}$/) };
const money = object(moneyMembers);
const schemeName = match(/^UK\.OBIE\.(SortCodeAccountNumber|IBAN|BBAN|PAN)$/);
const localInstrument = oneOf('UK.OBIE.FPS', 'UK.OBIE.BACS', 'UK.OBIE.CHAPS', 'UK.OBIE.BalanceTransfer');
const accountMembers = { Name: text(70), SecondaryIdentification: text(34) };
/** That of 3.1.11: a TPP of 3.1.2 gets back no longer name than it sent. */
const debtorMembers = { ...accountMembers, Name: text(350) };
const answeredAccount = { SchemeName: schemeName, Identification: text(256) };
/** As a TPP may write it; reading the file returns it as uploaded, including short names. */
const uploadedAccount = { SchemeName: text(40), Identification: text(256) };
const remittanceInformation = object({}, { Unstructured: text(140), Reference: text(35) });

const initiation = object(
  {
    FileType: oneOf('UK.OBIE.PaymentInitiation.3.1'),
    FileHash: match(/^[A-Za-z0-9+/]{43}=?$/),
  },
  {
    FileReference: text(40),
    NumberOfTransactions: match(/^\d{1,15}$/),
    ControlSum: number,
    RequestedExecutionDateTime: dateTime,
    LocalInstrument: localInstrument,
    DebtorAccount: object(answeredAccount, debtorMembers),
    RemittanceInformation: remittanceInformation,
    SupplementaryData: anyObject,
  },
);
const charge = object({
  ChargeBearer: oneOf('BorneByCreditor', 'BorneByDebtor', 'FollowingServiceLevel', 'Shared'),
  Type: oneOf('UK.OBIE.CHAPSOut', 'UK.OBIE.BalanceTransferOut', 'UK.OBIE.MoneyTransferOut'),
  Amount: money,
});
const authorisation = object({ AuthorisationType: oneOf('Any', 'Single') }, { CompletionDateTime: dateTime });
const scaSupportData = object(
  {},
  {
    RequestedSCAExemptionType: oneOf(
      'BillPayment',
      'ContactlessTravel',
      'EcommerceGoods',
      'EcommerceServices',
      'Kiosk',
      'Parking',
      'PartyToParty',
    ),
    AppliedAuthenticationApproach: oneOf('CA', 'SCA'),
    ReferencePaymentOrderId: text(128),
  },
);
const multiAuthorisation = object(
  { Status: oneOf('AwaitingFurtherAuthorisation', 'Authorised', 'Rejected') },
  {
    NumberRequired: number,
    NumberReceived: number,
    LastUpdateDateTime: ownDateTime,
    ExpirationDateTime: ownDateTime,
  },
);

/** An answer with its Links and Meta; no resource here has pages, and the times of Meta are not for payments. */
const resource = (data: Shape): Shape =>
  object({ Data: data, Links: object({ Self: match(/^https:\/\/\S+$/) }), Meta: object({}) });

/** 201 and 200 of file payment consents. */
export const obWriteFileConsentResponse3 = resource(
  object(
    {
      ConsentId: text(128),
      CreationDateTime: ownDateTime,
      Status: oneOf('AwaitingUpload', 'AwaitingAuthorisation', 'Authorised', 'Consumed', 'Rejected'),
      StatusUpdateDateTime: ownDateTime,
      Charges: array(charge),
      Initiation: initiation,
    },
    { CutOffDateTime: ownDateTime, Authorisation: authorisation, SCASupportData: scaSupportData },
  ),
);

const fileStatus = oneOf('InitiationPending', 'InitiationFailed', 'InitiationCompleted');

/** 201 and 200 of file payments. */
export const obWriteFileResponse2 = resource(
  object(
    {
      FilePaymentId: text(40),
      ConsentId: text(128),
      CreationDateTime: ownDateTime,
      Status: fileStatus,
      StatusUpdateDateTime: ownDateTime,
      Charges: array(charge),
      Initiation: initiation,
    },
    { MultiAuthorisation: multiAuthorisation },
  ),
);

const postalAddress = openObject(
  {},
  {
    AddressType: oneOf(
      'Business',
      'Correspondence',
      'DeliveryTo',
      'MailTo',
      'POBox',
      'Postal',
      'Residential',
      'Statement',
    ),
    Department: text(70),
    SubDepartment: text(70),
    StreetName: text(70),
    BuildingNumber: text(16),
    PostCode: text(16),
    TownName: text(35),
    CountrySubDivision: text(35),
    Country: match(/^[A-Z]{2}$/),
    AddressLine: array(text(70), 0, 2),
  },
);
const item = {
  required: {
    PaymentId: text(35),
    InstructionIdentification: text(35),
    InstructedAmount: openObject(moneyMembers),
    CreditorAccount: openObject(
      { ...uploadedAccount, Name: text(70) },
      { SecondaryIdentification: accountMembers.SecondaryIdentification },
    ),
  },
  optional: {
    EndToEndIdentification: text(35),
    LocalInstrument: localInstrument,
    RequestedExecutionDateTime: text(40),
    DebtorAccount: openObject(uploadedAccount, accountMembers),
    CreditorPostalAddress: postalAddress,
    RemittanceInformation: openObject({}, { Unstructured: text(140), Reference: text(35) }),
    SupplementaryData: anyObject,
  },
};

/** OBTransactionIndividualStatus1Code. */
const paymentStatus = oneOf(
  'Pending',
  'AcceptedSettlementInProcess',
  'AcceptedSettlementCompleted',
  'AcceptedWithoutPosting',
  'AcceptedCreditSettlementCompleted',
  'Rejected',
);
const statusDetail = object(
  { Status: text(128) },
  {
    LocalInstrument: localInstrument,
    StatusReason: oneOf(
      'Cancelled',
      'PendingFailingSettlement',
      'PendingSettlement',
      'Proprietary',
      'ProprietaryRejection',
      'Suspended',
      'Unmatched',
    ),
    StatusReasonDescription: text(256),
  },
);

/** ReadFileResponse: the file in any of the forms it may be uploaded in, each payment with its PaymentId. */
export const readFileResponse: Shape = (value, path) => {
  const payments = openObject({ DomesticPayments: array(openObject(item.required, item.optional), 1, 150) });
  const forms = [
    openObject({ File: openObject({ Data: payments }) }),
    openObject({ Data: payments }),
    openObject({ File: payments }),
  ].map((form) => form(value, path));
  return forms.find((faults) => faults.length === 0) ?? forms.sort((one, other) => one.length - other.length)[0] ?? [];
};

/** The report file. */
export const reportFile = resource(
  object(
    {
      FilePaymentId: text(40),
      ConsentId: text(128),
      Status: fileStatus,
      StatusUpdateDateTime: ownDateTime,
      CreationDateTime: ownDateTime,
      NumberOfTransactions: match(/^\d{1,15}$/),
      ControlSum: number,
      DomesticPayments: array(
        object(
          {
            ...item.required,
            InstructedAmount: money,
            CreditorAccount: object(
              { ...answeredAccount, Name: text(70) },
              { SecondaryIdentification: accountMembers.SecondaryIdentification },
            ),
            Status: paymentStatus,
            StatusUpdateDateTime: ownDateTime,
          },
          {
            ...item.optional,
            RequestedExecutionDateTime: dateTime,
            DebtorAccount: object(answeredAccount, accountMembers),
            RemittanceInformation: remittanceInformation,
            StatusDetail: statusDetail,
          },
        ),
        1,
        150,
      ),
    },
    { FileReference: text(40) },
  ),
);

/** OBWritePaymentDetailsResponse1. */
export const obWritePaymentDetailsResponse1 = resource(
  object({
    PaymentStatus: array(
      object(
        { PaymentTransactionId: text(210), Status: paymentStatus, StatusUpdateDateTime: ownDateTime },
        { StatusDetail: statusDetail },
      ),
    ),
  }),
);

/** OBErrorResponse1 and OBError1, closed by the standard itself. */
export const obErrorResponse1 = object({
  Code: oneOf('400 BadRequest', '403 Forbidden', '500 InternalServerError'),
  Id: text(40),
  Message: text(500),
  Errors: array(
    object({ ErrorCode: match(/^UK\.\w+(\.\w+)+$/), Message: text(500) }, { Path: text(500), Url: text(500) }),
    1,
    100,
  ),
});
