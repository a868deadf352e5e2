// Writes deploy/configuration.md from libs/config/src/environment.dto.ts: `npm run configuration`; with --check it only says whether
// the page is right.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'libs/config/src/environment.dto.ts');
const page = join(root, 'deploy/configuration.md');

/**
 * @typedef {{ name: string, section: string, meaning: string, values: string, default: string, isRequired: boolean,
 *   isSecret: boolean, mayBeFile: boolean }} Setting
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
  const comment = ts.getJSDocCommentsAndTags(member).map((entry) => ts.getTextOfJSDocComment(entry.comment) ?? '');
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
  };
}

function defaultOf(initializer) {
  if (initializer === undefined) return '';
  return ts.isStringLiteral(initializer) ? initializer.text : initializer.getText().replaceAll('_', '');
}

/** What a value may be, from its rules. */
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
  if (rules.includes('@IsPostgresUrl')) return 'postgres:// address';
  return 'text';
}

/** @returns {string} the page */
export function createPage(settings = readSettings()) {
  const sections = [...new Set(settings.map(({ section }) => section))];
  const lines = [
    '# Configuration',
    '',
    'Written from `libs/config/src/environment.dto.ts` by `npm run configuration`; do not edit it here.',
    '',
    'Every process reads its settings from the environment once, when it starts, and names everything that is missing or wrong in one',
    'message. A setting marked *file* may be given as `<NAME>_FILE` instead, the path of a file that holds the value: use that for',
    'whatever is marked *secret*.',
  ];
  for (const section of sections) {
    lines.push('', `## ${section[0].toUpperCase()}${section.slice(1)}`, '');
    const rows = [['setting', 'meaning', 'values', 'default', '']];
    for (const setting of settings.filter((each) => each.section === section)) {
      const marks = [setting.isSecret && 'secret', setting.mayBeFile && 'file'].filter(Boolean).join(', ');
      const standard = setting.isRequired
        ? '**must be set**'
        : setting.default === ''
          ? 'none'
          : `\`${setting.default}\``;
      rows.push([`\`${setting.name}\``, setting.meaning, setting.values, standard, marks].map(escape));
    }
    lines.push(...table(rows));
  }
  return `${lines.join('\n')}\n`;
}

const escape = (text) => text.replaceAll('|', '\\|');

/** As the formatter of this repository has it: columns of one width. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(rows[0]), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.slice(1).map(line)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = createPage();
  if (!process.argv.includes('--check')) writeFileSync(page, text);
  else if (readFileSync(page, 'utf8') !== text) {
    process.stderr.write('deploy/configuration.md is not what the code says: run npm run configuration.\n');
    process.exitCode = 1;
  }
}
