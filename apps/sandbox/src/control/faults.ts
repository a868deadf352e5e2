/** What can be made to go wrong for one TPP. */
export const faultNames = ['gateway-timeout', 'directory-slow', 'directory-dead', 'reject-payments'] as const;
export type FaultName = (typeof faultNames)[number];

/** A fault that is set. */
export interface ActiveFault {
  softwareId: string;
  fault: FaultName;
  /** how many times it is still to happen; undefined: until it is cleared */
  times: number | undefined;
}

/** The faults that are set. They are kept in memory only: a restart clears them. */
export class Faults {
  #active: ActiveFault[] = [];

  /** Sets a fault, in place of an earlier one of the same kind. */
  set(fault: ActiveFault): void {
    this.clear(fault.softwareId, fault.fault);
    this.#active.push({ ...fault });
  }

  /** Clears one fault of a TPP, or all of them. */
  clear(softwareId: string, fault?: FaultName): void {
    this.#active = this.#active.filter(
      (active) => active.softwareId !== softwareId || (fault !== undefined && active.fault !== fault),
    );
  }

  list(): readonly ActiveFault[] {
    return this.#active;
  }

  /** @returns whether any TPP has this fault */
  has(fault: FaultName): boolean {
    return this.#active.some((active) => active.fault === fault);
  }

  /** Uses the fault once. @returns whether it is to happen now */
  take(softwareId: string, fault: FaultName): boolean {
    const active = this.#active.find((entry) => entry.softwareId === softwareId && entry.fault === fault);
    if (active === undefined) return false;
    if (active.times !== undefined) {
      active.times -= 1;
      if (active.times <= 0) this.clear(softwareId, fault);
    }
    return true;
  }
}
