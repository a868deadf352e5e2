/** Names of the cases in the table, which is short: `npm run bench` prints the others. */
export const titles = {
  'token-client-credentials-private-key-jwt': 'token, client_credentials, private_key_jwt',
  'token-client-credentials-tls-client-auth': 'token, client_credentials, tls_client_auth',
  'token-authorization-code': 'token, code for an ID token (PS256)',
  'stage-consent': 'stage a consent',
  'upload-file-150-payments': 'upload a file of 150 payments',
  'create-file-payment': 'create a file payment',
  'read-file-payment': 'read a file payment',
  'register-client': 'register a client',
};
const head = ['case', 'requests/s', 'p50, p99 ms', 'CPU ms', 'SQL round trips', 'of the floor', 'of oidc-provider'];

/**
 * Puts the figures of a run of the benchmark into the page's table. A case that it lacks keeps its row.
 * @param {string} page
 * @param {{ cases: { case: string, ratios: Record<string, number> }[] }} results content of bench-results.json
 * @returns {string} the page with the new table
 */
export function writeFigures(page, { cases }) {
  const rows = Object.entries(titles).flatMap(([name, title]) => {
    const found = findCase(cases, name);
    if (found === undefined) return rowsOf(page, title);
    const { rps, p50_ms: p50, p99_ms: p99, cpu_ms_per_request: cpu, sql_round_trips: trips } = found;
    const latencies = `${p50.toFixed(1)}, ${p99.toFixed(1)}`;
    const others = ['floor', 'oidc-provider'].map((other) => ratioTo(found, other));
    return [[title, Math.round(rps).toLocaleString('en-GB'), latencies, cpu.toFixed(2), trips.toFixed(2), ...others]];
  });
  return page.replace(/^\| case [^]*?\n\n/m, `${formatTable([head, ...rows])}\n\n`);
}

const journeys = { 'CPU ms, file': (find) => find('journey') };
const processes = ['authorize', 'token', 'api', 'worker', 'database'];

/**
 * Puts the processor time of whole journeys into the page's table.
 * @param {string} page
 * @param {{ cases: { case: string }[] }} results as of writeFigures
 * @returns {string} the page with the new table
 */
export function writeJourneys(page, { cases }) {
  const rows = Object.entries(journeys).flatMap(([title, from]) => {
    const row = from((name) => findCase(cases, name));
    if (row === undefined) return rowsOf(page, title);
    const parts = processes.map((name) => row[`${name}_cpu_ms`]);
    const all = parts.reduce((sum, part) => sum + part, 0);
    return [[title, ...[...parts, all].map((part) => String(Math.round(part)))]];
  });
  return page.replace(/^\| process [^]*?\n\n/m, `${formatTable([['process', ...processes, 'all'], ...rows])}\n\n`);
}

/** @returns the cases of both tables that a run lacks */
export function findMissing({ cases }) {
  return [...Object.keys(titles), 'journey'].filter((name) => !findCase(cases, name));
}

const findCase = (cases, name) => cases.find((each) => each.case === name);

const cellsOf = (line) => line.split(' | ').map((cell) => cell.replace(/^\| | ?\|$/g, '').trim());

/** @returns the cells of the row that the page has, if it has one */
function rowsOf(page, title) {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map(cellsOf)
    .filter(([first]) => first === title)
    .slice(0, 1);
}

function ratioTo({ ratios, cpu_ratios: cpuRatios }, other) {
  return ratios[other] === undefined ? '' : `${ratios[other].toFixed(2)} (${cpuRatios[other].toFixed(2)})`;
}

/** As prettier formats it. */
function formatTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const [first, ...others] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  return [first, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others].join('\n');
}
