import { Eta } from 'eta/core';
import { lastingAccessTemplate } from './access-template.js';
import {
  approvalListTemplate,
  approvalSecondFactorTemplate,
  approvalSignInTemplate,
  consentTemplate,
  credentialsTemplate,
  declineTemplate,
  errorTemplate,
  hiddenFieldsTemplate,
  identityTemplate,
  layoutTemplate,
  oneTimeCodeTemplate,
  paymentApprovalTemplate,
  paymentSummaryTemplate,
  problemTemplate,
  secondFactorTemplate,
  signInTemplate,
} from './templates.js';
import type {
  ApprovalFrame,
  ApprovalListPage,
  ApprovalSignInPage,
  ConsentPage,
  ErrorPage,
  IdentityPage,
  LastingAccessPage,
  PageFrame,
  PaymentApprovalPage,
  SecondFactorPage,
  SignInPage,
} from './page-models.js';
import { stylesheetPath } from './stylesheet.js';

/** Renders the PSU's pages. Every value is escaped; templates are compiled once. */
export class PageRenderer {
  readonly #bankName: string;
  readonly #eta = createEta();

  constructor(bankName: string) {
    this.#bankName = bankName;
  }

  renderSignIn(page: SignInPage): string {
    return this.#render('@sign-in', page.problem === undefined ? 'Sign in' : 'Problem: Sign in', page);
  }

  renderSecondFactor(page: SecondFactorPage): string {
    const title = 'Enter your one-time code';
    return this.#render('@second-factor', page.problem === undefined ? title : `Problem: ${title}`, page);
  }

  renderConsent(page: ConsentPage): string {
    const title = 'Approve this file of payments?';
    return this.#render('@consent', page.problem === undefined ? title : `Problem: ${title}`, page);
  }

  renderIdentity(page: IdentityPage): string {
    return this.#render('@identity', 'Confirm who you are?', page);
  }

  renderApprovalSignIn(page: ApprovalSignInPage): string {
    const title = 'Sign in to approve payments';
    return this.#render('@approval-sign-in', page.problem === undefined ? title : `Problem: ${title}`, page);
  }

  renderApprovalSecondFactor(page: ApprovalFrame): string {
    const title = 'Enter your one-time code';
    return this.#render('@approval-second-factor', page.problem === undefined ? title : `Problem: ${title}`, page);
  }

  renderApprovalList(page: ApprovalListPage): string {
    return this.#render('@approval-list', 'Payments that wait for you', page);
  }

  renderLastingAccess(page: LastingAccessPage): string {
    return this.#render('@lasting-access', 'Access that lasts', page);
  }

  renderPaymentApproval(page: PaymentApprovalPage): string {
    const title = page.outcome === undefined ? 'Approve this file of payments?' : 'A file of payments';
    return this.#render('@payment-approval', page.problem === undefined ? title : `Problem: ${title}`, page);
  }

  renderError(page: ErrorPage): string {
    return this.#render('@error', page.heading, page);
  }

  #render(template: string, title: string, page: PageFrame): string {
    const content = this.#eta.render(template, page);
    const { reference, psuName, closesAt } = page;
    const frame = {
      title,
      content,
      bankName: this.#bankName,
      stylesheet: stylesheetPath,
      reference,
      psuName,
      closesAt,
    };
    return this.#eta.render('@layout', frame);
  }
}

function createEta(): Eta {
  const eta = new Eta({ autoEscape: true, cache: true, debug: false });
  eta.loadTemplate('@layout', layoutTemplate);
  eta.loadTemplate('@problem', problemTemplate);
  eta.loadTemplate('@hidden-fields', hiddenFieldsTemplate);
  eta.loadTemplate('@decline', declineTemplate);
  eta.loadTemplate('@credentials', credentialsTemplate);
  eta.loadTemplate('@one-time-code', oneTimeCodeTemplate);
  eta.loadTemplate('@payment-summary', paymentSummaryTemplate);
  eta.loadTemplate('@approval-sign-in', approvalSignInTemplate);
  eta.loadTemplate('@approval-second-factor', approvalSecondFactorTemplate);
  eta.loadTemplate('@approval-list', approvalListTemplate);
  eta.loadTemplate('@payment-approval', paymentApprovalTemplate);
  eta.loadTemplate('@lasting-access', lastingAccessTemplate);
  eta.loadTemplate('@sign-in', signInTemplate);
  eta.loadTemplate('@second-factor', secondFactorTemplate);
  eta.loadTemplate('@consent', consentTemplate);
  eta.loadTemplate('@identity', identityTemplate);
  eta.loadTemplate('@error', errorTemplate);
  return eta;
}
