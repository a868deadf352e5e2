import { describe, expect, it } from '@jest/globals';
import { parseCommand, usage } from './parse-command.js';

const id = '5f0c7c1e-9d3a-4d0e-8a55-0d9a4f1b7e21';

describe('parseCommand', () => {
  it.each([
    [['clients', 'list'], { name: 'list', filter: {} }],
    [['clients', 'list', '--status', 'Suspended'], { name: 'list', filter: { status: 'Suspended' } }],
    [
      ['clients', 'list', '--org-id', 'org', '--software-id', 'software'],
      { name: 'list', filter: { orgId: 'org', softwareId: 'software' } },
    ],
    [['clients', 'history', id], { name: 'history', clientId: id }],
    [['clients', 'show', id], { name: 'show', clientId: id }],
    [
      ['clients', 'suspend', id, '--by', 'olivia', '--reason', 'why'],
      { name: 'suspend', clientId: id, mandate: { actor: 'olivia', reason: 'why' } },
    ],
    [['payments', 'held'], { name: 'held' }],
    [
      ['payments', 'reject', id, '--by', 'olivia', '--reason', 'why'],
      { name: 'reject', filePaymentId: id, mandate: { actor: 'olivia', reason: 'why' } },
    ],
    [
      ['clients', 'require-issuer-audience', id, '--by', 'olivia'],
      { name: 'require-issuer-audience', clientId: id, mandate: { actor: 'olivia' } },
    ],
    [
      ['payments', 'conclude', 'a'.repeat(32), 'Rejected', '--by', 'olivia'],
      { name: 'conclude', paymentId: 'a'.repeat(32), status: 'Rejected', mandate: { actor: 'olivia' } },
    ],
    [['secrets', 're-encrypt', '--by', 'olivia'], { name: 're-encrypt', mandate: { actor: 'olivia' } }],
  ])('reads %j', (parameters, command) => {
    expect(parseCommand(parameters)).toMatchObject({ command, format: 'json' });
  });

  it('says who acts: the account at the terminal, unless another name is given', () => {
    expect(parseCommand(['clients', 'remove', id])).toMatchObject({
      command: { mandate: { actor: expect.any(String) } },
    });
    expect(parseCommand(['--env-file', 'a.env', 'clients', 'list'])).toMatchObject({ envFile: 'a.env' });
  });

  it.each([[['--help']], [['-h']], [['help']], [['clients', 'remove', id, '--help']]])(
    'helps with %j',
    (parameters) => {
      expect(parseCommand(parameters)).toEqual({ help: usage });
    },
  );

  it('prints a table where one is wanted', () => {
    expect(parseCommand(['clients', 'list', '--format', 'table'])).toMatchObject({ format: 'table' });
  });

  it.each([
    [['clients', 'list', '--format', 'xml']],
    [['clients', 'suspend', id, '--reason', 'x'.repeat(501)]],
    [['clients', 'suspend', id, '--reason', 'two\nlines']],
    [['clients', 'suspend', id, '--by', ' ']],
    [[]],
    [['clients', 'show']],
    [['clients', 'show', 'x']],
    [['clients', 'drop', id]],
    [['payments', 'drop', id]],
    [['payments', 'retry']],
    [['payments', 'conclude', 'a'.repeat(32)]],
    [['payments', 'conclude', 'a'.repeat(32), 'Pending']],
    [['payments', 'conclude', id, 'Rejected']],
    [['payments', 'conclude', 'a'.repeat(32), 'Rejected', 'x']],
    [['--wrong']],
  ])('answers %j with the usage', (parameters) => {
    expect(() => parseCommand(parameters)).toThrow(
      expect.objectContaining({ message: expect.stringContaining('Usage: npm run operator'), exitCode: 2 }),
    );
  });
});
