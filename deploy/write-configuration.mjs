// `npm run configuration` writes deploy/configuration.md and libs/config/src/settings-of-processes.ts from
// libs/config/src/environment.dto.ts and from the code that each program reaches; with --check it only says whether
// they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { findWhatProcessesUse, programs } from './what-processes-use.mjs';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'libs/config/src/environment.dto.ts');
const page = join(root, 'deploy/configuration.md');
const configSource = join(root, 'libs/config/src/create-config.ts');
const settingsOfProcessesFile = join(root, 'libs/config/src/settings-of-processes.ts');
/** Settings that only the construction of the configuration reads. */
const readByAll = ['DATABASE_TLS', 'STRICT'];

/**
 * @typedef {{ name: string, section: string, meaning: string, values: string, default: string, isRequired: boolean,
 *   isSecret: boolean, mayBeFile: boolean, rotation: string }} Setting
 */

/** @returns {Setting[]} every setting of the service, in the order of its declaration */
export function readSettings() {
  const text = readFileSync(source, 'utf8');
  const file = ts.createSourceFile(source, text, ts.ScriptTarget.ES2023, true);
  const declaration = file.statements.find(ts.isClassDeclaration);
  let section = '';
  return (declaration?.members ?? []).filter(ts.isPropertyDeclaration).map((member) => {
    const before = text.slice(member.getFullStart(), member.getStart());
    section = /\/\/ --- (.+?) -+\n/.exec(before)?.[1] ?? section;
    return toSetting(member, section);
  });
}

/** @returns {Setting} */
function toSetting(member, section) {
  const comment = ts
    .getJSDocCommentsAndTags(member)
    .filter(ts.isJSDoc)
    .map((entry) => ts.getTextOfJSDocComment(entry.comment) ?? '');
  const words = comment.join(' ').replace(/\s+/g, ' ').trim();
  if (words === '')
    throw new Error(`${member.name.getText()} has no comment: say what it means, its unit and its default.`);
  const decorators = (ts.getDecorators(member) ?? []).map((decorator) => decorator.getText());
  return {
    name: member.name.getText(),
    section,
    meaning: words.replace(/ ?(?:Default: .+?\.(?= |$)|Secret\.|May come from a file\.)/g, '').trim(),
    values: valuesOf(decorators.join(' ').replace(/(?<=\d)_(?=\d)/g, '')),
    default: defaultOf(member.initializer),
    isRequired: member.exclamationToken !== undefined,
    isSecret: /\bSecret\./.test(words),
    mayBeFile: /May come from a file\./.test(words),
    rotation: rotationOf(member),
  };
}

/** How to rotate a key (`@rotation`); empty for other settings. */
function rotationOf(member) {
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'rotation');
  return (ts.getTextOfJSDocComment(tag?.comment) ?? '').replace(/\s+/g, ' ').trim();
}

function defaultOf(initializer) {
  if (initializer === undefined) return '';
  return ts.isStringLiteral(initializer) ? initializer.text : initializer.getText().replaceAll('_', '');
}

/** The permitted values, from the rules of the setting. */
function valuesOf(rules) {
  const [, words] = /@IsIn\(\[([^\]]+)\]\)/.exec(rules) ?? [];
  if (words !== undefined)
    return words
      .replaceAll("'", '')
      .split(',')
      .map((word) => `\`${word.trim()}\``)
      .join(', ');
  if (rules.includes('@IsBoolean')) return '`true`, `false`';
  if (rules.includes('@IsRetention')) return '0, or 366 to 36500';
  const [, least] = /@Min\((\d+)\)/.exec(rules) ?? [];
  const [, most] = /@Max\((\d+)\)/.exec(rules) ?? [];
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (rules.includes('@IsHttpsUrl')) return 'https:// address';
  if (rules.includes('@IsAddressList')) return 'addresses, ranges';
  if (rules.includes('@IsPostgresUrl')) return 'postgres:// address';
  return '';
}

