import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readDirectives } from './directives.js';
import { haproxyRows, nginxStreamRows } from './pass-through-removals.js';
import { readConfiguration, type Form } from './proxy.js';
import { describeRow, directivesOf, type Row } from './removals.js';
import { nginxTerminatingRows } from './terminating-removals.js';

// Each line added to an ingress must be listed with what it protects, or as protecting nothing.

describe.each<{ form: Form; rows: readonly Row[] }>([
  { form: 'haproxy-pass-through', rows: haproxyRows },
  { form: 'nginx-pass-through', rows: nginxStreamRows },
  { form: 'nginx-terminating', rows: nginxTerminatingRows },
])('the list of protections of $form', ({ form, rows }) => {
  it('has every directive of the configuration once', async () => {
    const directives = readDirectives(form, await readConfiguration(form));
    expect(directives.length).toBeGreaterThan(20);
    const unlisted = directives.filter((directive) => !rows.some((row) => directivesOf(row, [directive]).length > 0));
    expect(unlisted.map(({ where, text }) => `${where} > ${text}`)).toEqual([]);
    const torn = directives.filter((directive) => {
      const about = rows.filter((row) => directivesOf(row, [directive]).length > 0);
      return about.some((row) => 'because' in row) && about.some((row) => !('because' in row));
    });
    expect(torn.map(({ where, text }) => `${where} > ${text}`)).toEqual([]);
  });

  it('has only existing directives, and names each protection separately', async () => {
    const directives = readDirectives(form, await readConfiguration(form));
    const counts = rows.map((row) => ({ row, count: directivesOf(row, directives).length }));
    expect(counts.filter(({ count }) => count === 0).map(({ row }) => describeRow(row))).toEqual([]);
    const vague = counts.filter(({ row, count }) => !('because' in row) && count !== 1);
    expect(vague.map(({ row }) => describeRow(row))).toEqual([]);
  });
});

describe.each<{ form: Form }>([{ form: 'nginx-pass-through' }, { form: 'nginx-terminating' }])(
  'the shipped configuration $form',
  ({ form }) => {
    it('may open a file for each connection, which Debian’s limit of 1024 does not allow', async () => {
      const text = await readConfiguration(form);
      const numberOf = (directive: string): number => Number(new RegExp(`${directive} (\\d+);`).exec(text)?.[1]);
      expect(numberOf('worker_rlimit_nofile')).toBeGreaterThan(numberOf('worker_connections') + 100);
    });
  },
);

const haproxy = '/usr/sbin/haproxy';

(existsSync(haproxy) ? describe : describe.skip)('the shipped HAProxy configuration', () => {
  it('starts while the names of its instances do not resolve', () => {
    const checked = spawnSync(haproxy, ['-c', '-f', 'deploy/ingress/pass-through/haproxy.cfg'], { encoding: 'utf8' });
    expect(checked.stderr).toContain("could not resolve address 'authorize-1.internal', disabling server");
    expect({ status: checked.status, output: checked.stdout }).toEqual({
      status: 0,
      output: expect.stringContaining('Configuration file is valid'),
    });
  });
});
