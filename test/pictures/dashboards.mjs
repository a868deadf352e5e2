// The dashboards of deploy/grafana under load: the results of their queries from Debian's Prometheus, drawn by uPlot in
// the places of their panels.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const [columns, columnWidth, rowHeight, gap] = [24, 46, 34, 8];
const mostSeries = 8;
const stepSeconds = 2;
const colours = ['#1f6f8b', '#c8553d', '#5b8c3a', '#8a5aa8', '#b88a1c', '#3a8f86', '#a83f6b', '#6b6f76'];
const uplot = 'node_modules/uplot/dist';

/**
 * @param {object} options
 * @param {string} options.sandboxDirectory of a sandbox that runs
 * @param {number} options.adminPort where its metrics are
 * @param {import('playwright-core').BrowserContext} options.context
 * @param {string} options.directory for Prometheus' own files
 * @param {string} options.folder for the pictures
 * @param {number} options.seconds of load
 */
export async function drawDashboards({ sandboxDirectory, adminPort, context, directory, folder, seconds }) {
  const prometheus = await startPrometheus({ directory, adminPort });
  try {
    const start = Date.now() / 1_000;
    await makeLoad({ sandboxDirectory, seconds });
    const span = { start, end: Date.now() / 1_000 };
    for (const name of (await readdir('deploy/grafana')).sort()) {
      const dashboard = JSON.parse(await readFile(join('deploy/grafana', name), 'utf8'));
      const panels = [];
      for (const panel of dashboard.panels) panels.push(await readPanel(prometheus.url, panel, span));
      const path = join(folder, `${dashboard.uid}.png`);
      await draw(context, { title: dashboard.title, panels, path });
      const empty = panels.filter(({ series }) => series.length === 0).map(({ title }) => title);
      if (empty.length > 0) console.log(`${path}: nothing to show for ${empty.join(', ')}`);
    }
  } finally {
    const exited = once(prometheus.child, 'exit');
    prometheus.child.kill();
    await exited;
  }
}

async function startPrometheus({ directory, adminPort }) {
  const port = await freePort();
  const configuration = {
    global: { scrape_interval: `${stepSeconds}s`, evaluation_interval: `${stepSeconds}s` },
    rule_files: [resolve('deploy/prometheus/rules.yaml')],
    scrape_configs: [{ job_name: 'open-banking-sandbox', static_configs: [{ targets: [`127.0.0.1:${adminPort}`] }] }],
  };
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'prometheus.json');
  await writeFile(file, JSON.stringify(configuration));
  const options = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn('prometheus', options, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (
      await fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { child, url };
    await sleep(200);
  }
  child.kill();
  throw new Error('Prometheus (Debian: prometheus) does not start.');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** The load of a TPP: payments in both versions, and accounts. */
async function makeLoad({ sandboxDirectory, seconds }) {
  const end = Date.now() + seconds * 1_000;
  const journeys = [[], ['--scope', 'accounts'], ['--version', '4.0']];
  const env = { ...process.env, SANDBOX_DIRECTORY: sandboxDirectory };
  for (let count = 0; Date.now() < end; count += 1) {
    await run(process.execPath, ['dist/apps/tpp/src/demo.js', ...journeys[count % journeys.length]], { env });
  }
  // Until the last of it has been read.
  await sleep(2 * stepSeconds * 1_000);
}

const greatest = (series) => Math.max(...[...series.values.values()].filter(Number.isFinite), 0);

async function readPanel(url, { title, type, targets, gridPos, fieldConfig }, { start, end }) {
  const series = [];
  for (const { expr, legendFormat = '' } of targets) {
    const parameters = new URLSearchParams({ query: expr, start, end, step: stepSeconds });
    const { status, error, data } = await (await fetch(`${url}/api/v1/query_range?${parameters}`)).json();
    if (status !== 'success') throw new Error(`${title}: ${error}`);
    for (const { metric, values } of data.result) {
      const name = legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_all, label) => metric[label] ?? '');
      series.push({ name, values: new Map(values.map(([at, value]) => [at, Number(value)])) });
    }
  }
  series.sort((one, other) => greatest(other) - greatest(one));
  const times = [...new Set(series.flatMap(({ values }) => [...values.keys()]))].sort((one, other) => one - other);
  return {
    title,
    type,
    gridPos,
    unit: fieldConfig?.defaults?.unit ?? '',
    times,
    left: Math.max(0, series.length - mostSeries),
    series: series.slice(0, mostSeries).map(({ name, values }) => ({
      name,
      values: times.map((at) => (Number.isFinite(values.get(at)) ? values.get(at) : null)),
    })),
  };
}

