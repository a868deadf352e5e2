import { Eta } from 'eta/core';
import * as approvals from './approval-templates.js';
import { paymentAccountTemplate, paymentSummaryTemplate, paymentTextsTemplate } from './payment-summary-template.js';
import * as journey from './templates.js';

/** @returns all templates, compiled when they are first used */
export function createEta(): Eta {
  const eta = new Eta({ autoEscape: true, cache: true, debug: false });
  for (const [name, template] of Object.entries(templates)) eta.loadTemplate(`@${name}`, template);
  return eta;
}

/** By the names under which they are included. */
export const templates = {
  layout: journey.layoutTemplate,
  problem: journey.problemTemplate,
  'hidden-fields': journey.hiddenFieldsTemplate,
  'decline-reason': journey.declineReasonTemplate,
  'decline-page': journey.declinePageTemplate,
  decline: journey.declineTemplate,
  step: journey.stepTemplate,
  total: journey.totalTemplate,
  credentials: journey.credentialsTemplate,
  'one-time-code': journey.oneTimeCodeTemplate,
  question: journey.questionTemplate,
  'payment-summary': paymentSummaryTemplate,
  'payment-account': paymentAccountTemplate,
  'payment-texts': paymentTextsTemplate,
  'sign-in': journey.signInTemplate,
  'second-factor': journey.secondFactorTemplate,
  consent: journey.consentTemplate,
  identity: journey.identityTemplate,
  access: journey.accessTemplate,
  clusters: journey.clustersTemplate,
  account: journey.accountTemplate,
  'account-choice': journey.accountChoiceTemplate,
  challenge: journey.challengeTemplate,
  end: journey.endTemplate,
  error: journey.errorTemplate,
  front: journey.frontTemplate,
  'more-time': journey.moreTimeTemplate,
  'approval-sign-in': approvals.approvalSignInTemplate,
  'approval-challenge': approvals.approvalChallengeTemplate,
  decisions: approvals.decisionsTemplate,
  'approval-list': approvals.approvalListTemplate,
  'payment-approval': approvals.paymentApprovalTemplate,
  'lasting-access': approvals.lastingAccessTemplate,
  funds: approvals.fundsTemplate,
  'end-access': approvals.endAccessTemplate,
  sessions: approvals.sessionsTemplate,
  decided: approvals.decidedTemplate,
};
