#!/usr/bin/env node
// `npx obp`
process.env.INIT_CWD = process.cwd();
process.argv.splice(2, 0, 'obp');
await import('../launch.mjs');
