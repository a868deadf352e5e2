import { CreateClients1795222800000 } from './1795222800000-create-clients.js';
import { CreateUsedJwtIds1795222801000 } from './1795222801000-create-used-jwt-ids.js';
import { CreateFilePaymentConsents1795222802000 } from './1795222802000-create-file-payment-consents.js';
import { CreateFilePayments1795222803000 } from './1795222803000-create-file-payments.js';
import { CreateIdempotencyKeys1795222804000 } from './1795222804000-create-idempotency-keys.js';
import { CreateAuthorizationTables1795222805000 } from './1795222805000-create-authorization-tables.js';
import { CreateRefreshTokens1795222806000 } from './1795222806000-create-refresh-tokens.js';
import { CreateFilePaymentApprovals1795222807000 } from './1795222807000-create-file-payment-approvals.js';
import { CreateAuditEvents1795222809000 } from './1795222809000-create-audit-events.js';
import { ErasePaymentFiles1795222810000 } from './1795222810000-erase-payment-files.js';
import { CreatePushedAuthorizationRequests1795222820000 } from './1795222820000-create-pushed-authorization-requests.js';
import { AddRequireIssuerAudience1795222821000 } from './1795222821000-add-require-issuer-audience.js';
import { AddCutOff1795222840000 } from './1795222840000-add-cut-off.js';
import { HoldFilePayments1795222841000 } from './1795222841000-hold-file-payments.js';
import { CreateDomainEvents1795222842000 } from './1795222842000-create-domain-events.js';
import { AllowBankCallbackIds1795222843000 } from './1795222843000-allow-bank-callback-ids.js';
import { EraseCustomerData1795222844000 } from './1795222844000-erase-customer-data.js';
import { AddDirectoriesOfClients1795222850000 } from './1795222850000-add-directories-of-clients.js';
import { SealAuditEvents1795222870000 } from './1795222870000-seal-audit-events.js';
import { RecordAuditEvents1795222871000 } from './1795222871000-record-audit-events.js';
import { CreateApprovalRequests1795222910000 } from './1795222910000-create-approval-requests.js';
import { LimitSettlement1795222920000 } from './1795222920000-limit-settlement.js';
import { AuditInteractionIds1795222921000 } from './1795222921000-audit-interaction-ids.js';
import { DropHotForeignKeys1795222940000 } from './1795222940000-drop-hot-foreign-keys.js';
import { CompressFilesWithLz41795222941000 } from './1795222941000-compress-files-with-lz4.js';
import { AuditInteractionIdsOfClients1795231000000 } from './1795231000000-audit-interaction-ids-of-clients.js';
import { FindRefreshGrantsOfPsu1795231001000 } from './1795231001000-find-refresh-grants-of-psu.js';
import { DerivePaymentIds1795231002000 } from './1795231002000-derive-payment-ids.js';
import { CreateInstructionLists1795240000000 } from './1795240000000-create-instruction-lists.js';
import { GuardFilePayments1795241000000 } from './1795241000000-guard-file-payments.js';
import { StopFilePayments1795241001000 } from './1795241001000-stop-file-payments.js';
import { CreateReconciliations1795242000000 } from './1795242000000-create-reconciliations.js';
import { ReconcileEarlierFiles1795242001000 } from './1795242001000-reconcile-earlier-files.js';
import { BindApprovalsToChallenges1795243000000 } from './1795243000000-bind-approvals-to-challenges.js';
import { LookAtKeptCodesOnce1795244000000 } from './1795244000000-look-at-kept-codes-once.js';
import { CountSignIns1795246000000 } from './1795246000000-count-sign-ins.js';
import { KeepEndingsOfSessions1795247000000 } from './1795247000000-keep-endings-of-sessions.js';
import { FindDecidedPayments1795248000000 } from './1795248000000-find-decided-payments.js';
import { AddConsentVersions1795260000000 } from './1795260000000-add-consent-versions.js';
import { ReconcileStoppedFiles1795265000000 } from './1795265000000-reconcile-stopped-files.js';
import { AddClientProfiles1795270000000 } from './1795270000000-add-client-profiles.js';
import { ReserveChallenges1795290000000 } from './1795290000000-reserve-challenges.js';
import { AuditDetailsOfStatements1795310000000 } from './1795310000000-audit-details-of-statements.js';
import { CreateAccessConsents1795330000000 } from './1795330000000-create-access-consents.js';
import { AddVersionOfEvents1795360000000 } from './1795360000000-add-version-of-events.js';
import { KeepNewerFilesFromFormerWorkers1795360001000 } from './1795360001000-keep-newer-files-from-former-workers.js';
import { EraseAccessConsents1795361300000 } from './1795361300000-erase-access-consents.js';
import { KeepOwnDecisions1795371000000 } from './1795371000000-keep-own-decisions.js';
import { RestTokensOnAccess1795372436000 } from './1795372436000-rest-tokens-on-access.js';
import { WithdrawAccessAtTheBank1795372436001 } from './1795372436001-withdraw-access-at-the-bank.js';
import { RecordChangesOfFilePaymentConsents1795410000000 } from './1795410000000-record-changes-of-file-payment-consents.js';
import { RecordChangesOfAccessConsents1795410001000 } from './1795410001000-record-changes-of-access-consents.js';
import { RecordChangesOfFilePayments1795410002000 } from './1795410002000-record-changes-of-file-payments.js';
import { RecordChangesOfClients1795410003000 } from './1795410003000-record-changes-of-clients.js';
import { RecordChangesOfAccessTokens1795410004000 } from './1795410004000-record-changes-of-access-tokens.js';
import { RecordChangesOfRefreshGrants1795410005000 } from './1795410005000-record-changes-of-refresh-grants.js';
import { LockRowsForWorks1795420000000 } from './1795420000000-lock-rows-for-works.js';
import { CreateDeclineNotices1795440000000 } from './1795440000000-create-decline-notices.js';
import { CreateAccessConsentEnds1795440001000 } from './1795440001000-create-access-consent-ends.js';
import { DropExpiryIndexOfCodes1795440002000 } from './1795440002000-drop-expiry-index-of-codes.js';
import { EndGrantsOfAccessForOlderPrograms1795655000000 } from './1795655000000-end-grants-of-access-for-older-programs.js';
import { EndConsentsAtLessCost1795656000000 } from './1795656000000-end-consents-at-less-cost.js';

