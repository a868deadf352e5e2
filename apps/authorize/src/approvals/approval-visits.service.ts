import { Injectable } from '@nestjs/common';
import { ApprovalSessionService } from '#libs/authorization-session';
import { Clock, Config } from '#libs/config';
import { createRandomToken, hashToken } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import { isCsrfToken } from '../psu-session/csrf-token.js';
import { ForgedFormError } from '../psu-session/page-errors.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { createApprovalCookie, parseApprovalCookie } from './approval-cookie.js';
import type { ApprovalVisit } from './approver.js';

/** What the pages for further approvals have in common: who is there, and whether a form is our own. */
@Injectable()
export class ApprovalVisits {
  readonly #sessions: ApprovalSessionService;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(sessions: ApprovalSessionService, config: Config, clock: Clock) {
    this.#sessions = sessions;
    this.#config = config;
    this.#clock = clock;
  }

  /** @returns who is there; without a session it is somebody who has still to sign in */
  async find({ cookieHeader }: PageRequest): Promise<ApprovalVisit> {
    const value = parseApprovalCookie(cookieHeader);
    if (value === undefined) return { value: createRandomToken() };
    const session = await this.#sessions.find(hashToken(value), this.#clock.now());
    return { value, ...(session !== undefined && { session }) };
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

  /** @returns the Set-Cookie header for as long as a session lasts */
  createCookie(value: string): string {
    return createApprovalCookie(value, this.#config.authorization.sessionSeconds);
  }

  /** @returns the way to the list, or to whichever page is due first */
  createWayToList(cookie?: string): Answer {
    return {
      kind: 'redirect',
      status: 303,
      location: '/approvals',
      ...(cookie !== undefined && { cookies: [cookie] }),
    };
  }
}