/**
 * @returns {Record<string, string[]>} the settings that each value of Config is made of, by its path
 * (`tls.certificate`)
 */
export function readValues(names = readSettings().map(({ name }) => name)) {
  const text = readFileSync(configSource, 'utf8');
  const file = ts.createSourceFile(configSource, text, ts.ScriptTarget.ES2023, true);
  const declared = new Map();
  const values = {};
  /** Settings in an expression, and in everything in this file that it refers to. */
  const settingsIn = (node, seen = new Set()) => {
    const found = new Set();
    const visit = (each) => {
      if (ts.isIdentifier(each)) {
        const name = each.text.replace(/[A-Z]/g, '_$&').toUpperCase();
        if (names.includes(each.text)) found.add(each.text);
        else if (
          ts.isPropertyAccessExpression(each.parent) &&
          each.parent.expression.getText() === 'parts' &&
          names.includes(name)
        )
          found.add(name);
        const declaration = declared.get(each.text);
        const isMember = ts.isPropertyAccessExpression(each.parent) && each.parent.name === each;
        if (declaration !== undefined && !isMember && !ts.isPropertyAssignment(each.parent) && !seen.has(declaration)) {
          for (const setting of settingsIn(declaration, new Set([...seen, declaration]))) found.add(setting);
        } else if (
          declaration !== undefined &&
          !isMember &&
          ts.isPropertyAssignment(each.parent) &&
          each.parent.initializer === each
        ) {
          for (const setting of settingsIn(declaration, new Set([...seen, declaration]))) found.add(setting);
        }
      }
      ts.forEachChild(each, visit);
    };
    visit(node);
    return found;
  };
  const note = (object, path, outer) => {
    for (const property of object.properties) {
      if (ts.isSpreadAssignment(property)) {
        const conditional = unwrap(property.expression);
        for (const branch of [conditional.whenTrue, conditional.whenFalse].map(unwrap))
          note(branch, path, settingsIn(conditional.condition));
        continue;
      }
      const here = [...path, property.name.getText()];
      const value = ts.isPropertyAssignment(property) ? unwrap(property.initializer) : property.name;
      const branches = ts.isConditionalExpression(value) ? [value.whenTrue, value.whenFalse].map(unwrap) : [value];
      if (here.length < 2 && branches.every(ts.isObjectLiteralExpression))
        for (const branch of branches) note(branch, here, outer);
      else if (here.join('.') !== 'weakenings' && here.join('.') !== 'reads') {
        values[here.join('.')] = [...new Set([...outer, ...settingsIn(value)])].sort();
      }
    }
  };
  const visit = (node) => {
    const isNamed = ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node);
    if (isNamed && ts.isIdentifier(node.name) && node.name.text !== 'createConfig') declared.set(node.name.text, node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const find = (node) => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'Config') note(node.arguments[0], [], []);
    ts.forEachChild(node, find);
  };
  find(file);
  return values;
}

const unwrap = (node) => (ts.isParenthesizedExpression(node) ? unwrap(node.expression) : node);

/** @returns {Record<string, string[]>} the settings of each process, in the order of their declaration */
export function readReaders(settings = readSettings(), uses = findWhatProcessesUse()) {
  const values = readValues(settings.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(uses).map(([process, { leaves }]) => {
      const read = new Set([...readByAll, ...leaves.flatMap((leaf) => values[leaf] ?? [])]);
      return [process, settings.map(({ name }) => name).filter((name) => read.has(name))];
    }),
  );
}

const linesOf = (entries) =>
  Object.entries(entries).map(([name, settings]) => `  ${quote(name)}: ${list(name, settings)},`);

/** @returns {string} the source that lists the settings of each process */
export function createProcessTable(readers = readReaders(), values = readValues()) {
  return [
    '// Written by `npm run configuration` from what each program reaches; do not edit it here.',
    '',
    '/** The settings that each process reads: the others it neither demands nor looks at. */',
    'export const settingsOfProcesses = {',
    ...linesOf(readers),
    '} as const;',
    '',
    '/** The settings that each value of Config is made of. */',
    'export const settingsOfValues: Readonly<Record<string, readonly string[]>> = {',
    ...linesOf(values),
    '};',
    '',
  ].join('\n');
}

