import { type PaymentEntity, type PaymentStatusDetail, statusReasons } from '#libs/payment-order';

/** @returns StatusDetail of OBWritePaymentDetailsResponse1; a scheme's own codes become Proprietary */
export function toStatusDetail({ statusDetail }: Pick<PaymentEntity, 'statusDetail'>): PaymentStatusDetail | undefined {
  if (statusDetail === null) return undefined;
  const detail = JSON.parse(statusDetail) as PaymentStatusDetail;
  const { StatusReason } = detail;
  if (StatusReason === undefined || statusReasons.includes(StatusReason)) return detail;
  return { ...detail, StatusReason: 'Proprietary' };
}
