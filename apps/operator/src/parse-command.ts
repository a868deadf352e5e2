import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { ClientStatus } from '#libs/client-registration';
import type { Mandate } from './client-operations.service.js';
import { OperatorError } from './operator-error.js';

/** What the person at the terminal wants. */
export type Command =
  | { name: 'list'; status?: ClientStatus }
  | { name: 'show'; clientId: string }
  | { name: 'suspend' | 'resume' | 'remove' | 'rotate-secret'; clientId: string; mandate: Mandate }
  | { name: 're-encrypt'; mandate: Mandate };

export const usage = `Usage: npm run operator -- [--env-file FILE] COMMAND [--by NAME] [--reason TEXT]
  clients list [--status Active|Suspended|Deleted]
  clients show|suspend|resume|remove|rotate-secret CLIENT_ID
  secrets re-encrypt`;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @param parameters of the command line
 * @returns the command, and the file to read the environment from
 * @throws OperatorError with the usage
 */
export function parseCommand(parameters: string[]): { command: Command; envFile?: string | undefined } {
  const { positionals, values } = parseParameters(parameters);
  const mandate = { actor: values.by ?? userInfo().username, reason: values.reason };
  return { command: toCommand(positionals, values.status, mandate), envFile: values['env-file'] };
}

function toCommand([area, name, clientId, ...rest]: string[], status: string | undefined, mandate: Mandate): Command {
  if (rest.length > 0) throw new OperatorError(usage);
  if (area === 'secrets' && name === 're-encrypt' && clientId === undefined) return { name, mandate };
  if (area !== 'clients') throw new OperatorError(usage);
  if (name === 'list' && clientId === undefined) {
    return { name, ...(status === undefined ? {} : { status: toStatus(status) }) };
  }
  if (clientId === undefined || !uuid.test(clientId)) throw new OperatorError(usage);
  switch (name) {
    case 'show':
      return { name, clientId };
    case 'suspend':
    case 'resume':
    case 'remove':
    case 'rotate-secret':
      return { name, clientId, mandate };
    default:
      throw new OperatorError(usage);
  }
}

function toStatus(text: string): ClientStatus {
  if (text === 'Active' || text === 'Suspended' || text === 'Deleted') return text;
  throw new OperatorError(usage);
}

interface Values {
  status?: string | undefined;
  by?: string | undefined;
  reason?: string | undefined;
  'env-file'?: string | undefined;
}

function parseParameters(parameters: string[]): { positionals: string[]; values: Values } {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { status: option, by: option, reason: option, 'env-file': option },
    });
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : String(error)}\n${usage}`, { cause: error });
  }
}
