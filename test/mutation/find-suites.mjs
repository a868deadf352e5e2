import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { placeInRing, longSuites } from '../support/long-suites.mjs';

const isSuite = /\.(?:spec|int-spec|e2e-spec)\.ts$/;
const isUnit = /^(?:apps|libs)\/.*\.spec\.ts$|^test\/architecture\//;
/** Of records and of the tests themselves: no fault of a source changes what they find. */
const isOfTests = (path) => /^test\/(?:corpus\/statements|e2e\/authorization\/module-names|e2e\/chaos\/)/.test(path);
/** Each operation of the payments API, member by member and header by header: what it sends is sent nowhere again. */
const corpus = 'test/corpus/corpus.e2e-spec.ts';
/** The API documents, which describe what these read and write. */
const documents = 'apps/openapi/src/create-files.spec.ts';
/** It reads every statement and guard, whoever sends it. */
const statementForms = 'test/architecture/statement-forms.spec.ts';
const hasSql = (path, text = '') => path.endsWith('.sql') || /\b(?:SELECT|UPDATE|DELETE FROM)\s/.test(text);
/** They try the guards, which nothing imports. */
const guards = ['file-payment-guards', 'audit-trail', 'forged-approvals'].map(
  (name) => `test/integration/${name}.int-spec.ts`,
);
const isOfCorpus = (path) =>
  /^apps\/api\/src\/(?:wire|resources)\//.test(path) ||
  /^libs\/(?:domestic-payment|error-envelope|file-payment|guards|obie-rules)\//.test(path);
/** Every step of a customer, in requests of each kind. */
const journey = 'test/e2e/authorization/journey.e2e-spec.ts';
const isOfJourney = (path) => /^(?:apps\/authorize|libs\/customer-session)\//.test(path);
const isLong = (path) => longSuites.some((name) => path.startsWith(`test/${name}`));
const exported = /^export (?:abstract |async |declare )?(?:const|let|function\*?|class|type|interface) (\w+)/gm;
const imported =
  /(?:import|export)\s(?:type )?(?:\{([^}]*)\}|[\w*][^'";]*)\s?from\s'([^']+)'|importOnce(?:<[^(]*>)?\('([^']+)'/g;

const nameOf = ({ suite }) => suite;
const isIndex = /\/index\.ts$/;
const namesOf = (text) => [...text.matchAll(exported)].map(([, name]) => name);

/** Which suites of the short ring are the nearest to a source: by imports, then by the words that both have. */
export class Suites {
  #text = new Map();
  #importers = new Map();
  #imports = new Map();
  #count = new Map();

  /** @param {readonly string[]} paths of all sources and tests, from the root */
  constructor(paths) {
    for (const path of paths) this.#text.set(path, readFileSync(path, 'utf8'));
    const owners = new Map();
    for (const [path, text] of this.#text) {
      const library = /^libs\/([^/]+)\/src\//.exec(path)?.[1];
      if (library) for (const [, name] of text.matchAll(exported)) owners.set(`#libs/${library} ${name}`, path);
    }
    for (const [path, text] of this.#text) {
      const found = new Set(importsOf(path, text, owners));
      this.#imports.set(
        path,
        [...found].filter((each) => this.#text.has(each)),
      );
      for (const each of this.#imports.get(path))
        this.#importers.set(each, [...(this.#importers.get(each) ?? []), path]);
    }
    this.suites = [...this.#text.keys()].filter((path) => isSuite.test(path) && !isLong(path) && !isOfTests(path));
    this.words = new Map(this.suites.map((path) => [path, this.#wordsOf(path)]));
    for (const words of this.words.values())
      for (const word of words) this.#count.set(word, (this.#count.get(word) ?? 0) + 1);
  }

  /** @returns {{ units: string[], servers: string[] }} the nearest first */
  nearest(path, text) {
    const distance = this.#distances(path);
    // With what calls it: a statement is told by its service, and a service by its controller.
    const callers = (this.#importers.get(path) ?? []).filter((each) => !isSuite.test(each) && !isIndex.test(each));
    const names = [path, ...callers].flatMap((each) => namesOf(this.#text.get(each) ?? ''));
    const wanted = new Set([...[path, ...callers, text].flatMap(splitWords), ...names]);
    // A word that few suites have says more, and one of the suite's own path most.
    const weigh = (word, suite) =>
      Math.log(this.suites.length / this.#count.get(word)) * (suite.includes(word) ? 3 : 1);
    const relevance = (suite) =>
      [...wanted].reduce((sum, word) => (this.words.get(suite).has(word) ? sum + weigh(word, suite) : sum), 0);
    const ranked = this.suites
      .map((suite) => ({ suite, far: distance.get(suite) ?? 99, near: relevance(suite) }))
      .toSorted((one, other) => one.far - other.far || other.near - one.near);
    const byWords = ranked.toSorted((one, other) => other.near - one.near);
    const units = [
      ...ranked.filter(({ suite, far }) => isUnit.test(suite) && far < 99).slice(0, 8),
      // They read the sources.
      ...byWords.filter(({ suite, far }) => isUnit.test(suite) && far === 99).slice(0, 2),
    ];
    const importing = ranked.filter(({ suite, far }) => !isUnit.test(suite) && far <= 2).slice(0, 6);
    const similar = byWords.filter(({ suite }) => !isUnit.test(suite)).slice(0, 6);
    // The longest suites run last.
    const recorded = [
      ...(isOfCorpus(path) ? [corpus] : []),
      ...(isOfJourney(path) ? [journey] : []),
      ...(path.endsWith('.sql') ? guards : []),
    ];
    const described = [
      ...(isOfCorpus(path) ? [documents] : []),
      ...(hasSql(path, this.#text.get(path)) ? [statementForms] : []),
    ];
    const servers = [...new Set([...[...importing, ...similar].map(nameOf), ...recorded])];
    servers.sort((one, other) => placeInRing(other) - placeInRing(one));
    return { units: [...new Set([...units.map(nameOf), ...described])], servers };
  }

  #distances(path) {
    const distance = new Map([[path, 0]]);
    for (const [each, far] of distance)
      for (const importer of this.#importers.get(each) ?? [])
        if (!distance.has(importer)) distance.set(importer, far + 1);
    return distance;
  }

  /** Words of the suite and of the tests' own modules that it imports. */
  #wordsOf(suite) {
    const modules = new Set([suite]);
    for (const path of modules)
      for (const each of this.#imports.get(path)) if (/^test\/(?!support)/.test(each)) modules.add(each);
    return new Set([...modules].flatMap((path) => [path, this.#text.get(path)]).flatMap(splitWords));
  }
}

function* importsOf(path, text, owners) {
  for (const [, names = '', from, once] of text.matchAll(imported)) {
    const specifier = from ?? once;
    if (specifier.startsWith('#libs/')) {
      for (const name of names.match(/\w+/g) ?? []) yield owners.get(`${specifier} ${name}`);
    } else if (specifier.startsWith('.')) {
      const start = once ? 'test/support' : dirname(path);
      yield normalize(join(start, specifier)).replace(/\.js$/, '.ts');
    }
  }
}

/** Whole names, and the words that they are made of. */
function splitWords(text) {
  const names = text.match(/[A-Za-z][\w-]*/g) ?? [];
  const parts =
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? [];
  return [...names, ...parts.map((word) => word.replace(/s$/, ''))];
}
