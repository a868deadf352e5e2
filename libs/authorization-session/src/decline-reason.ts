/**
 * Why a customer declines, if they choose to say so. The bank is told and the audit trail keeps it; the TPP never sees
 * it.
 */
export const declineReasons = ['ChangedMind', 'NotRecognised', 'WrongDetails', 'SuspectedFraud', 'Other'] as const;

export type DeclineReason = (typeof declineReasons)[number];
