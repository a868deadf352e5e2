import { titles } from './write-figures.mjs';

const [barHeight, labelWidth, plotWidth, top] = [26, 300, 420, 44];

/**
 * Draws how much of the floor's throughput each case reaches.
 * @param {string} page the page with the figures, whose table of cases is drawn
 * @returns {string} SVG
 */
export function drawPlot(page) {
  const bars = readCases(page).map(({ name, ofFloor, perSecond }, index) => {
    const y = top + index * barHeight;
    const width = Math.round(ofFloor * plotWidth);
    return [
      drawLabel(index, name),
      `<rect x="${labelWidth}" y="${y + 3}" width="${width}" height="${barHeight - 8}" rx="2" fill="#1f6f8b"/>`,
      `<text x="${labelWidth + 8}" y="${y + 16}" fill="#fff">${ofFloor.toFixed(2)} · ${perSecond} a second</text>`,
    ].join('');
  });
  const height = top + bars.length * barHeight + 12;
  const floor = labelWidth + plotWidth;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${floor + 40} ${height}" role="img" font-family="sans-serif" font-size="13">`,
    '<title>Throughput of each case as a share of the floor</title>',
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${floor}" y="20" text-anchor="middle">the floor: 1.00</text>`,
    `<line x1="${floor}" y1="28" x2="${floor}" y2="${height - 8}" stroke="#888" stroke-dasharray="4 3"/>`,
    ...bars,
    '</svg>\n',
  ].join('\n');
}

const [plotHeight, left, longestMilliseconds] = [300, 60, 10_000];
const lines = [
  { row: 'ours', figure: 'p50_ms', colour: '#1f6f8b' },
  { row: 'ours', figure: 'p99_ms', colour: '#1f6f8b', dash: '6 4' },
  { row: 'floor', figure: 'p50_ms', colour: '#888' },
  { row: 'floor', figure: 'p99_ms', colour: '#888', dash: '6 4' },
];

const y = (ms) => Math.round(top + plotHeight * (1 - Math.log10(Math.max(ms, 1)) / Math.log10(longestMilliseconds)));

/**
 * Draws how long a consent takes when more and more of them arrive.
 * @param {{ cases: object[] }} results content of bench-results.json
 * @returns {string | undefined} SVG; undefined without the case
 */
