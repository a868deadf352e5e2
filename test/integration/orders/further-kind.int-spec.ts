import { describe, expect, it } from '@jest/globals';
import { filePaymentKind } from '#libs/consent';
import { FileReportService } from '#libs/file-payment';
import { eraseCustomerData, PaymentApprovalService } from '#libs/payment-order';
import { domesticPaymentKind } from '#libs/domestic-payment';
import { aDomesticPayment, listOf } from '../../support/domestic-payments.js';
import {
  clientId,
  clock,
  database,
  drain,
  processor,
  run,
  scheme,
  stateOf,
} from '../payment-processor/payment-processor-world.js';
import { eventsOf, open, reconcileAfter, stage } from '../reconciliation/reconciliation-world.js';
import {
  account,
  apiVersion,
  approve,
  aRequest,
  aRisk,
  consents,
  pay,
  payments,
  stageFile,
  stageOrder,
  statusOf,
  uploadTo,
  useOrders,
} from './orders-world.js';

useOrders();

const typesOf = async (resourceId: string): Promise<unknown> =>
  run(
    'SELECT event_type, resource_type, status, api_version FROM domain_events WHERE resource_id = $1 ORDER BY occurred_at, status',
    [resourceId],
  );

describe('an order of a further kind', () => {
  it('waits for its customer from the start, with its list; a repeated request gets the same consent', async () => {
    const request = aRequest();
    const consent = await stageOrder(request);
    expect(consent).toMatchObject({ status: 'AwaitingAuthorisation', apiVersion, initiation: aDomesticPayment() });
    const { instructions, approvalHash } = listOf(aDomesticPayment());
    expect(
      await run(
        `SELECT kind, approval_hash, number_of_transactions, control_sum::text, instructions, amounts::text[]
           FROM payment_consents JOIN instruction_lists USING (consent_id) WHERE consent_id = $1`,
        [consent.consentId],
      ),
    ).toEqual([
      {
        kind: 'domestic-payment',
        approval_hash: approvalHash,
        number_of_transactions: 1,
        control_sum: '10.50',
        instructions,
        amounts: ['10.50'],
      },
    ]);
    expect((await stageOrder(request)).consentId).toBe(consent.consentId);
    expect(await consents.findReplay(domesticPaymentKind, request)).toEqual(consent);
  });

  it('has the state of its own payment beside others', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      await drain(processor);
      const { consentId } = await stageOrder();
      await approve(consentId);
      ids.push((await pay(domesticPaymentKind, consentId)).payment.filePaymentId);
    }
    const states: unknown[] = [];
    for (const id of ids) states.push((await payments.getOwned(domesticPaymentKind, id, clientId)).only?.status);
    expect(states).toEqual(['AcceptedCreditSettlementCompleted', 'Pending']);
  });

  it.each([1, 2])('is shown to further approvers where there are any: %s approvals', async (approvalsRequired) => {
    const { consentId } = await stageOrder();
    await approve(consentId, approvalsRequired);
    const { filePaymentId } = (await pay(domesticPaymentKind, consentId)).payment;
    const accounts = [{ schemeName: account.SchemeName, identification: account.Identification }];
    const found = await new PaymentApprovalService(database).find('other', accounts, filePaymentId);
    expect(found?.payment.filePaymentId).toBe(approvalsRequired > 1 ? filePaymentId : undefined);
  });

  it('is staged together with file payments by one statement, each in its own first state', async () => {
    const terms = { numberOfPayments: undefined };
    const initiation = { FileType: 'UK.OBIE.PaymentInitiation.3.1', FileHash: 'x' };
    const staged = await Promise.all([
      stageOrder(),
      consents.create(filePaymentKind, aRequest(), { apiVersion, initiation, terms }),
      stageOrder(aRequest(), aDomesticPayment('7.00')),
    ]);
    const ids = staged.map(({ consentId }) => consentId);
    const rows = await run(
      `SELECT kind, status, amounts::text[], count(*) OVER (PARTITION BY consent.xmin::text)::int AS together
         FROM payment_consents AS consent LEFT JOIN instruction_lists USING (consent_id)
        WHERE consent_id = ANY ($1::uuid[]) ORDER BY array_position($1::uuid[], consent_id)`,
      [ids],
    );
    expect(rows).toEqual([
      { kind: 'domestic-payment', status: 'AwaitingAuthorisation', amounts: ['10.50'], together: 3 },
      { kind: 'file-payment', status: 'AwaitingUpload', amounts: null, together: 3 },
      { kind: 'domestic-payment', status: 'AwaitingAuthorisation', amounts: ['7.00'], together: 3 },
    ]);
  });

  it('DP-092, DP-100 is approved, paid, reconciled and erased, and its events have its name', async () => {
    const { consentId } = await stageOrder();
    await approve(consentId);
    const { payment, initiation } = await pay(domesticPaymentKind, consentId);
    expect(initiation).toEqual(aDomesticPayment());
    await drain(processor);
    expect(scheme.reserved).toMatchObject([{ filePaymentId: payment.filePaymentId, risk: aRisk }]);
    const { only } = await payments.getOwned(domesticPaymentKind, payment.filePaymentId, clientId);
    expect(only).toMatchObject({ status: 'AcceptedCreditSettlementCompleted', statusUpdatedAt: clock.now() });
    expect(scheme.instructions).toMatchObject([{ filePaymentId: payment.filePaymentId, amount: '10.50' }]);
    expect(await stateOf(payment.filePaymentId)).toMatchObject({ status: 'InitiationCompleted' });
    await reconcileAfter(2);
    expect(await open()).toEqual([]);
    const { status, payments: items } = await payments
      .getPayments(domesticPaymentKind, payment.filePaymentId, clientId)
      .then((found) => ({ status: found.payment.status, payments: found.payments }));
    expect({ status, items: items.map((item) => [item.position, item.amount, item.status]) }).toEqual({
      status: 'InitiationCompleted',
      items: [[0, '10.50', 'AcceptedCreditSettlementCompleted']],
    });
    expect(await typesOf(consentId)).toEqual([
      {
        event_type: 'consent.status',
        resource_type: 'domestic-payment-consent',
        status: 'Authorised',
        api_version: '4.0',
      },
      {
        event_type: 'consent.status',
        resource_type: 'domestic-payment-consent',
        status: 'Consumed',
        api_version: '4.0',
      },
    ]);
    expect(await typesOf(payment.filePaymentId)).toEqual(
      expect.arrayContaining([
        {
          event_type: 'domestic-payment.status',
          resource_type: 'domestic-payment',
          status: 'InitiationCompleted',
          api_version: '4.0',
        },
      ]),
    );
    expect(await eraseCustomerData(database, { consentId, now: clock.now() })).toBe(true);
    const [erased] = await run(
      `SELECT initiation, risk, debtor_account, instructions
         FROM payment_consents JOIN instruction_lists USING (consent_id) WHERE consent_id = $1`,
      [consentId],
    );
    const { InstructionIdentification, InstructedAmount } = aDomesticPayment();
    expect(erased).toEqual({
      initiation: JSON.stringify({ InstructionIdentification, InstructedAmount }),
      risk: JSON.stringify(aRisk),
      debtor_account: null,
      instructions: '',
    });
  });

  it('is reported by its name if it differs from the bank', async () => {
    const { consentId } = await stageOrder();
    await approve(consentId);
    const { payment } = await pay(domesticPaymentKind, consentId);
    await drain(processor);
    scheme.book = () => ({ decision: 'Unknown', payments: [] });
    await reconcileAfter(2);
    expect(await eventsOf(payment.filePaymentId)).toEqual([
      { event_type: 'domestic-payment.difference', status: 'InitiationCompleted' },
    ]);
    expect(
      await run(`SELECT action FROM audit_events WHERE details ->> 'filePaymentId' = $1`, [payment.filePaymentId]),
    ).toEqual([{ action: 'domestic-payment.difference' }]);
  });

  it('ends if its customer does not decide in time', async () => {
    const { consentId } = await stageOrder();
    clock.time += 86_401_000;
    await consents.rejectExpired(100);
    expect(await statusOf(consentId)).toBe('Rejected');
  });
});

