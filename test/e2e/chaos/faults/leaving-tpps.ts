import type { Fault } from './fault.js';

/** A TPP deletes its registration while its payments are in progress, and registers as a new client. */
export const leavingTpps: Fault = {
  name: 'leaving',
  strike: async ({ tpps }, dice) => {
    const [first, ...others] = tpps;
    if (first !== undefined) dice.pick([first, ...others]).leaveSoon();
  },
};
