import type { Asset, Look } from '../look/create-look.js';
import { waitingAddress } from '../psu-session/page-request.js';
import type { MessageKey } from '../wording/en.js';
import { inLanguage, locales, type Language } from '../wording/languages.js';
import { element, foreignText, type Html, type MessageValues, type Words } from '../wording/words.js';
import type {
  AccessPage,
  ApprovalChallengePage,
  ApprovalListPage,
  ApprovalSignInPage,
  Asker,
  ChallengePage,
  ChallengeParts,
  ConsentPage,
  DecidedPage,
  DeclinePage,
  EndAccessPage,
  EndPage,
  ErrorPage,
  FormProblem,
  FundsPage,
  FrontPage,
  IdentityPage,
  LastingAccessPage,
  MoreTimePage,
  PageFrame,
  PaymentApprovalPage,
  SecondFactorPage,
  SessionsPage,
  SignInPage,
} from './page-models.js';
import { createEta } from './create-eta.js';

/** The reader of a page. */
export interface Reading {
  readonly language: Language;
  /** address of the page, if a link can lead back to it */
  readonly address?: string | undefined;
}

/** A page that can be rendered in any language. */
export type ReadablePage = (reading: Reading) => string;

/** Formats the values of a page. */
type Create<Page> = (words: Words) => Page;

/** Renders the PSU's pages. Every value is escaped; templates are compiled once. */
export class PageRenderer {
  readonly #eta = createEta();

  constructor(private readonly look: Look) {}

  /** what the pages load */
  get assets(): readonly Asset[] {
    const { stylesheet, script, logo } = this.look;
    return [stylesheet, script, ...(logo === undefined ? [] : [logo])];
  }

  renderSignIn(create: Create<SignInPage>): ReadablePage {
    return this.#prepare('@sign-in', create, () => 'signIn.title');
  }

  renderSecondFactor(create: Create<SecondFactorPage>): ReadablePage {
    return this.#prepare('@second-factor', create, () => 'question.signInTitle');
  }

  renderChallenge(create: Create<ChallengePage>): ReadablePage {
    return this.#prepare('@challenge', create, () => 'challenge.title');
  }

  renderEnd(create: Create<EndPage>): ReadablePage {
    return this.#prepare('@end', create, ({ heading }) => heading);
  }

  renderFront(create: Create<FrontPage>): ReadablePage {
    return this.#prepare('@front', create, () => 'front.title');
  }

  renderMoreTime(create: Create<MoreTimePage>): ReadablePage {
    return this.#prepare('@more-time', create, () => 'moreTime.title');
  }

  renderConsent(create: Create<ConsentPage>): ReadablePage {
    return this.#prepare('@consent', create, () => 'consent.title');
  }

  renderDecline(create: Create<DeclinePage>): ReadablePage {
    return this.#prepare('@decline-page', create, () => 'decline.title');
  }

  renderIdentity(create: Create<IdentityPage>): ReadablePage {
    return this.#prepare('@identity', create, () => 'identity.title');
  }

  renderAccess(create: Create<AccessPage>): ReadablePage {
    return this.#prepare('@access', create, ({ wording }) => wording.title);
  }

  renderApprovalSignIn(create: Create<ApprovalSignInPage>): ReadablePage {
    return this.#prepare('@approval-sign-in', create, () => 'approvalSignIn.title');
  }

