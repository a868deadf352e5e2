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
