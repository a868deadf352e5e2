/** Why a customer declines, if they want to say so. The bank hears it and the audit trail keeps it; the TPP never learns it. */
export const declineReasons = ['ChangedMind', 'NotRecognised', 'WrongDetails', 'SuspectedFraud', 'Other'] as const;

export type DeclineReason = (typeof declineReasons)[number];
