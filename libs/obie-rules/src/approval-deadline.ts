import { parseDateTime } from './date-time.js';

/**
 * Until when the further people whose approval an account needs may approve a file payment
 * (OBMultiAuthorisation1 ExpirationDateTime): by the TPP's own deadline, or by the bank's if that is earlier.
 * @param createdAt when the file payment was made
 * @param completionDateTime CompletionDateTime of the consent's Authorisation, if it has one
 * @param approvalSeconds the bank's own: how long a file payment may wait
 */
export function approvalDeadline({
  createdAt,
  completionDateTime,
  approvalSeconds,
}: {
  createdAt: Date;
  completionDateTime: string | undefined;
  approvalSeconds: number;
}): Date {
  const ofBank = new Date(createdAt.getTime() + approvalSeconds * 1_000);
  const ofTpp = completionDateTime === undefined ? undefined : parseDateTime(completionDateTime);
  return ofTpp !== undefined && ofTpp < ofBank ? ofTpp : ofBank;
}
