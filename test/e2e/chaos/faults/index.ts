import { bankFails, bankLies, bankRepeats, bankSlow } from './bank.js';
import type { Fault } from './fault.js';
import { heldPayments, leavingTpps, stoppedPayments, suspendedClients } from './operator.js';
import {
  clockJumps,
  databaseRestarts,
  diskFull,
  frozenProcesses,
  killedBackends,
  killedProcesses,
  rollingVersions,
} from './processes.js';

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
