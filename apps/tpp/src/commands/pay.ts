import { type Command, type CommandCall, text } from '../cli/command.js';
import { isTokenRefused, type Session } from '../cli/session.js';
import { idOf, type Payment, type PaymentConsent } from '../read-write/payments-client.js';
import { commandOf, type PaymentKind, titleOf } from '../purpose.js';

/** POST /file-payments, POST /domestic-payments. */
export function createPayCommand(kind: PaymentKind): Command {
  const isFile = kind === 'file-payment';
  return {
    name: commandOf(kind, 'pay'),
    summary: isFile ? 'make the payments of the authorised consent' : 'make the payment of the authorised consent',
    options: [['--consent <id>', 'default: the last consent']],
    note: `Uses the token of the customer's approval${isFile ? ", or else the client's own" : ''}.`,
    async run(call) {
      const { session: open, values } = call;
      const session = await open();
      const kept = (await session.state())[kind];
      const consentId = await session.consentId(kind, text(values, 'consent'));
      const isLast = consentId === kept?.consentId;
      const payments = await session.payments(kind);
      // The request repeats the consent, member for member.
      const consent =
        (isLast ? kept.consent : undefined) ??
        (await session.withAccessToken((accessToken) => payments.readConsent(accessToken, consentId)));
      const pay = (accessToken: string): Promise<Payment> => payments.createPayment(accessToken, consent);
      const isApproved = isLast && kept.token !== undefined && kept.token.expiresAt > Date.now();
      const payment =
        isApproved || !isFile ? await payAsCustomer(kind, consentId, pay, call) : await session.withAccessToken(pay);
      await keep(session, kind, { consent, payment });
      tellPayment(kind, payment, call);
    },
  };
}

async function keep(
  session: Session,
  kind: PaymentKind,
  { consent, payment }: { consent: PaymentConsent; payment: Payment },
): Promise<void> {
  const { ConsentId: consentId } = consent.Data;
  const last = (await session.state())[kind];
  const [version, paymentId] = [await session.versionOf(kind), idOf(payment)];
  const kept = last?.consentId === consentId ? last : { consentId, version };
  await session.folder.update({ [kind]: { ...kept, paymentId } });
  await session.folder.noteConsent({ consentId, version, kind, paymentId });
}

/** Shows a payment, and the account to send money back to. */
export function tellPayment(kind: PaymentKind, payment: Payment, { output }: Pick<CommandCall, 'output'>): void {
  const { Status: status, Refund } = payment.Data;
  output.line(`${titleOf(kind)} ${idOf(payment)}: ${status}`);
  output.add({ payment_order_id: idOf(payment), status });
  if (Refund === undefined) return;
  output.line(`Refunds go to ${Refund.Account.Identification}, ${Refund.Account.Name}`);
  output.add({ refund_account: Refund.Account });
}

/** The token of the approval may end early, e.g. if the sandbox let time pass; the approval does not. */
async function payAsCustomer(
  kind: PaymentKind,
  consentId: string,
  pay: (accessToken: string) => Promise<Payment>,
  { session: open, output }: CommandCall,
): Promise<Payment> {
  const session = await open();
  try {
    return await pay(await session.customerToken(kind, consentId));
  } catch (error) {
    // Only the customer's token makes a single payment.
    if (kind !== 'file-payment' || !isTokenRefused(error)) throw error;
  }
  const { [kind]: kept } = await session.state();
  if (kept !== undefined) await session.folder.update({ [kind]: { ...kept, token: undefined } });
  output.progress("the token of the customer's approval has ended: paying with the client's own");
  return session.withAccessToken(pay);
}
