import { bankFails } from './bank-fails.js';
import { bankLies } from './bank-lies.js';
import { bankRepeats } from './bank-repeats.js';
import { bankSlow } from './bank-slow.js';
import { clockJumps } from './clock-jumps.js';
import { databaseRestarts } from './database-restarts.js';
import { diskFull } from './disk-full.js';
import type { Fault } from './fault.js';
import { frozenProcesses } from './frozen-processes.js';
import { heldPayments } from './held-payments.js';
import { killedBackends } from './killed-backends.js';
import { killedProcesses } from './killed-processes.js';
import { leavingTpps } from './leaving-tpps.js';
import { rollingVersions } from './rolling-versions.js';
import { stoppedPayments } from './stopped-payments.js';
import { suspendedClients } from './suspended-clients.js';

/** Everything that can go wrong. */
const allFaults: readonly Fault[] = [
  bankFails,
  bankSlow,
  bankLies,
  bankRepeats,
  killedProcesses,
  frozenProcesses,
  killedBackends,
  databaseRestarts,
  diskFull,
  clockJumps,
  rollingVersions,
  heldPayments,
  stoppedPayments,
  suspendedClients,
  leavingTpps,
];

/**
 * @param names undefined: all
 * @throws Error for a name that no fault has
 */
export function selectFaults(names: readonly string[] | undefined): readonly Fault[] {
  const known = allFaults.map(({ name }) => name);
  const unknown = names?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}. Faults: ${known.join(', ')}`);
  return names === undefined ? allFaults : allFaults.filter(({ name }) => names.includes(name));
}
