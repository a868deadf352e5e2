import { createHash } from 'node:crypto';

/**
 * @param {object} found
 * @param {{ version: string, commit: string, isClean: boolean, tree: string, tag: string | null }} found.source what was tested
 * @param {object} found.machine
 * @param {Record<'short' | 'long', object | null>} found.rings as record-run.mjs writes them; null: not run
 * @param {object | null} found.mutations as `npm run mutations` writes them
 * @param {object | null} found.bench content of bench-results.json
 * @param {object} found.lock content of package-lock.json
 * @param {object} found.audit answer of `npm audit --json`
 * @param {readonly string[]} found.weakenings settings that weaken the security profile
 * @param {Readonly<Record<string, Buffer>>} found.files to hash, by path
 * @returns {object} the proof: what is null was not run
 */
export function createProof({ source, machine, rings, mutations, bench, lock, audit, weakenings, files, now }) {
  return {
    made_at: now.toISOString(),
    source,
    machine,
    tests: rings,
    upgrade_from: source.tag,
    mutations: mutations && countMutations(mutations),
    bench: bench && {
      mode: bench.mode,
      of_the_floor: Object.fromEntries(
        bench.cases.map((each) => [
          each.case,
          { requests: each.ratios.floor, cpu: each.cpu_ratios.floor, cpu_with_database: each.total_cpu_ratios.floor },
        ]),
      ),
    },
    licences: countLicences(lock),
    advisories: audit.metadata?.vulnerabilities ?? { not_available: audit.message },
    weakenings,
    sha256: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, sha256(content)])),
  };
}

function countMutations({ seed, commit, mutations }) {
  const harmless = mutations.filter((each) => each.harmless);
  const uncompiled = mutations.filter(({ result }) => result === 'does not compile');
  const judged = mutations.filter((each) => each.result && !harmless.includes(each) && !uncompiled.includes(each));
  const missed = judged.filter(({ result }) => result !== 'caught');
  return {
    seed,
    commit,
    caught: judged.length - missed.length,
    of: judged.length,
    harmless: harmless.length,
    do_not_compile: uncompiled.length,
    missed: missed.map(({ path, kind, result, line }) => ({ path, kind, result, line })),
  };
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** How many installed packages of the programs have each licence. */
function countLicences({ packages }) {
  const counts = {};
  for (const [path, { dev, devOptional, license = 'not stated' }] of Object.entries(packages)) {
    if (path !== '' && !dev && !devOptional) counts[license] = (counts[license] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).toSorted(([, one], [, other]) => other - one));
}

/**
 * @param {ReturnType<typeof createProof>} proof
 * @returns {string} the page
 */
export function renderProof(proof) {
  const { source, machine, tests, bench, licences, advisories, weakenings } = proof;
  const notRun = 'not run';
  const rows = [
    [
      'version',
      `${source.version}, commit \`${source.commit.slice(0, 12)}\`${source.isClean ? '' : ', with changes that are not committed'}`,
    ],
    [
      'machine',
      `${machine.cores} × ${machine.cpu}, Node ${machine.node}, PostgreSQL ${machine.postgresql}, ${machine.platform}`,
    ],
    ...Object.entries(tests).map(([ring, run]) => [`tests, ${ring} ring`, run ? describeRun(run) : notRun]),
    ...accountsOf(tests).map(({ suite, said }) => [
      suite.replace(/^test\/e2e\/|\.e2e-spec\.ts$/g, ''),
      said.join(' ').replaceAll(/\s+/g, ' '),
    ]),
    ['upgrade', source.tag ? `from ${source.tag}` : 'no earlier release'],
    ['mutations', proof.mutations ? describeMutations(proof.mutations) : notRun],
    [
      'bench, of the floor in requests (processor time; with the database)',
      bench
        ? Object.entries(bench.of_the_floor)
            .map(
              ([name, { requests, cpu, cpu_with_database: all }]) =>
                `${name} ${format(requests)} (${format(cpu)}; ${format(all)})`,
            )
            .join(', ')
        : notRun,
    ],
    [
      'licences',
      Object.entries(licences)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
    ],
    ['advisories', describeAdvisories(advisories)],
    ['settings that weaken', weakenings.map((name) => `\`${name}\``).join(', ')],
    ...Object.entries(proof.sha256).map(([path, hash]) => [`SHA-256 of ${path}`, `\`${hash}\``]),
  ];
  return [
    '# What was tested',
    '',
    `Written by \`npm run proof\` on ${proof.made_at.slice(0, 10)}; do not edit this page. [The same as JSON](proof.json).`,
    '',
    ...rows.map(([what, result]) => `- ${what}: ${result}`),
    '',
  ].join('\n');
}

const format = (ratio) => (ratio === undefined ? '-' : ratio.toFixed(2));

const describeRun = ({ suites, passed, failed, skipped, seconds, node }) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped in ${suites} suites, ${seconds} s, Node ${node}`;

const describeMutations = ({ caught, of, harmless, do_not_compile: uncompiled, seed, commit, missed }) =>
  `${caught} of ${of} caught by the short ring (seed ${seed}, commit \`${commit.slice(0, 12)}\`; of those drawn, ` +
  `${harmless} do no harm and ${uncompiled} do not compile)${missed.map(({ path, kind }) => `; ${kind} in \`${path}\``).join('')}`;

const describeAdvisories = ({ total, not_available: reason, ...counts }) =>
  reason !== undefined
    ? `not available: ${reason}`
    : total === 0
      ? 'none'
      : Object.entries(counts)
          .filter(([, count]) => count > 0)
          .map(([severity, count]) => `${count} ${severity}`)
          .join(', ');

const accountsOf = (tests) => Object.values(tests).flatMap((run) => run?.accounts ?? []);
