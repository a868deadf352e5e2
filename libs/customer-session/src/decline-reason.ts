/** Why a customer declines, if they choose to say so. It is for the bank and the audit trail; the TPP never sees it. */
export const declineReasons = ['ChangedMind', 'NotRecognised', 'WrongDetails', 'SuspectedFraud', 'Other'] as const;

export type DeclineReason = (typeof declineReasons)[number];
