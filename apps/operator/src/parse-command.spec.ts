import { describe, expect, it } from '@jest/globals';
import { parseCommand } from './parse-command.js';

const id = '5f0c7c1e-9d3a-4d0e-8a55-0d9a4f1b7e21';

describe('parseCommand', () => {
  it.each([
    ['clients list', { name: 'list', filter: {} }],
    ['clients list --status Suspended', { name: 'list', filter: { status: 'Suspended' } }],
    [
      'clients list --org-id org --software-id software',
      { name: 'list', filter: { orgId: 'org', softwareId: 'software' } },
    ],
    [`clients history ${id}`, { name: 'history', clientId: id }],
    [`clients show ${id}`, { name: 'show', clientId: id }],
    [
      `clients suspend ${id} --by olivia --reason why`,
      { name: 'suspend', clientId: id, mandate: { actor: 'olivia', reason: 'why' } },
    ],
    ['events retry --by olivia', { name: 'retry-events', mandate: { actor: 'olivia' } }],
    ['payments held', { name: 'held' }],
    ['payments differences', { name: 'differences' }],
    ['payments reconcile --since 2026-11-20', { name: 'reconcile', since: new Date('2026-11-20T00:00:00Z') }],
    [
      'payments reconcile --since 2026-11-20T10:00:00+01:00',
      { name: 'reconcile', since: new Date('2026-11-20T09:00:00Z') },
    ],
    ['payments reconcile --since 7', { name: 'reconcile', since: 7 }],
    ['payments reconcile', { name: 'reconcile', since: 1 }],
    [`payments reconcile --payment-order ${id.toUpperCase()}`, { name: 'reconcile', filePaymentId: id }],
    [
      'statistics --from 2026-07-01 --to 2026-09-30 --csv',
      {
        name: 'statistics',
        from: '2026-07-01',
        to: '2026-09-30',
        prometheus: new URL('http://localhost:9090'),
        csv: 'areas',
      },
    ],
    [
      'statistics --from 2026-07-01 --to 2026-07-01 --prometheus http://localhost:1 --mi',
      {
        name: 'statistics',
        from: '2026-07-01',
        to: '2026-07-01',
        prometheus: new URL('http://localhost:1'),
        csv: 'endpoints',
      },
    ],
    ['consents --customer psu-1', { name: 'consents', psuId: 'psu-1' }],
    [
      `consents --customer psu-1 --end ${id} --reason why --by olivia`,
      { name: 'end-access', psuId: 'psu-1', consentId: id, mandate: { actor: 'olivia', reason: 'why' } },
    ],
    ['payments reconcile --listed batches', { name: 'reconcile', listed: 'batches' }],
    [
      `payments acknowledge ${id} --reason why --by olivia`,
      { name: 'acknowledge', id, mandate: { actor: 'olivia', reason: 'why' } },
    ],
    [
      'payments stop --all --reason fraud --by olivia',
      { name: 'stop', target: { scope: 'All', target: '' }, mandate: { actor: 'olivia', reason: 'fraud' } },
    ],
    [
      `payments resume --client ${id.toUpperCase()} --reason over`,
      { name: 'continue', target: { scope: 'Client', target: id } },
    ],
    ['payments stop --psu p-1 --reason x', { target: { scope: 'Psu', target: 'p-1' } }],
    [`payments reject ${id} --without-bank`, { name: 'reject', isWithoutBank: true }],
    [
      `payments reject ${id} --by olivia --reason why`,
      { name: 'reject', filePaymentId: id, mandate: { actor: 'olivia', reason: 'why' } },
    ],
    [
      `clients require-issuer-audience ${id} --by olivia`,
      { name: 'require-issuer-audience', clientId: id, mandate: { actor: 'olivia' } },
    ],
    [
      `payments conclude ${'a'.repeat(32)} Rejected --by olivia`,
      { name: 'conclude', paymentId: 'a'.repeat(32), status: 'Rejected', mandate: { actor: 'olivia' } },
    ],
    ['secrets re-encrypt --by olivia', { name: 're-encrypt', mandate: { actor: 'olivia' } }],
  ])('reads %j', async (line, command) => {
    expect(await parseCommand(line.split(' '))).toMatchObject({ command, format: 'json' });
  });

  it('says who acts: the account at the terminal, unless another name is given', async () => {
    expect(await parseCommand(['payments', 'confirm', id, '--by', ' Osc\u200bar'])).toMatchObject({
      command: { name: 'confirm', requestId: id, mandate: { actor: 'oscar' } },
    });
    expect(await parseCommand(['clients', 'remove', id])).toMatchObject({
      command: { mandate: { actor: expect.any(String) } },
    });
    expect(await parseCommand(['--env-file', 'a.env', 'clients', 'list'])).toMatchObject({ envFile: 'a.env' });
  });

  it.each([[['--help']], [['-h']], [['help']]])('names every command with %j', async (parameters) => {
    const { help } = (await parseCommand(parameters)) as { help: string };
    for (const command of ['clients list', 'clients suspend <client-id>', 'payments stop', 'audit verify']) {
      expect(help).toContain(`  ${command} `);
    }
  });

  it('explains one command, and does not carry it out', async () => {
    expect(await parseCommand(['clients', 'remove', id, '--help'])).toEqual({
      help: expect.stringContaining('Usage: npm run operator -- clients remove'),
    });
    expect(await parseCommand(['audit', '--help'])).toEqual({
      help: expect.stringMatching(/operator -- audit [^]*audit export .+[^]*audit verify /),
    });
  });

  it.each([
    [['audit', 'export', '--file', 'f'], { name: 'audit-export', file: 'f' }],
    [['audit', 'verify', '--keys', 'k'], { name: 'audit-verify', keys: 'k' }],
    [
      ['audit', 'verify', '--keys', 'k', '--file', 'f', '--head', `12:${'-'.repeat(43)}`],
      { name: 'audit-verify', keys: 'k', file: 'f', head: { number: 12, hash: '-'.repeat(43) } },
    ],
  ])('reads %j', async (parameters, command) => {
    expect(await parseCommand(parameters)).toEqual({ command, format: 'json', envFile: undefined });
  });

  it('prints a table if asked to', async () => {
    expect(await parseCommand(['clients', 'list', '--format', 'table'])).toMatchObject({ format: 'table' });
  });

  it.each([
    [['clients', 'list', '--format', 'xml']],
    [['payments', 'reconcile', '--since', 'yesterday']],
    [['payments', 'reconcile', '--since', '2026-02-31']],
    [['payments', 'reconcile', '--since', '2999-01-01']],
    [['payments', 'reconcile', '--since', '2026-11-20T10:00:00']],
    [['payments', 'reconcile', '--since', '-1']],
    [['payments', 'reconcile', '--since', '1', '--payment-order', id]],
    [['payments', 'reconcile', '--since', '1', '--listed', 'batches']],
    [['payments', 'reconcile', '--payment-order', id, '--listed', 'batches']],
    [['payments', 'reconcile', '--payment-order', 'it']],
    [['payments', 'reconcile', '--all']],
    [['payments', 'reconcile', id]],
    [['payments', 'held', '--since', '1']],
    [['clients', 'list', '--since', '1']],
    [['payments', 'differences', id]],
    [['payments', 'differences', '--since', '1']],
    [['payments', 'acknowledge', id]],
    [['payments', 'acknowledge', 'it', '--reason', 'why']],
    [['payments', 'stop', '--all']],
    [['payments', 'stop', '--reason', 'x']],
    [['payments', 'stop', '--all', '--psu', 'p', '--reason', 'x']],
    [['payments', 'stop', '--client', 'me', '--reason', 'x']],
    [['payments', 'stop', id, '--all', '--reason', 'x']],
    [['payments', 'confirm', 'it']],
    [['clients', 'list', '--all']],
    [['clients', 'suspend', id, '--reason', 'x'.repeat(501)]],
    [['clients', 'suspend', id, '--reason', 'two\nlines']],
    [['clients', 'suspend', id, '--by', ' ']],
    [['clients', 'suspend', id, '--by', '\u200b']],
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
    [['audit', 'verify']],
    [['audit', 'verify', '--keys', 'k', '--head', '12']],
    [['audit', 'export', '--file', 'f', 'surplus']],
    [['payments', 'stop', '--payment-order', id, '--psu', 'p', '--reason', 'x']],
  ])('answers %j with the usage', async (parameters) => {
    await expect(parseCommand(parameters)).rejects.toThrow(
      expect.objectContaining({
        name: 'CommandLineError',
        message: expect.stringContaining('Usage: npm run operator'),
      }),
    );
  });
});
