import { Controller, UseGuards } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { ApprovalSessionService, mostChallenges, type ApprovalSession, type SessionKey } from '#libs/customer-session';
import { PsuAuthentication, type BankCall, type ChallengeBinding } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { createRandomToken, currentKey, hashToken } from '#libs/oauth';
import type { Answer } from '../pages/answer.js';
import { leadTo, problemOf } from '../pages/carried-word.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { Form, PostForm } from '../pages/page-route.js';
import { createCsrfToken } from '../psu-session/csrf-token.js';
import { createNextSessionValue, nextSessionValues } from '../psu-session/next-session-value.js';
import { PsuLockedError } from '../psu-session/page-errors.js';
import { toParameter, type PageLoad, type PageRequest } from '../psu-session/page-request.js';
import { ChallengeDesk } from '../challenge/challenge-desk.service.js';
import { challengeProblem } from '../challenge/challenge-problems.js';
import { readCredentials, readOneTimeCode } from '../sign-in/read-credentials.js';
import { SignInLimitGuard } from '../sign-in/sign-in-limit.guard.js';
import { SignInLimits } from '../sign-in/sign-in-limits.service.js';
import { createApprovalCookie } from './approval-cookie.js';
import { ApprovalVisits } from './approval-visits.service.js';
import { ApprovalPages } from './approval-pages.service.js';
import { keyOf, type ApprovalVisit } from './approver.js';
import { readLanding, signInAddress, signInWords } from './landing.js';

