import { Injectable } from '@nestjs/common';
import { ApprovalSessionService } from '#libs/customer-session';
import { Clock, Config } from '#libs/config';
import { createRandomToken, hashToken } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import { isCsrfToken } from '../psu-session/csrf-token.js';
import { ForgedFormError } from '../psu-session/page-errors.js';
import { endedAddress, type PageRequest } from '../psu-session/page-request.js';
import { renewed } from '../psu-session/renewed.js';
import { OverAllLimit } from '../sign-in/over-all-limit.service.js';
import { createApprovalCookie, parseApprovalCookie } from './approval-cookie.js';
import { keyOf, type ApprovalVisit } from './approver.js';
import { readLanding, signInAddress } from './landing.js';

/** For all pages at /approvals: finds the customer, and verifies that a form is our own. */
@Injectable()
export class ApprovalVisits {
  constructor(
    private readonly sessions: ApprovalSessionService,
    private readonly overAll: OverAllLimit,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * @param options `isWaiting`: the page polls, which does not extend the session
   * @returns the visitor; without a session, one who has not signed in
   */
  async find({ cookieHeader }: PageRequest, { isWaiting = false } = {}): Promise<ApprovalVisit> {
    const value = parseApprovalCookie(cookieHeader);
    if (value === undefined) return { value: createRandomToken() };
    const { sessions, config } = this;
    const session = await sessions.find(hashToken(value), this.clock.now());
    if (session === undefined) return { value, isReturning: true };
    if (isWaiting) return { value, session };
    const key = keyOf({ value, session });
    return { value, session: await renewed(session, { key, sessions, config, now: this.clock.now() }) };
  }

  /**
   * As {@link find}, for a form.
   * @throws ForgedFormError unless the form came from a page of this browser, in the step it is in
   */
  async findForForm(request: PageRequest): Promise<ApprovalVisit> {
    const visit = await this.find(request);
    if (!isCsrfToken(request.form.get('csrf_token'), visit.value))
      throw new ForgedFormError('The form has no valid token.');
    return visit;
  }

  /**
   * As {@link findForForm}, for a form with a password or a one-time code, or that makes the bank send one.
   * @throws BodilessError 429: too many of all customers together
   */
  async admitForm(request: PageRequest): Promise<ApprovalVisit> {
    const visit = await this.findForForm(request);
    await this.overAll.add(visit.session === undefined ? 'visitor' : 'known');
    return visit;
  }

  /** @returns the Set-Cookie header for as long as a session lasts */
  createCookie(value: string): string {
    return createApprovalCookie(value, this.config.authorization.sessionSeconds);
  }

  /**
   * @param wanted the page after the sign-in, if it is one that may follow it; otherwise the list
   * @returns a redirect to the next page of the sign-in, which tells returning visitors that they are signed out
   */
  createWayToSignIn({ isReturning = false }: ApprovalVisit, wanted?: string): Answer {
    const landing = readLanding(wanted);
    return isReturning
      ? { kind: 'redirect', status: 303, location: endedAddress(signInAddress(landing)) }
      : this.createWayOn({ landing });
  }

  /** @returns a redirect to the next page of the sign-in, or to the page after it */
  createWayOn({ landing, cookie }: { landing?: string | undefined; cookie?: string | undefined }): Answer {
    return {
      kind: 'redirect',
      status: 303,
      location: signInAddress(landing),
      ...(cookie !== undefined && { cookies: [cookie] }),
    };
  }
}
