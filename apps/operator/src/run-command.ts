import type { ClientOperations, Mandate } from './client-operations.service.js';
import type { OutputFormat, PeoplesCommand, ServiceCommand } from './command.js';
import type { EventOperations } from './event-operations.service.js';
import type { HelpDesk } from './help-desk.service.js';
import type { PaymentOperations } from './payment-operations.service.js';
import type { PaymentStops } from './payment-stops.service.js';
import { createDifferencePrinter } from './print-differences.js';
import type { Reconciliation } from './reconciliation.service.js';
import type { SecondPerson } from './second-person.service.js';

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
  const { clients, reconciliation, secondPerson } = operations;
  const command = 'mandate' in given ? await signed(given, secondPerson) : given;
  switch (command.name) {
    case 'list':
      return clients.list(command.filter);
    case 'show':
      return clients.show(command.clientId);
    case 'history':
      return clients.history(command.clientId);
    case 'suspend':
      return clients.suspend(command.clientId, command.mandate);
    case 'resume':
      return clients.resume(command.clientId, command.mandate);
    case 'remove':
      return clients.remove(command.clientId, command.mandate);
    case 'rotate-secret':
      return clients.rotateSecret(command.clientId, command.mandate);
    case 'require-issuer-audience':
      return clients.requireIssuerAudience(command.clientId, command.mandate);
    case 'accept-older-audiences':
      return clients.acceptOlderAudiences(command.clientId, command.mandate);
    case 'set-profile':
      return clients.setProfile(command.clientId, command.profile, command.mandate);
    case 're-encrypt':
      return clients.reEncryptSecrets(command.mandate);
    case 'reconcile':
      return reconciliation.reconcile(command, createDifferencePrinter(output));
    case 'differences':
      return reconciliation.findOpen();
    case 'acknowledge':
      return reconciliation.acknowledge(command);
    case 'retry-events':
      return operations.events.retry(command.mandate);
    default:
      return runPeoplesCommand(command, operations);
  }
}

async function signed<Given extends { mandate: Mandate }>(command: Given, secondPerson: SecondPerson): Promise<Given> {
  return { ...command, mandate: await secondPerson.sign(command.mandate) };
}

function runPeoplesCommand(command: PeoplesCommand, operations: Operations): Promise<unknown> {
  const { secondPerson } = operations;
  if (command.name === 'confirm') {
    return secondPerson.confirm(command.requestId, command.mandate, (confirmed) => carryOut(confirmed, operations));
  }
  if ('mandate' in command && secondPerson.isNeededFor(command)) return secondPerson.request(command, command.mandate);
  return carryOut(command, operations);
}

function carryOut(command: PeoplesCommand, { payments, stops, secondPerson, helpDesk }: Operations): Promise<unknown> {
  switch (command.name) {
    case 'held':
      return payments.findHeld();
    case 'stops':
      return stops.findStops();
    case 'stopped':
      return stops.findStopped();
    case 'requests':
      return secondPerson.findPending();
    case 'retry':
      return payments.retry(command.filePaymentId, command.mandate);
    case 'reject':
      return payments.reject(command.filePaymentId, command.mandate, command.isWithoutBank);
    case 'conclude':
      return payments.conclude(command.paymentId, command.status, command.mandate);
    case 'stop':
      return stops.stop(command);
    case 'continue':
      return stops.resume(command);
    case 'consents':
      return helpDesk.find(command.psuId);
    case 'end-access':
      return helpDesk.endAccess(command.psuId, command.consentId, command.mandate);
    case 'confirm':
      throw new TypeError('A confirmation needs no confirmation of its own.');
  }
}
