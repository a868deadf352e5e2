import { parseDateTime } from './date-time.js';

/**
 * The deadline for the further approvers of a file payment (OBMultiAuthorisation1 ExpirationDateTime): that of the TPP
 * or that of the bank, whichever is earlier.
 * @param createdAt when the file payment was made
 * @param completionDateTime CompletionDateTime of the consent's Authorisation, if it has one
 * @param approvalSeconds how long a file payment may wait according to the bank
 */
export function approvalDeadline(options: {
  createdAt: Date;
  completionDateTime: string | undefined;
  approvalSeconds: number;
}): Date {
  const { createdAt, completionDateTime, approvalSeconds } = options;
  const ofBank = new Date(createdAt.getTime() + approvalSeconds * 1_000);
  const ofTpp = completionDateTime === undefined ? undefined : parseDateTime(completionDateTime);
  return ofTpp !== undefined && ofTpp < ofBank ? ofTpp : ofBank;
}
