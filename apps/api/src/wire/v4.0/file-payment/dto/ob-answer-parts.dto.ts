import { describeMembers } from '#libs/api-description';

/** The reason for a status. */
export class OBStatusReason {}
describeMembers(OBStatusReason, {
  StatusReasonCode: {
    type: 'string',
    minLength: 1,
    maxLength: 4,
    description: 'Code of ISO 20022, or of the standard.',
  },
  StatusReasonDescription: { type: 'string', minLength: 1, maxLength: 500 },
});
