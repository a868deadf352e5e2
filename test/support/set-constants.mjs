// Loaded before a program of the service (node --import): its constants are what its environment says, as they are in
// the sandbox. Nothing in the product does this.
import { pathToFileURL } from 'node:url';

const settings = new URL('../../sandbox/src/all-settings.js', pathToFileURL(process.argv[1]));
const { allSettings } = await import(settings.href);
for (const { group, members } of allSettings) {
  for (const setting of members.flatMap((name) => group.members[name].settings)) {
    if (setting.isConstant) setting.default = process.env[setting.name] ?? setting.default;
  }
}
