// `npm run configuration` writes deploy/cryptography.md. A comment beside the code names each use of an algorithm and a
// key: `@cryptography <algorithm> | <key> | <purpose>`, to the end of its paragraph. The declaration of a setting says how to rotate its
// key (`rotation`).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { readReaders, readSettings } from './write-configuration.mjs';

const root = resolve(import.meta.dirname, '..');
/** The programs of a bank, without the sandbox, the TPP's command line and the generators. */
const folders = ['libs', ...['authorize', 'token', 'api', 'worker', 'operator'].map((app) => `apps/${app}/src`)];
/** Reading certificates, comparing in constant time, and numbers that need not be secret. */
const harmless = new Set([
  'X509Certificate',
  'timingSafeEqual',
  'randomUUID',
  'createPrivateKey',
  'constants',
  'errors',
]);

/** @typedef {{ algorithm: string, key: string, purpose: string, path: string }} Use */

/** @returns {{ uses: Use[], untold: string[] }} every use in the code, and the files that do not declare theirs */
export function readCryptography() {
  const uses = [];
  const untold = [];
  for (const path of sources()) {
    const text = readFileSync(join(root, path), 'utf8');
    const joined = text.replaceAll(/\n *(?:\/\/|\*(?!\/)) (?!@)/g, ' ');
    const found = [...joined.matchAll(/@cryptography ([^|\n]+) \| ([^|\n]+) \| ((?:[^*\n]|\*(?!\/))+)/g)];
    for (const [, algorithm, key, purpose] of found) uses.push({ algorithm, key, purpose: purpose.trim(), path });
    const isUntold = found.length === 0 && doesCryptography(text, path);
    if (isUntold || found.length < text.split('@cryptography').length - 1) untold.push(path);
  }
  return { uses, untold };
}

/** @returns {string[]} */
function sources() {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.ts') && !/\.spec\.ts$|\/test\//.test(path))
    .sort();
}

/** Whether a file imports more than types and harmless names from a library of cryptography, or configures TLS. */
function doesCryptography(text, path) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  return (
    /\bminVersion:|\bcreateOutgoingAgent\(/.test(text) ||
    file.statements.filter(ts.isImportDeclaration).some(({ importClause, moduleSpecifier }) => {
      if (!/^(?:node:crypto|jose|@peculiar\/x509)$/.test(moduleSpecifier.text)) return false;
      const named = importClause?.namedBindings;
      if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword || named === undefined) return false;
      return (
        !ts.isNamedImports(named) || named.elements.some((each) => !each.isTypeOnly && !harmless.has(each.name.text))
      );
    })
  );
}

/** @returns {{ name: string, rotation: string, processes: string[] }[]} the settings that hold keys */
export function readKeys({ allSettings, settingsOfProcesses }) {
  const readers = readReaders(settingsOfProcesses);
  return readSettings(allSettings)
    .filter(({ rotation }) => rotation !== '')
    .map(({ name, rotation }) => ({
      name,
      rotation,
      processes: Object.entries(readers)
        .filter(([, names]) => names.includes(name))
        .map(([process]) => process),
    }));
}

/** @returns the page */
export function createCryptographyPage(settings) {
  const { uses } = readCryptography();
  const keys = readKeys(settings);
  const of = (name) => uses.filter(({ key }) => key.split(', ').includes(name));
  const keyLines = keys.map(({ name, rotation, processes }) => {
    const uses = [...new Set(of(name).map(({ algorithm }) => algorithm))].map((algorithm) => {
      const each = of(name).filter((use) => use.algorithm === algorithm);
      return `${algorithm}: ${each.map(({ purpose }) => purpose).join('; ')}.`;
    });
    return `- \`${name}\` (${processes.join(', ')}). ${uses.join(' ')} Rotation: ${rotation}.`;
  });
  const names = new Set(keys.map(({ name }) => name));
  const others = uses.filter(({ key }) => !key.split(', ').some((each) => names.has(each)));
  const otherLines = others.map(
    ({ algorithm, key, purpose, path }) =>
      `- ${algorithm}${key === 'none' ? '' : ` (${key})`}: ${purpose} (\`${path}\`)`,
  );
  return [
    '# Cryptography\n',
    'Every key, algorithm and hash of the service, its purpose, and who holds it. Generated from the code by `npm run configuration`.\n',
    '## Keys of the configuration\n',
    'A process reads each key from a file when it starts (`<NAME>_FILE`). No key is in the database, a log, a metric or a response. The audit',
    'trail records the ids and fingerprints with which each process runs (`keys.configure`). [keys.md](keys.md) has the steps of every rotation.\n',
    ...keyLines,
    '\n## Everything else\n',
    'Keys of other parties, keys that exist for one session or one process (in brackets), and hashes without a key.\n',
    ...otherLines,
    '',
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(
    join(root, 'deploy/cryptography.md'),
    createCryptographyPage(await import('../dist/apps/sandbox/src/all-settings.js')),
  );
}
