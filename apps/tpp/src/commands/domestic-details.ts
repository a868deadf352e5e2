import { callOf } from '#libs/command-line';
import { type Command, text } from '../cli/command.js';
import { JourneyError } from '../journey-error.js';
import { commandOf } from '../purpose.js';

/** GET /domestic-payments/{DomesticPaymentId}/payment-details. */
export const domesticDetailsCommand: Command = {
  name: commandOf('domestic-payment', 'details'),
  summary: "read the payment's status at its scheme, with the reason",
  options: [['--payment <id>', 'default: the last domestic payment']],
  async run({ session: open, output, values }) {
    const session = await open();
    const paymentId = text(values, 'payment') ?? (await session.state())['domestic-payment']?.paymentId;
    if (paymentId === undefined)
      throw new JourneyError(`there is no payment yet: run "${callOf('tpp')} domestic-payment pay" first`);
    const payments = await session.payments('domestic-payment');
    const { Data } = await session.withAccessToken((accessToken) => payments.readDetails(accessToken, paymentId));
    for (const { Status, StatusUpdateDateTime, StatusDetail = {} } of Data.PaymentStatus) {
      const { StatusReason = '', StatusReasonDescription = '' } = StatusDetail;
      output.line([StatusUpdateDateTime, Status, StatusReason, StatusReasonDescription].join('  ').trimEnd());
    }
    output.add({ payment_order_id: paymentId, details: Data.PaymentStatus });
  },
};
