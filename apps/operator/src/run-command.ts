import type { ClientOperations } from './client-operations.service.js';
import type { Command } from './parse-command.js';
import type { PaymentOperations } from './payment-operations.service.js';

/**
 * Carries a command out.
 * @returns what is printed
 * @throws OperatorError when it cannot be carried out
 */
export function runCommand(
  command: Command,
  operations: ClientOperations,
  payments: PaymentOperations,
): Promise<unknown> {
  switch (command.name) {
    case 'list':
      return operations.list(command.filter);
    case 'show':
      return operations.show(command.clientId);
    case 'history':
      return operations.history(command.clientId);
    case 'suspend':
      return operations.suspend(command.clientId, command.mandate);
    case 'resume':
      return operations.resume(command.clientId, command.mandate);
    case 'remove':
      return operations.remove(command.clientId, command.mandate);
    case 'rotate-secret':
      return operations.rotateSecret(command.clientId, command.mandate);
    case 'require-issuer-audience':
      return operations.requireIssuerAudience(command.clientId, command.mandate);
    case 'accept-older-audiences':
      return operations.acceptOlderAudiences(command.clientId, command.mandate);
    case 'held':
      return payments.findHeld();
    case 'retry':
    case 'reject':
      return payments.decide(command.name, command.filePaymentId, command.mandate);
    case 'conclude':
      return payments.conclude(command.paymentId, command.status, command.mandate);
    case 're-encrypt':
      return operations.reEncryptSecrets(command.mandate);
  }
}
