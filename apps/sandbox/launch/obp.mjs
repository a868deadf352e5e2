#!/usr/bin/env node
// `npx obp`: paths on the command line are relative to the user's current folder, not to the clone's root.
process.env.INIT_CWD = process.cwd();
process.argv.splice(2, 0, 'obp');
await import('../launch.mjs');