  renderApprovalChallenge(create: Create<ApprovalChallengePage>): ReadablePage {
    return this.#prepare('@approval-challenge', create, ({ payment }) =>
      payment === undefined ? 'question.signInTitle' : 'challenge.title',
    );
  }

  renderApprovalList(create: Create<ApprovalListPage>): ReadablePage {
    return this.#prepare('@approval-list', create, () => 'waiting.title');
  }

  renderLastingAccess(create: Create<LastingAccessPage>): ReadablePage {
    return this.#prepare('@lasting-access', create, () => 'access.title');
  }

  renderFunds(create: Create<FundsPage>): ReadablePage {
    return this.#prepare('@funds', create, () => 'funds.title');
  }

  renderEndAccess(create: Create<EndAccessPage>): ReadablePage {
    return this.#prepare('@end-access', create, () => 'access.confirmTitle');
  }

  renderSessions(create: Create<SessionsPage>): ReadablePage {
    return this.#prepare('@sessions', create, () => 'sessions.title');
  }

  renderDecided(create: Create<DecidedPage>): ReadablePage {
    return this.#prepare('@decided', create, () => 'decided.title');
  }

  renderPaymentApproval(create: Create<PaymentApprovalPage>): ReadablePage {
    return this.#prepare('@payment-approval', create, ({ outcome }) =>
      outcome === undefined ? 'consent.title' : 'file.title',
    );
  }

  renderError(create: Create<ErrorPage>): ReadablePage {
    return this.#prepare('@error', create, ({ heading }) => heading);
  }

  #prepare<Page extends PageFrame & { readonly problem?: FormProblem | undefined; readonly count?: number }>(
    template: string,
    create: Create<Page>,
    titleOf: (page: Page) => MessageKey,
  ): ReadablePage {
    return (reading) => {
      const words = this.look.wording[reading.language];
      const page = create(words);
      const { count = 0 } = page;
      const title = words.text(titleOf(page), { count });
      // Screen readers read the mistake first.
      const heard = page.problem === undefined ? title : words.text('layout.errorTitle', { title });
      return this.#render({ template, page, words, title: heard, reading });
    };
  }

  #render(of: { template: string; page: PageFrame; words: Words; title: string; reading: Reading }): string {
    const { template, page, words, title, reading } = of;
    const phrases = phrasesOf(words);
    const { reference, psuName, closesAt, moreTimeAddress } = page;
    const other: Language = words.language === 'en' ? 'cy' : 'en';
    const address = reading.address ?? page.ownAddress;
    return this.#eta.render('@layout', {
      ...phrases,
      title,
      content: this.#eta.render(template, { ...page, ...phrases }),
      ...this.look,
      locale: locales[words.language],
      otherLanguage: other,
      languageAddress: address && inLanguage(address, other),
      reference,
      psuName,
      closesAt,
      moreTimeAddress,
      wait: waitOf(page),
    });
  }
}

/** The functions with which templates write texts. */
function phrasesOf(words: Words) {
  const h = (key: MessageKey, values?: MessageValues): Html => words.html(key, values);
  const agent = (name: Html, { onBehalfOfOrg: principal }: Named): Html =>
    principal === undefined ? name : h('common.onBehalfOf', { agent: name, principal: foreignText(principal) });
  return {
    t: (key: MessageKey, values?: MessageValues): string => words.text(key, values),
    h,
    element,
    foreign: foreignText,
    link,
    /** the app's own name */
    client: (app: Named): Html => agent(foreignText(app.clientName), app),
    /** the app's own name if it has one, and its organisation's */
    app: (app: Named & Pick<Asker, 'orgName'>): Html => {
      const [client, organisation] = [foreignText(app.clientName), foreignText(app.orgName)];
      return agent(isSameName(app) ? client : h('access.name', { client, organisation }), app);
    },
    /** the same, and the organisation's number in the register */
    asker: (asker: Asker): Html => {
      const [client, organisation] = [foreignText(asker.clientName), foreignText(asker.orgName)];
      const registered = { organisation, registerNumber: foreignText(asker.registerNumber) };
      return agent(
        isSameName(asker) ? h('common.askerAlone', registered) : h('common.asker', { client, ...registered }),
        asker,
      );
    },
  };
}

/** Opens beside the page, which keeps what was typed. */
function link(address: string, text: string): Html {
  const target = `href="${encodeURI(address)}" target="_blank" rel="noopener"`;
  return element(target, text, 'a');
}

type Named = Pick<Asker, 'clientName' | 'onBehalfOfOrg'>;

/** An app that is called as its organisation is named once. */
function isSameName({ clientName, orgName }: Pick<Asker, 'clientName' | 'orgName'>): boolean {
  return clientName.trim().toLowerCase() === orgName.trim().toLowerCase();
}

/** A page without input fields reloads itself; one with a field does not, because that would discard the input. */
function waitOf(
  page: PageFrame & Partial<ChallengeParts> & { readonly problem?: FormProblem | undefined },
): { ownAddress: string; statusAddress: string } | undefined {
  const { question, ownAddress, statusAddress, problem } = page;
  // A refused or expired challenge does not change any more; the customer must ask for another.
  if (problem !== undefined) return undefined;
  if (question?.hasPush !== true || question.hasCode || ownAddress === undefined || statusAddress === undefined)
    return undefined;
  return { ownAddress: waitingAddress(ownAddress), statusAddress };
}
