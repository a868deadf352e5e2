/** States of a client: registered, stopped by the bank, deleted. A deleted one stays, so that its id is never used again. */
export type ClientStatus = 'Active' | 'Suspended' | 'Deleted';
