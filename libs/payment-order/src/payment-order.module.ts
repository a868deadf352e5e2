import { Module } from '@nestjs/common';
import { IdempotencyStore } from '#libs/idempotency';
import { ApprovalRequestQueue } from './approval-request-queue.js';
import { PaymentOrderService } from './payment-order.service.js';
import { OwnDecisionService } from './own-decisions.service.js';
import { PaymentApprovalService } from './payment-approval.service.js';
import { PaymentQueue } from './payment-queue.js';
import { PaymentReports } from './payment-reports.js';
import { ReconciliationQueue } from './reconciliation/reconciliation-queue.js';
import { SettlementWatch } from './settlement-watch.js';

const services = [
  PaymentOrderService,
  ApprovalRequestQueue,
  OwnDecisionService,
  PaymentApprovalService,
  PaymentQueue,
  PaymentReports,
  SettlementWatch,
  ReconciliationQueue,
];

/** Needs PersistenceModule. */
@Module({ providers: [...services, IdempotencyStore], exports: services })
export class PaymentOrderModule {}
