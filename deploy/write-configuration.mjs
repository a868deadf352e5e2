// `npm run configuration` writes deploy/configuration.md and the names of all settings from the values that the libs
// declare (`*.settings.ts`) and that each process takes. It needs a build.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const page = join(root, 'deploy/configuration.md');
const names = join(root, 'libs/config/src/setting-names.ts');

/**
 * @typedef {{ name: string, section: string, meaning: string, values: string, default: string, defaults: string, isRequired: boolean,
 *   isSecret: boolean, mayBeFile: boolean, rotation: string }} Setting
 */

const settingsIn = (taken) =>
  taken.flatMap(({ group, members }) =>
    members.flatMap((name) => group.members[name].settings.map((each) => [group, each])),
  );

/** @returns {Setting[]} the settings among values, in their order */
export function readSettings(taken) {
  const settings = new Map();
  for (const [group, each] of settingsIn(taken)) {
    if (each.isConstant || each.isOfLibrary || settings.has(each.name)) continue;
    settings.set(each.name, {
      name: each.name,
      section: group.title,
      meaning: each.text,
      values: each.format.values,
      default: each.default ?? '',
      defaults: each.defaults ?? (each.default ? `\`${each.default}\`` : ''),
      isRequired: each.default === undefined && !each.optional,
      isSecret: each.secret === true,
      mayBeFile: each.file === true,
      rotation: each.rotation ?? '',
    });
  }
  return [...settings.values()];
}

/** @returns {Record<string, string[]>} the settings of each process; `ownSettings` are those of all */
export function readReaders(settingsOfProcesses) {
  return Object.fromEntries(
    Object.entries(settingsOfProcesses).map(([process, taken]) => [
      process,
      ['STRICT', ...readSettings(taken).map(({ name }) => name)],
    ]),
  );
}

/** @returns {string} the source that lists all names, for `findUnknownVariables` */
export function createNames(settings) {
  const lines =
    settings
      .map(({ name }) => name)
      .toSorted()
      .join(' ')
      .match(/.{1,110}(?: |$)/g) ?? [];
  return [
    '// Written by `npm run configuration`: the settings of all processes, so that each recognises unknown ones.',
    'export const settingNames: readonly string[] = `',
    ...lines.map((line) => `  ${line.trim()}`),
    '`',
    '  .trim()',
    '  .split(/\\s+/);',
    '',
  ].join('\n');
}

/** Settings that a process demands only under a condition (`when`). */
const isConditional = ({ name }, process) =>
  process === 'worker' && ['TLS_CERTIFICATE', 'TLS_PRIVATE_KEY'].includes(name);

/** Whether a process refuses to start without a setting. */
export const isDemanded = (setting, process) => setting.isRequired && !isConditional(setting, process);

/** @returns {string} the processes that read a setting */
function readBy({ name }, readers) {
  const own = Object.keys(readers).filter((process) => readers[process].includes(name));
  return own.length === Object.keys(readers).length ? 'all processes' : own.length === 0 ? 'nobody' : own.join(', ');
}

/** @returns {string} the page */
export function createPage(settings, readers) {
  const sections = [...new Set(settings.map(({ section }) => section))];
  const lines = [
    '# Configuration',
    '',
    'Generated from the declarations in the sources (`*.settings.ts`) by `npm run configuration`; do not edit this page.',
    '',
    'Every process reads its own settings from the environment once, when it starts. It lists every missing or invalid setting and exits. A',
    'setting marked _file_ or _secret_ can be given as `<NAME>_FILE` instead: the path of a file that holds the value. Use a file for every',
    'secret, and give each process only its own. A setting without a default may be left out unless it is **required**.',
    '',
    'The worker needs `TLS_CERTIFICATE` and `TLS_PRIVATE_KEY` only with `ADMIN_TRUST_ANCHORS`. Give authorize, token and api client certificates that the',
    'bank does not accept for payments. Migrations, `housekeeping` and the `audit` commands read only `DATABASE_URL` and `DATABASE_TLS`.',
  ];
  for (const section of sections) {
    const settingsHere = settings.filter((each) => each.section === section);
    const readersHere = mostFrequent(settingsHere.map((setting) => readBy(setting, readers)));
    lines.push('', `## ${section[0].toUpperCase()}${section.slice(1)}`, '', `Read by ${readersHere}.`, '');
    for (const setting of settingsHere) {
      const facts = [
        setting.isRequired && '**required**',
        setting.values !== '`true`, `false`' && setting.values,
        setting.isSecret ? '_secret_' : setting.mayBeFile && '_file_',
        !setting.isRequired && setting.defaults && `default ${setting.defaults}`,
      ].filter(Boolean);
      const own = readBy(setting, readers);
      const meaning = own === readersHere ? setting.meaning : `${setting.meaning} Read by ${own}.`;
      lines.push(`- \`${setting.name}\`${facts.length > 0 ? ` (${facts.join('; ')})` : ''}: ${meaning}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** @returns {string} the one that occurs most often, the first of several */
function mostFrequent(texts) {
  const count = (text) => texts.filter((each) => each === text).length;
  return texts.reduce((best, text) => (count(text) > count(best) ? text : best));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { allSettings, settingsOfProcesses } = await import('../dist/apps/sandbox/src/all-settings.js');
  const settings = readSettings(allSettings);
  writeFileSync(page, createPage(settings, readReaders(settingsOfProcesses)));
  writeFileSync(names, createNames(settings));
}
