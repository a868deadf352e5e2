import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import { RefreshGrantStore } from '#libs/token-store';
import type { Answer } from '../pages/answer.js';
import { PageRenderer } from '../pages/page-renderer.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { ApprovalVisits } from './approval-visits.service.js';
import { toApprover } from './approver.js';
import { createAccessPage } from './create-access-page.js';

const address = '/approvals/access';
/** SHA-256 in base64url */
const grantForm = /^[\w-]{43}$/;

/** What a customer has allowed that lasts, and its end (OIDC Core s16.18, FAPI 1.0 Baseline s5.2.2). */
@Injectable()
export class LastingAccess {
  readonly #visits: ApprovalVisits;
  readonly #grants: RefreshGrantStore;
  readonly #renderer: PageRenderer;
  readonly #clock: Clock;

  constructor(visits: ApprovalVisits, grants: RefreshGrantStore, renderer: PageRenderer, clock: Clock) {
    this.#visits = visits;
    this.#grants = grants;
    this.#renderer = renderer;
    this.#clock = clock;
  }

  /** GET /approvals/access */
  async show(request: PageRequest): Promise<Answer> {
    const approver = toApprover(await this.#visits.find(request));
    if (approver === undefined) return this.#visits.createWayToList();
    const grants = await this.#grants.findOfPsu(approver.session.psuId, this.#clock.now());
    const page = this.#renderer.renderLastingAccess((words) => createAccessPage(words, { approver, request, grants }));
    return { kind: 'page', status: 200, page };
  }

  /** GET /approvals/access/end: asks once more. Of what has ended already, or is nobody's, the list shows what there is. */
  async confirm(request: PageRequest, grant: string | undefined): Promise<Answer> {
    const approver = toApprover(await this.#visits.find(request));
    if (approver === undefined) return this.#visits.createWayToList();
    const grants = await this.#grants.findOfPsu(approver.session.psuId, this.#clock.now());
    const open = grants.filter(({ revokedAt }) => revokedAt === undefined);
    const asked = open.filter(({ grantHash }) => grantHash.toString('base64url') === grant);
    if (asked.length === 0) return { kind: 'redirect', status: 303, location: address };
    const page = this.#renderer.renderEndAccess((words) => {
      const { access, ...frame } = createAccessPage(words, { approver, request, grants: asked });
      return { ...frame, access: access[0]! };
    });
    return { kind: 'page', status: 200, page };
  }

  /** POST /approvals/withdraw. One that has ended already, or is nobody's, changes nothing: the page shows what there is. */
  async withdraw(request: PageRequest): Promise<Answer> {
    const approver = toApprover(await this.#visits.findForForm(request));
    if (approver === undefined) return this.#visits.createWayToList();
    const { form, interactionId } = request;
    const grant = form.get('grant') ?? '';
    if (grantForm.test(grant)) {
      const grantHash = Buffer.from(grant, 'base64url');
      const { psuId } = approver.session;
      await this.#grants.endOfPsu({ grantHash, psuId, now: this.#clock.now(), interactionId });
    }
    return { kind: 'redirect', status: 303, location: address };
  }
}
