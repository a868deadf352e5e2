import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AuthorizationSessionService, type PendingAuthorizationRequest } from '#libs/customer-session';
import type { Config } from '#libs/config';
import { type ConsentKind, ConsentService, PaymentConsentEntity, filePaymentKind } from '#libs/consent';
import { FileUploadService } from '#libs/file-payment';
import { PaymentOrderService } from '#libs/payment-order';
import { IdempotencyStore, type IdempotentRequest } from '#libs/idempotency';
import { DatabaseReader } from '#libs/persistence';
import { dataSourceOptions } from '#libs/typeorm';
import { domesticPaymentKind } from '#libs/domestic-payment';
import { aDomesticPayment, type DomesticInitiation, listOf } from '../../support/domestic-payments.js';
import { clientId, clock, config, database, run } from '../payment-processor/payment-processor-world.js';
import { useReconciliation } from '../reconciliation/reconciliation-world.js';

const redirectUri = 'https://tpp.example.com/callback';
const sha256 = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();
export const account = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB82WEST', Name: 'Business' };
export const apiVersion = '4.0';

let dataSource: DataSource;
export let consents: ConsentService;
export let payments: PaymentOrderService;
let files: FileUploadService;
let sessions: AuthorizationSessionService;

/** The world of the reconciliation, with the services that stage consents, let customers approve them, and pay. */
export function useOrders(): void {
  useReconciliation();

  beforeAll(async () => {
    dataSource = new DataSource({
      ...dataSourceOptions(database.pool),
      entities: [PaymentConsentEntity],
    });
    await dataSource.initialize();
    await run(
      `UPDATE clients SET redirect_uris = ARRAY[$1], grant_types = '{authorization_code}', scope = 'openid payments'`,
      [redirectUri],
    );
  });

  afterAll(async () => {
    await dataSource?.destroy();
  });

  beforeEach(() => {
    const whole = {
      ...config,
      consent: { expirySeconds: 86_400 },
      idempotency: { retentionSeconds: 86_400 },
      authorization: { approvalSeconds: 86_400 },
    } as unknown as Config;
    const keys = new IdempotencyStore(database, whole);
    consents = new ConsentService(dataSource.getRepository(PaymentConsentEntity), database, keys, whole, clock);
    payments = new PaymentOrderService(keys, database, new DatabaseReader(database, undefined), whole, clock);
    files = new FileUploadService(consents, keys, database, whole, clock);
    sessions = new AuthorizationSessionService(database);
  });
}

export const aRequest = (operation = 'test'): IdempotentRequest => ({
  clientId,
  operation,
  idempotencyKey: randomUUID(),
  requestHash: Buffer.alloc(32),
});

export const aRisk = { PaymentContextCode: 'TransferToThirdParty' };

/** A domestic payment, as its routes would stage it. */
export function stageOrder(request = aRequest(), initiation = aDomesticPayment()) {
  const terms = { numberOfPayments: '1', controlSum: initiation.InstructedAmount.Amount };
  const list = listOf(initiation);
  return consents.create(domesticPaymentKind, request, { apiVersion, initiation, terms, list, risk: aRisk });
}

/** A file of one payment to somebody. */
export const aFile = (name = 'Dana Dole', amount = '10.50'): Buffer => {
  const payment = aDomesticPayment(amount);
  const DomesticPayments = [{ ...payment, CreditorAccount: { ...payment.CreditorAccount, Name: name } }];
  return Buffer.from(JSON.stringify({ File: { Data: { DomesticPayments } } }));
};

/** A consent that waits for this file. */
export async function stageForFile(body: Buffer, version = apiVersion): Promise<string> {
  const FileHash = sha256(body).toString('base64');
  const initiation = { FileType: 'UK.OBIE.PaymentInitiation.3.1', FileHash };
  const terms = { numberOfPayments: undefined, controlSum: undefined };
  const { consentId } = await consents.create(filePaymentKind, aRequest(), { apiVersion: version, initiation, terms });
  return consentId;
}

/** A consent of a file payment, with its file. */
export async function stageFile(version = apiVersion): Promise<string> {
  const consentId = await stageForFile(aFile(), version);
  await uploadTo(consentId, aFile(), version);
  return consentId;
}

export function uploadTo(
  consentId: string,
  body: Buffer,
  version = apiVersion,
  request = aRequest(`upload ${consentId}`),
): Promise<void> {
  const parse = () => JSON.parse(body.toString()) as Record<string, unknown>;
  return files.upload(request, {
    consentId,
    apiVersion: version,
    body,
    digest: sha256(body),
    parse,
    interactionId: randomUUID(),
  });
}

/** The customer signs in, is shown the list, and approves it. */
export async function approve(consentId: string, approvalsRequired = 1): Promise<void> {
  const now = clock.now();
  const key = { sessionId: randomUUID(), sessionHash: randomBytes(32) };
  const request: PendingAuthorizationRequest = {
    clientId,
    redirectUri,
    responseMode: 'fragment',
    responseType: 'code id_token',
    scope: ['openid', 'payments'],
    state: 's',
    nonce: 'n',
    clientName: 'S',
    orgId: 'o',
    orgName: 'O',
    requestHash: randomUUID(),
    idTokenSignedResponseAlg: 'PS256',
    isLasting: false,
  };
  const expiresAt = new Date(clock.time + 600_000);
  expect(await sessions.startSession({ key, clientId, consentId, request, now, expiresAt })).toBe('Started');
  const signedIn = { ...key, sessionHash: randomBytes(32) };
  const psu = { psuId: 'psu', psuName: 'Alex Green' };
  expect(await sessions.enterConsentAtOnce({ key, newSessionHash: signedIn.sessionHash, ...psu, now })).toBe(true);
  const shown = await sessions.findSessionWithConsent(signedIn);
  if (shown?.consent === undefined) throw new Error('There is nothing to decide.');
  const { approvalHash } = shown.consent;
  const challenge = {
    challengeId: randomUUID(),
    method: 'Code',
    expiresAt: expiresAt.toISOString(),
    interactionId: randomUUID(),
    bound: {},
    approvalHash: String(approvalHash?.toString('hex')),
    debtorAccount: account,
    approvalsRequired,
  } as const;
  expect(await sessions.reserveChallenge({ key: signedIn, started: 0, requestedAt: undefined, now })).toBe(true);
  expect(await sessions.enterChallenge({ key: signedIn, challenge, started: 1, now })).toBe(true);
  const { challengeId } = challenge;
  const code = { codeHash: randomBytes(32), expiresAt, subject: 'subject' };
  const client = shown.session;
  const decision = { key: signedIn, challengeId, acr: 'acr', authenticatedAt: now, code, client, now };
  expect(await sessions.approve(decision)).toBe('Approved');
}

export const pay = (kind: ConsentKind, consentId: string, version = apiVersion, request = aRequest('pay')) =>
  payments.create<DomesticInitiation>(kind, request, {
    consentId,
    apiVersion: version,
    findMismatch: () => undefined,
  });

export const statusOf = async (consentId: string): Promise<unknown> =>
  (await run('SELECT status FROM payment_consents WHERE consent_id = $1', [consentId]))[0]?.['status'];
