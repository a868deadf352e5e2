/** What makes the customer's pages. */
export { createPaymentApprovalPage } from '../../../apps/authorize/src/approvals/create-approval-pages.js';
export { parsePaymentsToApprove } from '../../../apps/authorize/src/consent/payments-to-approve.js';
export { createLook } from '../../../apps/authorize/src/look/create-look.js';
export { PageRenderer } from '../../../apps/authorize/src/pages/page-renderer.js';
