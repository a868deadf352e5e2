import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const execute = promisify(execFile);
const obp = resolve('dist/apps/obp/src/main.js');
const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const isWithout = (['bash', 'zsh', 'fish'] as const).filter((shell) => !has(shell));
if (isWithout.length > 0) console.log(`Completion was not tested in ${isWithout.join(', ')}: not found.`);

/** Loads the completion twice, as a shell within a shell does; then completes the words. */
const inBash = `
. ./script.bash; . ./script.bash
complete -p obp
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_obp obp
printf '%s\\n' "\${COMPREPLY[@]}"
`;

const inFish = `
source script.fish; source script.fish
complete --do-complete "$argv[1]"
`;

/** Types the line and Tab into a terminal of its own, and reads until what is awaited stands there. */
const inZsh = `
zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal "autoload -U compinit; compinit -u -D; source script.zsh; source script.zsh; echo RE''ADY"
await() {
  local part all= 
  for i in {1..600}; do
    while zpty -r -t terminal part; do all+=$part; done
    [[ $all == *$1* ]] && return 0
    sleep 0.1
  done
  print -r -- "$all"; return 1
}
await READY
zpty -w -n terminal "$1"$'\\t'
await "$2" && echo completed
`;

describe('a shell that has loaded what obp prints', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'completion-'));
    await writeFile(join(folder, 'obp'), `#!/bin/sh\nexec '${process.execPath}' '${obp}' "$@"\n`);
    await chmod(join(folder, 'obp'), 0o755);
    await writeFile(join(folder, 'payees.csv'), '');
    for (const shell of ['bash', 'zsh', 'fish']) {
      await writeFile(join(folder, `script.${shell}`), (await ask('obp', 'complete', shell)).join('\n'));
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function ask(command: string, ...parameters: string[]): Promise<string[]> {
    const env = { PATH: [folder, process.env['PATH']].join(delimiter), HOME: folder, TERM: 'xterm' };
    const { stdout } = await execute(command, parameters, { env, cwd: folder, timeout: 240_000 });
    return stdout.split('\n').filter((line) => line !== '');
  }

  (has('bash') ? it : it.skip).each([
    [
      ['tpp', 're'],
      ['register', 'report'],
    ],
    [['operator', 'payments', 'reject', '--with'], ['--without-bank']],
    [['sandbox', 'fault', 'set', 'TPP One', 'gate'], ['gateway-timeout']],
    [['convert', 'a.csv', '--from', '=', 'c'], ['csv']],
    [['tpp', 'consent', '$(touch ran)', 'pay'], []],
  ])('bash completes %j, and runs nothing of it', async (words, expected) => {
    const [registered, ...found] = await ask('bash', '--norc', '-c', inBash, 'bash', 'obp', ...words);
    // Readline offers files where the function offers nothing.
    expect(registered).toMatch(/-o default.* -F _obp obp$/);
    expect(found).toEqual(expected);
    expect(await ask('ls')).not.toContain('ran');
  });

  (has('fish') ? it : it.skip).each([
    ['obp tpp reg', 'register'],
    ['obp sandbox fault set "TPP One" gate', 'gateway-timeout'],
    ['obp convert pay', 'payees.csv'],
  ])('fish completes %s', async (line, expected) => {
    const found = await ask('fish', '--no-config', '-c', inFish, line);
    expect(found.map((each) => each.split('\t')[0])).toEqual([expected]);
  });

  (has('zsh') ? it : it.skip).each([
    ['obp tpp re', 'report'],
    ['obp operator payments reject --with', '--without-bank'],
    ['obp convert pay', 'ees.csv'],
  ])('zsh completes %s', async (line, expected) => {
    expect(await ask('zsh', '-f', '-c', inZsh, 'zsh', line, expected)).toEqual(['completed']);
  });
});
