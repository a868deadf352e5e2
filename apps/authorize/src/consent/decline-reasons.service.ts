import { Injectable, Logger } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { declineReasons, type DeclineReason } from '#libs/authorization-session';
import { DeclineReports, type BankCall, type DeclineReport } from '#libs/bank';

/** @returns why a customer declines, if a form says so in one of our words */
export function readDeclineReason(form: ReadonlyMap<string, string>): DeclineReason | undefined {
  return declineReasons.find((reason) => reason === form.get('decline_reason'));
}

/** Tells the bank why customers decline. The decline counts without it, and the audit trail has the reason. */
@Injectable()
export class DeclineReasons {
  readonly #reports: DeclineReports;
  readonly #notes: AuditNotes;
  readonly #logger = new Logger('DeclineReasons');

  constructor(reports: DeclineReports, notes: AuditNotes) {
    this.#reports = reports;
    this.#notes = notes;
  }

  /** Never fails. That the bank could not be told is in the log and in the audit trail. */
  async tell(report: DeclineReport, call: BankCall): Promise<void> {
    try {
      await this.#reports.report({ report, call });
    } catch (error) {
      const { interactionId } = call;
      this.#logger.warn({
        message: 'The report of why a customer declined could not be sent to the bank.',
        interactionId,
        error,
      });
      this.#notes.note({ action: 'decline.report-failed', reason: report.reason });
    }
  }
}
