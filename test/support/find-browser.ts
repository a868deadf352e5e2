import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** @returns path of a Chromium or Chrome of this machine; CHROME_PATH names another one */
export function findBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'];
  return (named ? [named] : places).find((path) => existsSync(path));
}