export function drawLatency({ cases }) {
  const found = cases.find((each) => each.case === 'load');
  if (found === undefined) return undefined;
  const rows = [['ours', found], ...Object.entries(found.compared)];
  const most = Math.max(...rows.map(([, { offered }]) => offered));
  const x = (offered) => Math.round(left + (offered / most) * plotWidth);
  const [right, bottom] = [x(most), y(1)];
  const scale = [1, 10, 100, 1_000, 10_000].map(
    (ms) =>
      `<line x1="${left}" y1="${y(ms)}" x2="${right}" y2="${y(ms)}" stroke="#ddd"/><text x="${left - 8}" y="${y(ms) + 4}" text-anchor="end">${ms}</text>`,
  );
  const loads = [...new Set(rows.map(([, { offered }]) => offered))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${right + 110} ${bottom + 50}" role="img" font-family="sans-serif" font-size="13">`,
    '<title>Latency against load</title>',
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${left}" y="20">milliseconds until a consent is answered, by consents that arrive in a second</text>`,
    ...scale,
    ...loads.map((load) => `<text x="${x(load)}" y="${bottom + 20}" text-anchor="middle">${load}</text>`),
    ...lines.map(({ row, figure, colour, dash = 'none' }) => {
      const own = rows.filter(([name]) => name.startsWith(row)).map(([, figures]) => figures);
      const points = own.map((each) => `${x(each.offered)},${y(each[figure])}`).join(' ');
      const label = `<text x="${right + 8}" y="${y(own.at(-1)[figure]) + 4}" fill="${colour}">${row}, ${figure.slice(0, 3)}</text>`;
      return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>${label}`;
    }),
    '</svg>\n',
  ].join('\n');
}

const processes = [
  ['authorize', '#1f6f8b'],
  ['token', '#e0a030'],
  ['api', '#5b8c5a'],
  ['worker', '#a05a8c'],
  ['database', '#888'],
];
const journeys = { journey: 'a file of 150', 'journey-domestic': 'a single payment' };
const rowNames = { 'v4.0': '4.0', floor: 'the floor' };

/**
 * Draws the processor time of whole journeys, by process.
 * @param {{ cases: object[] }} results content of bench-results.json
 * @returns {string | undefined} SVG; undefined without one of the cases
 */
export function drawJourneys({ cases }) {
  const found = cases.filter((each) => each.case in journeys);
  if (found.length < Object.keys(journeys).length) return undefined;
  const rows = found.flatMap(({ case: name, compared, ...ours }) =>
    Object.entries({ ours, ...compared }).map(([row, figures]) => ({
      name: `${journeys[name]}, ${rowNames[row] ?? '3.1'}`,
      parts: processes.map(([process, colour]) => ({ colour, ms: figures[`${process}_cpu_ms`] })),
    })),
  );
  const most = Math.max(...rows.map(sum));
  const width = (ms) => (ms / most) * plotWidth;
  return drawBars('Processor time of a journey', [
    processes.map(
      ([process, colour], index) =>
        `<text x="${labelWidth + index * 80}" y="20" fill="${colour}" font-weight="bold">${process}</text>`,
    ),
    ...rows.map((row, index) => {
      let end = labelWidth;
      const parts = row.parts.map(({ ms, colour }) => drawBar(index, colour, end, (end += width(ms))));
      return [drawLabel(index, row.name), ...parts, drawValue(index, end, `${sum(row).toFixed(0)} ms`)];
    }),
  ]);
}

/**
 * Draws how many times the processor time a request takes with a million rows in each table, with the database's.
 * @param {{ cases: object[] }} results content of bench-results.json
 * @returns {string | undefined} SVG; undefined if nothing was measured with them
 */
export function drawRows({ cases }) {
  const found = cases.filter((each) => each.compared['million-rows'] !== undefined);
  if (found.length === 0) return undefined;
  const most = Math.max(...found.map(times));
  const one = Math.round(labelWidth + plotWidth / most);
  const empty = `<text x="${one}" y="20" text-anchor="middle">empty tables: 1.00</text>`;
  const bottom = top + found.length * barHeight;
  return drawBars('Processor time with a million rows in each table, as a multiple of that with empty tables', [
    [empty, `<line x1="${one}" y1="28" x2="${one}" y2="${bottom}" stroke="#888" stroke-dasharray="4 3"/>`],
    ...found.map((each, index) => {
      const end = labelWidth + (times(each) / most) * plotWidth;
      const bar = drawBar(index, '#1f6f8b', labelWidth, end);
      return [drawLabel(index, titles[each.case] ?? each.case), bar, drawValue(index, end, times(each).toFixed(2))];
    }),
  ]);
}

const sum = ({ parts }) => parts.reduce((total, { ms }) => total + ms, 0);

const times = ({ total_cpu_ratios: ratios }) => ratios['million-rows'];

/** @param {string[][]} groups the head, and the parts of each bar */
function drawBars(title, groups) {
  const height = top + (groups.length - 1) * barHeight + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${labelWidth + plotWidth + 70} ${height}" role="img" font-family="sans-serif" font-size="13">`,
    `<title>${title}</title>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...groups.map((parts) => parts.join('')),
    '</svg>\n',
  ].join('\n');
}

const drawLabel = (index, name) =>
  `<text x="${labelWidth - 8}" y="${top + index * barHeight + 15}" text-anchor="end">${name}</text>`;

const drawBar = (index, colour, start, end) =>
  `<rect x="${start.toFixed(0)}" y="${top + index * barHeight + 3}" width="${(end - start).toFixed(0)}" height="${barHeight - 8}" fill="${colour}"/>`;

const drawValue = (index, end, value) =>
  `<text x="${(end + 8).toFixed(0)}" y="${top + index * barHeight + 16}">${value}</text>`;

/** @returns the rows of the table whose head begins with "case" */
function readCases(page) {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => line.startsWith('| case '));
  const rows = lines.slice(head + 2, lines.indexOf('', head));
  const floor = cells(lines[head]).indexOf('of the floor');
  return rows.map(cells).map((row) => ({ name: row[0], perSecond: row[1], ofFloor: Number.parseFloat(row[floor]) }));
}

const cells = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
