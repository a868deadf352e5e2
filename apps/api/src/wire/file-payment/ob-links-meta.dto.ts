import { describeMembers } from '#libs/api-description';

/** Addresses. */
export class Links {}
describeMembers(Links, { Self: { type: 'string', format: 'uri', description: 'Absolute address of the resource.' } });

/** Empty for payments. */
export class Meta {}
