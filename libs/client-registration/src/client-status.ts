/**
 * States of a client: registered, suspended by the bank, deleted. The row of a deleted one stays, so that its id is
 * never reused.
 */
export type ClientStatus = 'Active' | 'Suspended' | 'Deleted';
