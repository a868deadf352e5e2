import { describe, expect, it } from '@jest/globals';
import { parseCommand } from './parse-command.js';

const id = '5f0c7c1e-9d3a-4d0e-8a55-0d9a4f1b7e21';

describe('parseCommand', () => {
  it.each([
    [['clients', 'list'], { name: 'list' }],
    [['clients', 'list', '--status', 'Suspended'], { name: 'list', status: 'Suspended' }],
    [['clients', 'show', id], { name: 'show', clientId: id }],
    [
      ['clients', 'suspend', id, '--by', 'olivia', '--reason', 'why'],
      { name: 'suspend', clientId: id, mandate: { actor: 'olivia', reason: 'why' } },
    ],
    [['secrets', 're-encrypt', '--by', 'olivia'], { name: 're-encrypt', mandate: { actor: 'olivia' } }],
  ])('reads %j', (parameters, command) => {
    expect(parseCommand(parameters).command).toEqual(command);
  });

  it('says who acts: the account at the terminal, unless another name is given', () => {
    expect(parseCommand(['clients', 'remove', id]).command).toMatchObject({ mandate: { actor: expect.any(String) } });
    expect(parseCommand(['--env-file', 'a.env', 'clients', 'list']).envFile).toBe('a.env');
  });

  it.each([[[]], [['clients', 'show']], [['clients', 'show', 'x']], [['clients', 'drop', id]], [['--wrong']]])(
    'answers %j with the usage',
    (parameters) => {
      expect(() => parseCommand(parameters)).toThrow(/Usage: npm run operator/);
    },
  );
});
