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
      `<text x="${labelWidth - 8}" y="${y + 15}" text-anchor="end">${name}</text>`,
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
