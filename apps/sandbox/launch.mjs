// The scripts of package.json run this: plain JavaScript for a machine with only Node and npm, on a clone that may be
// neither installed nor built. Old versions of Node can parse it, so that it can report them.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const leastMajor = 20;
const leastMinor = 19;
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(
    `This needs Node ${leastMajor}.${leastMinor} or newer, and this is ${process.versions.node}: install a newer ` +
      'one from https://nodejs.org.',
  );
  process.exit(1);
}

const { launch } = await import('./launch/launch.mjs');
await launch({ root, command: process.argv[2], parameters: process.argv.slice(3) });