async function draw(context, { title, panels, path }) {
  const tab = await context.newPage();
  const width = columns * columnWidth;
  const height = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h)) * rowHeight + 70;
  await tab.setViewportSize({ width: width + 16, height });
  await tab.setContent('<!doctype html><html lang="en"><body></body></html>');
  await tab.addStyleTag({ path: `${uplot}/uPlot.min.css` });
  await tab.addStyleTag({ content: style });
  await tab.addScriptTag({ path: `${uplot}/uPlot.iife.min.js` });
  await tab.evaluate(drawInBrowser, { title, panels, colours, columnWidth, rowHeight, gap });
  await tab.screenshot({ path });
  await tab.close();
}

const style = `
  body { margin: 8px; font: 13px sans-serif; background: #eef0f2; color: #222; position: relative; }
  h1 { font-size: 17px; margin: 0 0 2px; }
  p { margin: 0; color: #555; }
  section { position: absolute; background: #fff; border: 1px solid #d5d9de; border-radius: 3px; overflow: hidden; box-sizing: border-box; }
  h2 { font-size: 13px; margin: 6px 8px 0; }
  small { display: block; margin: 0 8px; font-size: 11px; line-height: 14px; color: #444; }
  span { white-space: nowrap; }
  b { line-height: 28px; }
  i { display: inline-block; width: 8px; height: 8px; margin: 0 3px 0 8px; }
  b { font-size: 22px; margin: 0 4px 0 8px; color: #1f6f8b; }`;

/** Runs in the browser. */
function drawInBrowser({ title, panels, colours, columnWidth, rowHeight, gap }) {
  const { document, uPlot } = globalThis;
  const add = (parent, name, text = '') => {
    const element = parent.appendChild(document.createElement(name));
    element.textContent = text;
    return element;
  };
  add(document.body, 'h1', title);
  add(
    document.body,
    'p',
    'The queries of the dashboard in a sandbox under load, drawn with uPlot. Not a screen of Grafana.',
  );
  const inShort = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
  for (const { title: name, type, unit, gridPos, times, series, left } of panels) {
    const section = add(document.body, 'section');
    const [width, height] = [gridPos.w * columnWidth - gap, gridPos.h * rowHeight - gap];
    Object.assign(section.style, {
      left: `${gridPos.x * columnWidth}px`,
      top: `${gridPos.y * rowHeight + 48}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    add(section, 'h2', unit === 'short' || unit === 'none' ? name : `${name} (${unit})`);
    if (series.length === 0) {
      add(section, 'small', 'nothing');
      continue;
    }
    const legend = document.createElement('small');
    for (const [index, each] of series.entries()) {
      const entry = add(legend, 'span');
      const mark = add(entry, type === 'stat' ? 'b' : 'i', type === 'stat' ? inShort.format(each.values.at(-1)) : '');
      if (type !== 'stat') mark.style.background = colours[index];
      entry.append(each.name);
      legend.append(' ');
    }
    if (left > 0) legend.append(`, and ${left} more`);
    if (type !== 'stat') {
      const plot = section.appendChild(document.createElement('div'));
      section.append(legend);
      const begin = times[0];
      const options = {
        width: width - 8,
        height: height - 30 - Math.max(14, legend.offsetHeight),
        legend: { show: false },
        scales: { x: { time: false }, y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
        axes: [
          { values: (_plot, ticks) => ticks.map((tick) => `${tick} s`) },
          { size: 56, values: (_plot, ticks) => ticks.map((tick) => inShort.format(tick)) },
        ],
        series: [
          {},
          ...series.map((_each, index) => ({ stroke: colours[index], width: 1.5, points: { show: false } })),
        ],
      };
      plot.drawn = new uPlot(options, [times.map((at) => at - begin), ...series.map(({ values }) => values)], plot);
    } else section.append(legend);
  }
}
