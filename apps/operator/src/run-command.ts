import { type ClientRule, clientRules } from '#libs/client-registration';
import type { ClientOperations } from './client-operations.service.js';
import type { OutputFormat, ServiceCommand } from './command.js';
import type { EventOperations } from './event-operations.service.js';
import type { HelpDesk } from './help-desk.service.js';
import type { PaymentOperations } from './payment-operations.service.js';
import type { PaymentStops } from './payment-stops.service.js';
import { createDifferencePrinter } from './print-differences.js';
import type { Reconciliation } from './reconciliation.service.js';
import { isForTwo, type SecondPerson } from './second-person.service.js';

/** The services that carry out commands. */
export interface Operations {
  readonly clients: ClientOperations;
  readonly payments: PaymentOperations;
  readonly stops: PaymentStops;
  readonly secondPerson: SecondPerson;
  readonly reconciliation: Reconciliation;
  readonly events: EventOperations;
  readonly helpDesk: HelpDesk;
}

/** Where and how to print results that are too long to hold in memory. */
export interface Output {
  readonly format: OutputFormat;
  readonly write: (text: string) => void;
}

const standardOutput: Output = { format: 'json', write: (text) => process.stdout.write(text) };

type Work<Name> = (
  command: ServiceCommand & { readonly name: Name },
  operations: Operations,
  output: Output,
) => Promise<unknown>;

const changeRule: Work<ClientRule> = (command, { clients }) => clients.changeRule(command);
const ruleWorks = Object.fromEntries(Object.keys(clientRules).map((rule) => [rule, changeRule])) as {
  readonly [Rule in ClientRule]: typeof changeRule;
};

const works: { readonly [Name in ServiceCommand['name']]: Work<Name> } = {
  list: ({ filter }, { clients }) => clients.list(filter),
  show: ({ clientId }, { clients }) => clients.show(clientId),
  history: ({ clientId }, { clients }) => clients.history(clientId),
  suspend: ({ clientId, mandate }, { clients }) => clients.suspend(clientId, mandate),
  resume: ({ clientId, mandate }, { clients }) => clients.resume(clientId, mandate),
  remove: ({ clientId, mandate }, { clients }) => clients.remove(clientId, mandate),
  'rotate-secret': ({ clientId, mandate }, { clients }) => clients.rotateSecret(clientId, mandate),
  ...ruleWorks,
  're-encrypt': ({ mandate }, { clients }) => clients.reEncryptSecrets(mandate),
  reconcile: (command, { reconciliation }, output) =>
    reconciliation.reconcile(command, createDifferencePrinter(output)),
  differences: (_command, { reconciliation }) => reconciliation.findOpen(),
  acknowledge: (command, { reconciliation }) => reconciliation.acknowledge(command),
  'retry-events': ({ mandate }, { events }) => events.retry(mandate),
  held: (_command, { payments }) => payments.findHeld(),
  stops: (_command, { stops }) => stops.findStops(),
  stopped: (_command, { stops }) => stops.findStopped(),
  requests: (_command, { secondPerson }) => secondPerson.findPending(),
  retry: ({ filePaymentId, mandate }, { payments }) => payments.retry(filePaymentId, mandate),
  reject: ({ filePaymentId, mandate, isWithoutBank }, { payments }) =>
    payments.reject(filePaymentId, mandate, isWithoutBank),
  conclude: ({ paymentId, status, mandate }, { payments }) => payments.conclude(paymentId, status, mandate),
  stop: (command, { stops }) => stops.stop(command),
  continue: (command, { stops }) => stops.resume(command),
  consents: ({ psuId }, { helpDesk }) => helpDesk.find(psuId),
  'end-access': ({ psuId, consentId, mandate }, { helpDesk }) => helpDesk.endAccess(psuId, consentId, mandate),
  confirm: ({ requestId, mandate }, operations, output) =>
    operations.secondPerson.confirm(requestId, mandate, (confirmed) => carryOut(confirmed, operations, output)),
};

function carryOut(command: ServiceCommand, operations: Operations, output: Output): Promise<unknown> {
  const work = works[command.name] as Work<never>;
  return work(command as never, operations, output);
}

/**
 * Carries out a command, or requests confirmation by a second person.
 * @returns what to print; for `reconcile`, which prints as it goes, whether nothing differs
 * @throws OperatorError if it cannot be carried out
 */
export async function runCommand(
  given: ServiceCommand,
  operations: Operations,
  output = standardOutput,
): Promise<unknown> {
  const { secondPerson } = operations;
  if (!('mandate' in given)) return carryOut(given, operations, output);
  const command = { ...given, mandate: await secondPerson.sign(given.mandate) } as typeof given;
  if (isForTwo(command) && secondPerson.isNeeded) return secondPerson.request(command, command.mandate);
  return carryOut(command, operations, output);
}
