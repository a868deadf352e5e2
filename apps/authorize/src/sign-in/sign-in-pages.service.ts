import { Injectable } from '@nestjs/common';
import { createJourneyPage } from '../pages/journey-page.js';
import { PageRenderer } from '../pages/page-renderer.js';
import type { PageAnswer } from '../pages/answer.js';
import { problemOf, type CarriedWord } from '../pages/carried-word.js';
import type { SignInPage } from '../pages/page-models.js';
import type { OpenSession } from '../psu-session/open-session.js';

/** The page of the sign-in. With a problem it is shown again, with status 400. */
@Injectable()
export class SignInPages {
  constructor(private readonly renderer: PageRenderer) {}

  createSignInPage(open: OpenSession, word?: CarriedWord): PageAnswer {
    const problem = problemOf(word);
    const page = this.renderer.render('sign-in', (words) => ({
      ...createJourneyPage(open, words, problem),
      purpose: purposeOf(open.session),
      username: word?.value ?? '',
    }));
    const { redirectUri, uiLocales } = open.session.request;
    return { kind: 'page', status: problem === undefined ? 200 : 400, page, redirectUri, uiLocales };
  }
}

function purposeOf({ consentId, request: { scope } }: OpenSession['session']): SignInPage['purpose'] {
  if (scope.includes('payments')) return 'payment';
  if (consentId === undefined) return 'identity';
  return scope.includes('fundsconfirmations') ? 'funds' : 'access';
}