/** Sign-in with both factors of a customer who came without a TPP. */
@Controller('approvals')
export class ApprovalSignInController {
  constructor(
    private readonly visits: ApprovalVisits,
    private readonly sessions: ApprovalSessionService,
    private readonly authentication: PsuAuthentication,
    private readonly limits: SignInLimits,
    private readonly desk: ChallengeDesk,
    private readonly pages: ApprovalPages,
    private readonly renderer: PageRenderer,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @returns the page of the next factor; an approval in the bank's app continues here */
  async show(visit: ApprovalVisit, request: PageRequest, load: PageLoad): Promise<Answer> {
    const { session } = visit;
    const landing = readLanding(load.to);
    if (session === undefined) return this.#createSignInPage(visit, request, { landing, isEnded: load.isEnded });
    const { challenge } = session;
    const mistake = problemOf(request.word);
    if (challenge === undefined || mistake !== undefined)
      return this.pages.createSignInChallenge({ visit, request, landing, problem: mistake });
    const status = await this.desk.findStatus(challenge, { interactionId: request.interactionId });
    if (status === 'Approved' && !load.isSafe)
      return this.#answer({ visit, session, request, landing, oneTimeCode: undefined });
    return this.pages.createSignInChallenge({
      visit,
      request,
      landing,
      problem: challengeProblem(status, 'again'),
    });
  }

  @PostForm('sign-in')
  @UseGuards(SignInLimitGuard)
  async submitPassword(@Form() request: PageRequest): Promise<Answer> {
    const visit = await this.visits.admitForm(request);
    const { interactionId, form } = request;
    const landing = landingOf(form);
    const credentials = readCredentials(form);
    if (credentials.mistake !== undefined) return leadTo(signInAddress(landing), credentials.mistake);
    const { username, password } = credentials;
    await this.limits.countVisit(visit.value, username);
    const verification = await this.authentication.verifyPassword({ username, password, call: { interactionId } });
    if (verification.outcome === 'Locked') throw new PsuLockedError('The customer is locked.');
    if (verification.outcome === 'InvalidCredentials') {
      return leadTo(signInAddress(landing), { name: 'wrongCredentials', value: username });
    }
    // Two clicks on the button yield the same value, and so one session.
    const answer = await this.#start({ ...verification, landing }, this.#nextValue(visit), { interactionId });
    // The browser has a new session; the old one ends.
    if (visit.session !== undefined) await this.sessions.end(hashToken(visit.value));
    return answer;
  }

  @PostForm('second-factor')
  @UseGuards(SignInLimitGuard)
  async submitOneTimeCode(@Form() request: PageRequest): Promise<Answer> {
    const visit = await this.visits.admitForm(request);
    const { form } = request;
    const { session } = visit;
    const landing = landingOf(form);
    // Expired meanwhile, or completed in another tab.
    if (session === undefined || session.acr !== undefined) return this.visits.createWayToSignIn(visit, landing);
    const { oneTimeCode, problem } = readOneTimeCode(form);
    if (problem !== undefined) return leadTo(signInAddress(landing), { name: problem });
    return this.#answer({ visit, session, request, landing, oneTimeCode });
  }

  @PostForm('second-factor/again')
  @UseGuards(SignInLimitGuard)
  async askAgain(@Form() request: PageRequest): Promise<Answer> {
    const visit = await this.visits.admitForm(request);
    const { session } = visit;
    const landing = landingOf(request.form);
    if (session === undefined || session.acr !== undefined) return this.visits.createWayToSignIn(visit, landing);
    const { interactionId } = request;
    const binding = createBinding(session.psuId, interactionId);
    const key = keyOf({ value: visit.value, session });
    const call = { interactionId };
    const isSent = await this.desk.askVisitor({ key, session, binding, call, most: mostChallenges });
    return leadTo(signInAddress(landing), isSent ? { name: 'codeSent' } : undefined);
  }

  async #answer(answer: {
    visit: ApprovalVisit;
    session: ApprovalSession;
    request: PageRequest;
    landing: string | undefined;
    oneTimeCode: string | undefined;
  }): Promise<Answer> {
    const { visit, session, request, landing, oneTimeCode } = answer;
    const { challenge, psuId } = session;
    if (challenge === undefined) return this.visits.createWayOn({ landing });
    const { challengeId } = challenge;
    const claim = { key: keyOf({ value: visit.value, session }), challengeId };
    if (!(await this.sessions.claimChallenge({ ...claim, now: this.clock.now() }))) {
      // Another click is being processed. The page that continues after an approval in the app waits: a redirect to
      // itself would come back at once, again and again.
      return oneTimeCode === undefined
        ? this.pages.createSignInChallenge({ visit, request, landing })
        : this.#followOther({ visit, psuId, landing, oneTimeCode });
    }
    const binding = createBinding(psuId, challenge.interactionId);
    const call = { interactionId: request.interactionId };
    const verification = await this.desk.verifyForVisitor(claim, { challenge, oneTimeCode, binding, call });
    if (verification.outcome !== 'Verified') {
      const isWrong = verification.outcome === 'InvalidCredentials';
      return leadTo(signInAddress(landing), { name: isWrong ? 'wrongCode' : 'secondFactorUsed' });
    }
    const { acr, authenticatedAt } = verification;
    const value = this.#nextValue(visit, oneTimeCode);
    const step = { ...claim, newSessionHash: hashToken(value), acr, authenticatedAt };
    const isFirst = await this.desk.storeForVisitor(verification, claim, () =>
      this.sessions.completeSignIn({ ...step, now: this.clock.now() }),
    );
    return isFirst
      ? this.visits.createWayOn({ landing, cookie: this.visits.createCookie(value) })
      : this.#followOther({ visit, psuId, landing, oneTimeCode });
  }

  // The browser keeps the answer to one of two clicks, so both get the new value of the session. Only a click with the
  // same code, that came while the session had the old value, does: afterwards the old value is worthless.
  async #followOther(click: {
    visit: ApprovalVisit;
    psuId: string;
    landing: string | undefined;
    oneTimeCode: string | undefined;
  }): Promise<Answer> {
    const { visit, psuId, landing, oneTimeCode } = click;
    const { value } = visit;
    const session = await this.desk.awaitCheckOfVisitor(hashToken(value));
    if (session !== undefined) {
      // The other answer was wrong, and counts for both, or the page continues with it.
      return leadTo(signInAddress(landing), session.challenge?.verified ? undefined : { name: 'wrongCode' });
    }
    for (const next of nextSessionValues(this.config.secrets.sessionKeys, { value, oneTimeCode })) {
      const found = await this.sessions.find(hashToken(next), this.clock.now());
      if (found?.psuId === psuId) return this.visits.createWayOn({ landing, cookie: this.visits.createCookie(next) });
    }
    return this.visits.createWayOn({ landing });
  }

  #nextValue({ value }: ApprovalVisit, oneTimeCode?: string): string {
    return createNextSessionValue({ secret: currentKey(this.config.secrets.sessionKeys).key, value, oneTimeCode });
  }

  @PostForm('sign-out')
  async signOut(@Form() request: PageRequest): Promise<Answer> {
    const { value } = await this.visits.findForForm(request);
    await this.sessions.end(hashToken(value));
    return this.visits.createWayOn({ cookie: createApprovalCookie(value, 0) });
  }

  async #start(
    customer: { psuId: string; displayName: string; landing: string | undefined },
    value: string,
    call: BankCall,
  ): Promise<Answer> {
    const { psuId, displayName: psuName, landing } = customer;
    const key = { sessionId: uuidv7(), sessionHash: hashToken(value) };
    const now = this.clock.now();
    const { idleSeconds, sessionSeconds } = this.config.authorization;
    const expiresAt = new Date(now.getTime() + Math.min(idleSeconds, sessionSeconds) * 1_000);
    if (await this.sessions.start({ ...key, psuId, psuName, now, expiresAt })) {
      await this.#askFirst(psuId, key, call);
    } else {
      const other = await this.desk.awaitVisitor(key.sessionHash);
      // The other click was somebody else's, or failed, or its session has the second factor, which this one lacks.
      if (other?.psuId !== psuId || other.acr !== undefined) return this.#start(customer, createRandomToken(), call);
    }
    return this.visits.createWayOn({ landing, cookie: this.visits.createCookie(value) });
  }

  async #askFirst(psuId: string, key: SessionKey, call: BankCall): Promise<void> {
    try {
      const challenge = await this.desk.ask(createBinding(psuId, call.interactionId), call);
      await this.sessions.enterChallenge({ key, challenge, started: 1, now: this.clock.now() });
    } catch (error) {
      await this.sessions.end(key.sessionHash);
      throw error;
    }
  }

  #createSignInPage(
    { value }: ApprovalVisit,
    { word, interactionId: reference }: PageRequest,
    { landing, isEnded }: { landing: string | undefined; isEnded: boolean },
  ): Answer {
    const problem = problemOf(word);
    const page = this.renderer.render('approval-sign-in', () => ({
      reference,
      csrfToken: createCsrfToken(value),
      ownAddress: signInAddress(landing),
      landing,
      ...signInWords(landing),
      username: word?.value ?? '',
      problem,
      isEnded,
    }));
    return {
      kind: 'page',
      status: problem === undefined ? 200 : 400,
      page,
      cookies: [this.visits.createCookie(value)],
    };
  }
}

function landingOf(form: PageRequest['form']): string | undefined {
  return readLanding(form.get(toParameter));
}

function createBinding(psuId: string, interactionId: string): ChallengeBinding {
  return { purpose: 'SignIn', psuId, interactionId };
}