/** Every migration in the order it runs. Listed by hand: a file that is not here does not run. */
export const migrations = [
  CreateClients1795222800000,
  CreateUsedJwtIds1795222801000,
  CreateFilePaymentConsents1795222802000,
  CreateFilePayments1795222803000,
  CreateIdempotencyKeys1795222804000,
  CreateAuthorizationTables1795222805000,
  CreateRefreshTokens1795222806000,
  CreateFilePaymentApprovals1795222807000,
  CreateAuditEvents1795222809000,
  ErasePaymentFiles1795222810000,
  CreatePushedAuthorizationRequests1795222820000,
  AddRequireIssuerAudience1795222821000,
  AddCutOff1795222840000,
  HoldFilePayments1795222841000,
  CreateDomainEvents1795222842000,
  AllowBankCallbackIds1795222843000,
  EraseCustomerData1795222844000,
  AddDirectoriesOfClients1795222850000,
  SealAuditEvents1795222870000,
  RecordAuditEvents1795222871000,
  CreateApprovalRequests1795222910000,
  LimitSettlement1795222920000,
  AuditInteractionIds1795222921000,
  DropHotForeignKeys1795222940000,
  CompressFilesWithLz41795222941000,
  AuditInteractionIdsOfClients1795231000000,
  FindRefreshGrantsOfPsu1795231001000,
  DerivePaymentIds1795231002000,
  CreateInstructionLists1795240000000,
  GuardFilePayments1795241000000,
  StopFilePayments1795241001000,
  CreateReconciliations1795242000000,
  ReconcileEarlierFiles1795242001000,
  BindApprovalsToChallenges1795243000000,
  LookAtKeptCodesOnce1795244000000,
  CountSignIns1795246000000,
  KeepEndingsOfSessions1795247000000,
  FindDecidedPayments1795248000000,
  AddConsentVersions1795260000000,
  ReconcileStoppedFiles1795265000000,
  AddClientProfiles1795270000000,
  ReserveChallenges1795290000000,
  AuditDetailsOfStatements1795310000000,
  CreateAccessConsents1795330000000,
  AddVersionOfEvents1795360000000,
  KeepNewerFilesFromFormerWorkers1795360001000,
  EraseAccessConsents1795361300000,
  KeepOwnDecisions1795371000000,
  RestTokensOnAccess1795372436000,
  WithdrawAccessAtTheBank1795372436001,
  RecordChangesOfFilePaymentConsents1795410000000,
  RecordChangesOfAccessConsents1795410001000,
  RecordChangesOfFilePayments1795410002000,
  RecordChangesOfClients1795410003000,
  RecordChangesOfAccessTokens1795410004000,
  RecordChangesOfRefreshGrants1795410005000,
  LockRowsForWorks1795420000000,
  CreateDeclineNotices1795440000000,
  CreateAccessConsentEnds1795440001000,
  DropExpiryIndexOfCodes1795440002000,
  EndGrantsOfAccessForOlderPrograms1795655000000,
  EndConsentsAtLessCost1795656000000,
];
