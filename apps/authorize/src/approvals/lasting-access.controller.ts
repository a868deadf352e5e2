import { Controller } from '@nestjs/common';
import { findLastFundsQuestions } from '#libs/audit';
import { GivenAccessService, type GivenAccess } from '#libs/customer-session';
import { Clock } from '#libs/config';
import { isUuid } from '#libs/obie-rules';
import { Database } from '#libs/persistence';
import { AccessEndService, RefreshGrantStore, type RefreshGrant } from '#libs/token-store';
import type { Answer } from '../pages/answer.js';
import { leadTo } from '../pages/carried-word.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { Address, Form, GetPage, PostForm, Query } from '../pages/page-route.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { ApprovalVisits } from './approval-visits.service.js';
import { toApprover } from './approver.js';
import { createAccessPage } from './create-access-page.js';

const address = '/approvals/access';
/** the hash of a code in base64url */
const grantForm = /^[\w-]{43}$/;

/** Lasting access that a customer has given, and its end (OIDC Core s16.18, FAPI 1.0 Baseline s5.2.2). */
@Controller('approvals')
export class LastingAccessController {
  constructor(
    private readonly visits: ApprovalVisits,
    private readonly grants: RefreshGrantStore,
    private readonly consents: GivenAccessService,
    private readonly ends: AccessEndService,
    private readonly database: Database,
    private readonly renderer: PageRenderer,
    private readonly clock: Clock,
  ) {}

  @GetPage('access')
  async show(@Address() request: PageRequest): Promise<Answer> {
    const visit = await this.visits.find(request);
    const approver = toApprover(visit);
    if (approver === undefined) return this.visits.createWayToSignIn(visit, address);
    const { psuId } = approver.session;
    const [given, lastQuestions] = await Promise.all([
      this.#findOfPsu(psuId),
      findLastFundsQuestions(this.database, psuId),
    ]);
    const page = this.renderer.render('lasting-access', (words) =>
      createAccessPage(words, { approver, request, ...given, lastQuestions }),
    );
    return { kind: 'page', status: 200, page };
  }

  /** Asks for confirmation. If the access has ended or does not exist, shows the list. */
  @GetPage('access/end')
  async confirm(
    @Address() request: PageRequest,
    @Query(['grant']) { grant }: Readonly<Record<'grant', string | undefined>>,
  ): Promise<Answer> {
    const visit = await this.visits.find(request);
    const approver = toApprover(visit);
    if (approver === undefined) return this.visits.createWayToSignIn(visit, `${address}/end?grant=${grant}`);
    const given = await this.#findOfPsu(approver.session.psuId);
    const grants = given.grants.filter(
      ({ revokedAt, grantHash }) => revokedAt === undefined && grantHash.toString('base64url') === grant,
    );
    const consents = given.consents.filter(({ endedAt, consentId }) => endedAt === undefined && consentId === grant);
    if (grants.length + consents.length === 0) return { kind: 'redirect', status: 303, location: address };
    const page = this.renderer.render('end-access', (words) => {
      const { access, ...frame } = createAccessPage(words, { ...given, approver, request, grants, consents });
      return { ...frame, access: access[0]! };
    });
    return { kind: 'page', status: 200, page };
  }

  /** If the access has ended or does not exist, nothing changes and the page shows what remains. */
  @PostForm('withdraw')
  async withdraw(@Form() request: PageRequest): Promise<Answer> {
    const visit = await this.visits.findForForm(request);
    const approver = toApprover(visit);
    if (approver === undefined) return this.visits.createWayToSignIn(visit, address);
    const { form, interactionId } = request;
    const grant = form.get('grant') ?? '';
    const end = { psuId: approver.session.psuId, now: this.clock.now(), interactionId };
    if (isUuid(grant)) await this.ends.endOfPsu({ consentId: grant, ...end });
    else if (grantForm.test(grant)) {
      await this.grants.endOfPsu({ grantHash: Buffer.from(grant, 'base64url'), ...end });
    }
    return leadTo(address, { name: 'accessEnded', value: grant });
  }

  async #findOfPsu(psuId: string): Promise<{ grants: readonly RefreshGrant[]; consents: readonly GivenAccess[] }> {
    const now = this.clock.now();
    const [grants, consents] = await Promise.all([
      this.grants.findOfPsu(psuId, now),
      this.consents.findOfPsu(psuId, now),
    ]);
    return { grants, consents };
  }
}