describe('a consent or an order of another kind', () => {
  it('is not found, as an unknown one is not', async () => {
    const order = await stageOrder();
    await approve(order.consentId);
    const noConsent = expect.objectContaining({ code: 'ConsentNotFound' });
    await expect(consents.getOwned(filePaymentKind, order.consentId, clientId)).rejects.toEqual(noConsent);
    await expect(uploadTo(order.consentId, Buffer.from('{}'))).rejects.toEqual(noConsent);
    await expect(pay(filePaymentKind, order.consentId)).rejects.toEqual(noConsent);
    const { payment } = await pay(domesticPaymentKind, order.consentId);
    const noPayment = expect.objectContaining({
      code: 'PaymentOrderNotFound',
      message: 'There is no such file payment.',
    });
    const { filePaymentId } = payment;
    await expect(payments.getOwned(filePaymentKind, filePaymentId, clientId)).rejects.toEqual(noPayment);
    await expect(payments.getPayments(filePaymentKind, filePaymentId, clientId)).rejects.toEqual(noPayment);
    await expect(new FileReportService(payments).get(filePaymentId, clientId, () => undefined)).rejects.toEqual(
      noPayment,
    );
  });

  it('nor is a file payment where orders of the further kind are asked for', async () => {
    const consentId = await stageFile();
    await approve(consentId);
    await expect(consents.getOwned(domesticPaymentKind, consentId, clientId)).rejects.toMatchObject({
      code: 'ConsentNotFound',
    });
    await expect(pay(domesticPaymentKind, consentId)).rejects.toMatchObject({ code: 'ConsentNotFound' });
    expect(await statusOf(consentId)).toBe('Authorised');
    const { payment } = await pay(filePaymentKind, consentId);
    await expect(payments.getOwned(domesticPaymentKind, payment.filePaymentId, clientId)).rejects.toMatchObject({
      code: 'PaymentOrderNotFound',
      message: 'There is no such domestic payment.',
    });
  });
});

describe('what is to be paid must be there', () => {
  it.each([
    ['a file payment', filePaymentKind],
    ['another order', domesticPaymentKind],
  ])('%s without its list is refused, and the bank never hears of it', async (_title, kind) => {
    const consentId = kind === filePaymentKind ? await stageFile() : (await stageOrder()).consentId;
    await approve(consentId);
    await stage('DELETE FROM instruction_lists WHERE consent_id = $1', [consentId]);
    await expect(pay(kind, consentId)).rejects.toMatchObject({ code: '23514', constraint: 'payment_orders_created' });
    expect(await statusOf(consentId)).toBe('Authorised');
    expect(await run('SELECT FROM payment_orders', [])).toEqual([]);
    await drain(processor);
    expect(scheme.reserved).toEqual([]);
    expect(scheme.handedOver).toEqual([]);
  });
});
