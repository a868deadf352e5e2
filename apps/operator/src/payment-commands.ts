import { Argument, type Command as Program, Option } from 'commander';
import type { FinalPaymentStatus, StopTarget } from '#libs/payment-order';
import type { Given } from './command.js';
import { readHexId, readPsuId, readSince, readUuid } from './read-parameters.js';

const finalStatuses: readonly FinalPaymentStatus[] = [
  'Rejected',
  'AcceptedSettlementCompleted',
  'AcceptedWithoutPosting',
  'AcceptedCreditSettlementCompleted',
];

export function addPaymentCommands(payments: Program, given: Given): void {
  const { found, mandate } = given;
  const lists = {
    held: 'list held payment orders: the bank gave too many unexpected answers, or settlement is overdue',
    stops: 'list the stops in force',
    stopped: 'list the payment orders that an operator has stopped, or because their client is suspended or removed',
    requests: 'list the requests that wait for a second person (OPERATOR_FOUR_EYES)',
  } as const;
  for (const [name, description] of Object.entries(lists) as [keyof typeof lists, string][]) {
    payments
      .command(name)
      .description(description)
      .action(() => found({ name }));
  }
  addStopCommand(payments, { ...given, name: 'stop', word: 'stop', description: 'stop payment orders, now and later' });
  addStopCommand(payments, {
    ...given,
    name: 'continue',
    word: 'resume',
    description: 'resume payment orders that were stopped; with --payment-order also for a suspended or removed client',
  });
  payments
    .command('retry')
    .description('continue with a payment order that is held or due too late, after asking the bank what it has')
    .addArgument(paymentOrderIdArgument())
    .action((filePaymentId: string) => found({ name: 'retry', filePaymentId, mandate: mandate() }));
  payments
    .command('reject')
    .description('end a held or stopped payment order: payments that the bank has continue, the rest become Rejected')
    .addArgument(paymentOrderIdArgument())
    .option('--without-bank', 'do not ask the bank: somebody has checked that it has none of the rest')
    .action((filePaymentId: string, { withoutBank }: { withoutBank?: boolean }) =>
      found({ name: 'reject', filePaymentId, mandate: mandate(), isWithoutBank: withoutBank === true }),
    );
  payments
    .command('conclude')
    .description('record how a payment with overdue settlement ended')
    .argument('<payment-id>', '32 hexadecimal digits', readHexId)
    .addArgument(new Argument('<status>', 'its final state').choices(finalStatuses))
    .action((paymentId: string, status: FinalPaymentStatus) =>
      found({ name: 'conclude', paymentId, status, mandate: mandate() }),
    );
  payments
    .command('confirm')
    .description('confirm a request, as the second person')
    .argument('<request-id>', 'UUID of the request', readUuid)
    .action((requestId: string) => found({ name: 'confirm', requestId, mandate: mandate() }));
  addReconciliationCommands(payments, given);
}

interface StopOptions {
  paymentOrder?: string;
  client?: string;
  psu?: string;
  all?: boolean;
}

interface StopCommand extends Given {
  readonly name: 'stop' | 'continue';
  readonly word: string;
  readonly description: string;
}

function addStopCommand(payments: Program, { found, reasoned, name, word, description }: StopCommand): void {
  const command: Program = payments
    .command(word)
    .description(description)
    .addOption(
      new Option('--payment-order <id>', 'one payment order').argParser(readUuid).conflicts(['client', 'psu', 'all']),
    )
    .addOption(
      new Option('--client <id>', 'all payment orders of a client').argParser(readUuid).conflicts(['psu', 'all']),
    )
    .addOption(
      new Option('--psu <id>', 'all payment orders of a customer, by the bank’s id')
        .argParser(readPsuId)
        .conflicts('all'),
    )
    .option('--all', 'everything')
    .action((options: StopOptions) => {
      const target = toStopTarget(options);
      if (target === undefined) return command.error('error: give one of --payment-order, --client, --psu and --all.');
      return found({ name, target, mandate: reasoned() });
    });
}

function toStopTarget({ paymentOrder, client, psu, all }: StopOptions): StopTarget | undefined {
  if (paymentOrder !== undefined) return { scope: 'PaymentOrder', target: paymentOrder };
  if (client !== undefined) return { scope: 'Client', target: client };
  if (psu !== undefined) return { scope: 'Psu', target: psu };
  return all === true ? { scope: 'All', target: '' } : undefined;
}

function addReconciliationCommands(payments: Program, { found, reasoned }: Given): void {
  payments
    .command('reconcile')
    .description('compare recent changes with files, approvals and the bank’s book')
    .addOption(
      new Option('--since <moment>', 'date, date-time with its zone, or number of days')
        .default(1)
        .argParser((text) => readSince(text, new Date()))
        .conflicts(['paymentOrder', 'listed']),
    )
    .addOption(new Option('--payment-order <id>', 'only this payment order').argParser(readUuid).conflicts('listed'))
    .addOption(
      new Option('--listed <file>', 'those of a list, one id on each line, known here or not; - for standard input'),
    )
    .action(({ since, paymentOrder, listed }: { since: Date | number; paymentOrder?: string; listed?: string }) => {
      if (paymentOrder !== undefined) found({ name: 'reconcile', filePaymentId: paymentOrder });
      else if (listed !== undefined) found({ name: 'reconcile', listed });
      else found({ name: 'reconcile', since });
    });
  payments
    .command('differences')
    .description('list unacknowledged differences that the worker has found')
    .action(() => found({ name: 'differences' }));
  payments
    .command('acknowledge')
    .description('acknowledge the differences of a payment order, until something else differs')
    .addArgument(paymentOrderIdArgument())
    .action((id: string) => found({ name: 'acknowledge', id, mandate: reasoned() }));
}

function paymentOrderIdArgument(): Argument {
  return new Argument('<payment-order-id>', 'UUID of the file payment or single payment').argParser(readUuid);
}
