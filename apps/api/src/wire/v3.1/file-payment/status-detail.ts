import type { PaymentEntity, PaymentStatusDetail } from '#libs/payment-order';

/** The values of StatusReason in 3.1; a scheme's own codes become Proprietary. */
export const statusReasons = [
  'Cancelled',
  'PendingFailingSettlement',
  'PendingSettlement',
  'Proprietary',
  'ProprietaryRejection',
  'Suspended',
  'Unmatched',
];

/** @returns StatusDetail of OBWritePaymentDetailsResponse1 */
export function toStatusDetail({ statusDetail }: Pick<PaymentEntity, 'statusDetail'>): PaymentStatusDetail | undefined {
  if (statusDetail === null) return undefined;
  const detail = JSON.parse(statusDetail) as PaymentStatusDetail;
  const { StatusReason } = detail;
  if (StatusReason === undefined || statusReasons.includes(StatusReason)) return detail;
  return { ...detail, StatusReason: 'Proprietary' };
}