const quote = (name) => (/^\w+$/.test(name) ? name : `'${name}'`);

/** As this repository's formatter writes it. */
function list(of, settings) {
  const whole = `[${settings.map((name) => `'${name}'`).join(', ')}]`;
  return `  ${quote(of)}: ${whole},`.length <= 120
    ? whole
    : `[\n${settings.map((name) => `    '${name}',\n`).join('')}  ]`;
}

/** Whether a process refuses to start without a setting. */
export const isDemanded = (setting, process) =>
  setting.isRequired && !(process === 'worker' && ['TLS_CERTIFICATE', 'TLS_PRIVATE_KEY'].includes(setting.name));

/** @returns {string[]} lines that list the secrets of each process */
function secretsOf(settings, readers) {
  const rows = settings.filter(({ isSecret }) => isSecret).map((each) => [`\`${each.name}\``, readBy(each, readers)]);
  return table([['secret', 'processes'], ...rows]);
}

/** @returns {string} the processes that read a setting */
function readBy({ name }, readers) {
  const own = Object.keys(programs).filter((process) => readers[process].includes(name));
  return own.length === Object.keys(programs).length ? 'all' : own.length === 0 ? 'nobody' : own.join(', ');
}

/** @returns {string} the page */
export function createPage(settings = readSettings(), readers = readReaders(settings)) {
  const sections = [...new Set(settings.map(({ section }) => section))];
  const lines = [
    '# Configuration',
    '',
    'Generated from `libs/config/src/environment.dto.ts` by `npm run configuration`; do not edit this page.',
    '',
    'Every process reads its settings from the environment once, when it starts. It lists every missing or invalid setting and exits. A setting',
    'marked *file* can be given as `<NAME>_FILE` instead: the path of a file that holds the value. Use a file for every setting marked *secret*.',
    'A process reads only its own settings (*read by*); others may be set too. A setting without a default may be left out unless it is',
    '**required**. Give each process only its own secrets:',
    '',
    ...secretsOf(settings, readers),
    '',
    'The worker needs `TLS_CERTIFICATE` and `TLS_PRIVATE_KEY` only with `ADMIN_TLS`. Give authorize, token and api client certificates that the',
    'bank does not accept for payments. Migrations, `housekeeping` and the `audit` commands read only `DATABASE_URL` and `DATABASE_TLS`.',
  ];
  for (const section of sections) {
    lines.push('', `## ${section[0].toUpperCase()}${section.slice(1)}`, '');
    const rows = [['setting', 'meaning', 'values', 'default', 'read by']];
    for (const setting of settings.filter((each) => each.section === section)) {
      const values = [setting.values, setting.isSecret && '*secret*', setting.mayBeFile && '*file*'].filter(Boolean);
      const standard = setting.isRequired ? '**required**' : setting.default === '' ? '' : `\`${setting.default}\``;
      rows.push(
        [`\`${setting.name}\``, setting.meaning, values.join(', '), standard, readBy(setting, readers)].map(escape),
      );
    }
    lines.push(...table(rows));
  }
  return `${lines.join('\n')}\n`;
}

const escape = (text) => text.replaceAll('|', '\\|');

/** As this repository's formatter writes it: columns of one width. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(rows[0]), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.slice(1).map(line)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const readers = readReaders();
  const texts = new Map([
    [page, createPage(undefined, readers)],
    [settingsOfProcessesFile, createProcessTable(readers)],
  ]);
  for (const [path, text] of texts) {
    if (!process.argv.includes('--check')) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) {
      process.stderr.write(`${path} is not what the code says: run npm run configuration.\n`);
      process.exitCode = 1;
    }
  }
}
