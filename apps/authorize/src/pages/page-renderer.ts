import type { Asset, Look } from '../look/create-look.js';
import { waitingAddress } from '../psu-session/page-request.js';
import type { MessageKey } from '../wording/en.js';
import { inLanguage, locales, type Language } from '../wording/languages.js';
import { element, fitsOnLine, foreignText, type Html, type MessageValues, type Words } from '../wording/words.js';
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

/** Every page by the name of its template, with its title. */
const titles = {
  'sign-in': titled<SignInPage>('signIn.title'),
  'second-factor': titled<SecondFactorPage>('question.signInTitle'),
  challenge: titled<ChallengePage>(({ access }) => access?.wording?.challenge ?? 'challenge.title'),
  end: titled<EndPage>(({ heading }) => heading),
  front: titled<FrontPage>('front.title'),
  'more-time': titled<MoreTimePage>('moreTime.title'),
  consent: titled<ConsentPage>('consent.title'),
  'decline-page': titled<DeclinePage>('decline.title'),
  identity: titled<IdentityPage>('identity.title'),
  access: titled<AccessPage>(({ wording }) => wording.title),
  'approval-sign-in': titled<ApprovalSignInPage>(({ title }) => title),
  'approval-challenge': titled<ApprovalChallengePage>(({ payment }) =>
    payment === undefined ? 'question.signInTitle' : 'challenge.title',
  ),
  'approval-list': titled<ApprovalListPage>('waiting.title'),
  'lasting-access': titled<LastingAccessPage>('access.title'),
  funds: titled<FundsPage>('funds.title'),
  'end-access': titled<EndAccessPage>('access.confirmTitle'),
  sessions: titled<SessionsPage>('sessions.title'),
  decided: titled<DecidedPage>('decided.title'),
  'payment-approval': titled<PaymentApprovalPage>(({ outcome }) =>
    outcome === undefined ? 'consent.title' : 'file.title',
  ),
  error: titled<ErrorPage>(({ heading }) => heading),
};

type PageName = keyof typeof titles;
type PageOf<Name extends PageName> = Parameters<(typeof titles)[Name]>[0];
type Shown = PageFrame & { readonly problem?: FormProblem | undefined; readonly count?: number };

function titled<Page extends Shown>(title: MessageKey | ((page: Page) => MessageKey)): (page: Page) => MessageKey {
  return typeof title === 'function' ? title : () => title;
}

/** Renders the PSU's pages. Every value is escaped; templates are compiled once. */
export class PageRenderer {
  readonly #eta = createEta();

  constructor(private readonly look: Look) {}

  /** what the pages load */
  get assets(): readonly Asset[] {
    const { stylesheet, script, logo } = this.look;
    return [stylesheet, script, ...(logo === undefined ? [] : [logo])];
  }

  /** @param name of the template of the page */
  render<Name extends PageName>(name: Name, create: Create<PageOf<Name>>): ReadablePage {
    return (reading) => {
      const words = this.look.wording[reading.language];
      const page = create(words);
      const { problem, count = 0 }: Shown = page;
      const titleOf = titles[name] as (page: PageOf<Name>) => MessageKey;
      const title = words.text(titleOf(page), { count });
      // Screen readers read the mistake first.
      const heard = problem === undefined ? title : words.text('layout.errorTitle', { title });
      return this.#render({ template: `@${name}`, page, words, title: heard, reading });
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
    fitsOnLine,
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
      const number = asker.registerNumber;
      const registerNumber = fitsOnLine(number) ? element('class="unbroken"', number, 'bdi') : foreignText(number);
      const registered = { organisation, registerNumber };
      return agent(
        isSameName(asker) ? h('common.askerAlone', registered) : h('common.asker', { client, ...registered }),
        asker,
      );
    },
  };
}

/** Opens in a new tab, so that the page keeps what was typed. */
function link(address: string, text: string): Html {
  const target = `href="${encodeURI(address)}" target="_blank" rel="noopener"`;
  return element(target, text, 'a');
}

type Named = Pick<Asker, 'clientName' | 'onBehalfOfOrg'>;

/** An app with the name of its organisation is named once. */
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
