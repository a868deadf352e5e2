import type { Finding } from '../../../apps/ingress-check/src/verdict.js';
import { freePort } from '../../support/free-port.js';
import type { IngressWorld } from './ingress-world.js';
import type { Form } from './proxy.js';
import { groupOf, removalOf, type Removal } from './removals.js';
import { check, expectNotFound } from './self-test.js';

/** More than any of the configurations takes from one address. */
export const floodCount = 1_500;
/** Shorter than any limit that is not made shorter. */
export const patienceSeconds = 0.8;

/**
 * @param removals of the form: those that say the same of another application are removed and attacked with it
 * @returns what is found without the directive of this row
 */
export async function attackWithout(
  world: IngressWorld,
  form: Form,
  row: Removal,
  removals: readonly Removal[],
): Promise<Finding[]> {
  const alike = removals.filter((each) => groupOf(each) === groupOf(row));
  const port = await freePort();
  const whole = world.attacker(form);
  const isAlone = ['forms', 'flood', 'silence', 'sizes'].includes(row.by);
  const attacker = {
    ...whole,
    targets: whole.targets.filter(({ profile }) => !isAlone || alike.some(({ found }) => found.startsWith(profile))),
    only: [row.by],
    floodCount,
    patienceSeconds,
    impostor: { address: '127.0.0.1', port },
  };
  const behind = row.behind && { authorize: port, token: port, api: port };
  if (row.shortened !== undefined) {
    await world.startIngress(form, { change: removalOf(form, row, row.shortened) });
    await expectNotFound(attacker, row.found);
  }
  if (behind) {
    await world.startIngress(form, { behind });
    await expectNotFound(attacker, row.found);
  }
  const change = (text: string): string => alike.reduce((left, each) => removalOf(form, each)(left), text);
  await world.startIngress(form, { change, ...(behind && { behind }) });
  return check(attacker);
}
