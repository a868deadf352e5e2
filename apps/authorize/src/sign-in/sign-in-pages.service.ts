import { Injectable } from '@nestjs/common';
import { createJourneyPage } from '../pages/journey-page.js';
import { PageRenderer } from '../pages/page-renderer.js';
import type { Answer } from '../pages/answer.js';
import type { FormProblem } from '../pages/page-models.js';
import type { OpenSession } from '../psu-session/open-session.js';

/** A page as an answer. */
export type PageAnswer = Extract<Answer, { kind: 'page' }>;

/** The two pages of the sign-in. With a problem they are shown again, with status 400. */
@Injectable()
export class SignInPages {
  readonly #renderer: PageRenderer;

  constructor(renderer: PageRenderer) {
    this.#renderer = renderer;
  }

  createSignInPage(open: OpenSession, mistake?: { problem: FormProblem; username: string }): PageAnswer {
    const html = this.#renderer.renderSignIn({
      ...createJourneyPage(open, mistake?.problem),
      isPayment: open.session.consentId !== undefined,
      username: mistake?.username ?? '',
    });
    return toPage(open, html, mistake?.problem);
  }

  createSecondFactorPage(open: OpenSession, problem?: FormProblem): PageAnswer {
    return toPage(open, this.#renderer.renderSecondFactor(createJourneyPage(open, problem)), problem);
  }
}

function toPage(open: OpenSession, html: string, problem: FormProblem | undefined): PageAnswer {
  const status = problem === undefined ? 200 : 400;
  return { kind: 'page', status, html, redirectUri: open.session.request.redirectUri };
}
