// Eta templates: <%= %> escapes, <%~ %> does not and is used for parts that are templates or markup themselves.
// Templates contain no text: `t` and `h` find it in the wording of the language, as text and as markup
// (wording/words.ts). Text from a TPP or a payment file is in <bdi> (`foreign`), so that right-to-left characters in it
// cannot rearrange the page.

export const layoutTemplate = `<!DOCTYPE html>
<html lang="<%= it.locale %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title><%= it.t('layout.title', { title: it.title, bank: it.bankName }) %></title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="<%= it.stylesheet.path %>">
<% if (it.wait) { %><script src="<%= it.script.path %>" data-status="<%= it.wait.statusAddress %>" data-own="<%= it.wait.ownAddress %>" defer></script>
<noscript><meta http-equiv="refresh" content="5; url=<%= it.wait.ownAddress %>"></noscript>
<% } %></head>
<body>
<a class="skip-link" href="#main"><%= it.t('layout.skip') %></a>
<header class="site-header"><div class="frame">
<p class="bank-name"><% if (it.logo) { %><img class="logo" src="<%= it.logo.path %>" alt=""><% } %><%= it.bankName %></p>
<% if (it.languageAddress) { %><p class="language"><a id="language" href="<%= it.languageAddress %>" lang="<%= it.otherLanguage %>" hreflang="<%= it.otherLanguage %>"><%= it.t('layout.otherLanguage') %></a></p><% } %>
<% if (it.psuName) { %><p class="signed-in"><%~ it.h('layout.signedInAs', { name: it.foreign(it.psuName) }) %></p><% } %>
</div></header>
<main id="main" class="frame" tabindex="-1">
<%~ it.content %>
</main>
<footer class="site-footer"><div class="frame">
<% if (it.closesAt) { %><p id="session-end"><%~ it.h(it.psuName ? 'layout.sessionEnd' : 'layout.pageEnd', { time: it.closesAt }) %> <% if (it.moreTimeAddress) { %><a href="<%= it.moreTimeAddress %>" id="more-time" target="_blank" rel="noopener"><%~ it.h('layout.moreTime') %></a><% } %></p><% } %>
<% if (it.helpLine) { %><p id="help-line"><%~ it.h('layout.helpLine', { helpLine: it.element('class="help-line"', it.helpLine) }) %></p>
<% } %><% if (it.helpUrl || it.privacyUrl || it.accessibilityUrl) { %><nav aria-label="<%= it.t('layout.links') %>"><ul>
<% if (it.helpUrl) { %><li><a id="help" href="<%= it.helpUrl %>" target="_blank" rel="noopener"><%~ it.h('layout.help') %></a></li><% } %>
<% if (it.privacyUrl) { %><li><a id="privacy" href="<%= it.privacyUrl %>" target="_blank" rel="noopener"><%~ it.h('layout.privacy') %></a></li><% } %>
<% if (it.accessibilityUrl) { %><li><a id="accessibility" href="<%= it.accessibilityUrl %>" target="_blank" rel="noopener"><%~ it.h('layout.accessibility') %></a></li><% } %>
</ul></nav>
<% } %><p><%~ it.h('layout.reference', { reference: it.element('class="reference" data-interaction-id="' + it.reference + '"', it.reference.slice(-8)) }) %></p>
</div></footer>
</body>
</html>
`;

export const problemTemplate = `<% if (it.problem) { %>
<div class="problem" id="error" role="alert" tabindex="-1" autofocus aria-labelledby="error-title">
<h2 id="error-title"><%= it.t('problem.title') %></h2>
<p><a href="#<%= it.problem.fieldId %>"><%= it.t(it.problem.message) %></a></p>
<span hidden id="error-code"><%= it.problem.code %></span>
</div>
<% } %><% if (it.notice) { %><p class="notice" id="notice" role="status"><%= it.t(it.question && !it.question.hasCode ? 'notice.askedAgain' : it.notice) %></p>
<% } %>`;

/** A page in another tab may belong to a challenge other than the current one. */
export const challengeOfForm = `<% if (it.question) { %><input type="hidden" name="challenge" value="<%= it.question.challenge %>"><% } %>`;

export const hiddenFieldsTemplate = `<% if (it.sessionId) { %><input type="hidden" name="authorization" value="<%= it.sessionId %>">
<% } %><input type="hidden" name="csrf_token" value="<%= it.csrfToken %>">
${challengeOfForm}`;

/** An optional reason for declining. */
export const declineReasonTemplate = `<div class="field decline-reason">
<label for="decline-reason"><%= it.t('decline.why') %></label>
<select id="decline-reason" name="decline_reason">
<option value=""><%= it.t('decline.noReason') %></option>
<% for (const reason of ['ChangedMind', 'NotRecognised', 'WrongDetails', 'SuspectedFraud', 'Other']) { %><option value="<%= reason %>"><%= it.t('decline.' + reason) %></option>
<% } %></select>
</div>`;

/** While the customer reads the request, a page of its own asks why. */
export const declineTemplate = `<% if (it.isReading && !it.question) { %><p class="decline-form"><a id="decline" class="button secondary" href="<%= it.ownAddress %>&amp;decline=1"><%= it.t('common.decline') %></a></p>
<% } else { %><form method="post" action="/decline" class="decline-form">
<%~ include('@hidden-fields', it) %>
<button type="submit" id="decline" class="button secondary"><%= it.t(it.isReading ? 'common.decline' : 'common.cancel') %></button>
</form>
<% } %>`;

/** Asks once more, and for a reason. */
export const declinePageTemplate = `<h1><%= it.t('decline.title') %></h1>
<p class="lead"><%= it.t('decline.lead') %></p>
<form method="post" action="<%= it.action %>">
<%~ include('@hidden-fields', it) %>
<% if (it.filePaymentId) { %><input type="hidden" name="file_payment" value="<%= it.filePaymentId %>">
<% } %><%~ include('@decline-reason', it) %>
<button type="submit" id="decline" class="button"><%= it.t('common.decline') %></button>
</form>
<p class="decline-form"><a id="back" class="button secondary" href="<%= it.ownAddress %>"><%= it.t('decline.back') %></a></p>`;

export const stepTemplate = `<p class="step"><%= it.t('common.step', { step: it.step, steps: 3 }) %></p>`;

/** The total, and how many payments it is or to whom the one goes. */
export const totalTemplate = `<% const amount = it.element('class="amount"', it.total); %><%~ it.payee === undefined ? it.h('common.total', { amount, count: it.count }) : it.h('common.payTo', { amount, payee: it.foreign(it.payee) }) %>`;

export const signInTemplate = `<%~ include('@problem', it) %>
<%~ include('@step', { ...it, step: 1 }) %>
<h1><%= it.t('signIn.title') %></h1>
<p class="lead"><%~ it.h('signIn.' + it.purpose, { client: it.client(it) }) %> <%= it.t('signIn.next') %></p>
<form method="post" action="/sign-in" novalidate>
<%~ include('@hidden-fields', it) %>
<%~ include('@credentials', it) %>
</form>
<%~ include('@decline', it) %>`;

export const secondFactorTemplate = `<%~ include('@problem', it) %>
<h1><%= it.t('question.signInTitle') %></h1>
<% if (it.question) { %><%~ include('@question', it) %>
<% if (it.question.hasCode) { %><form method="post" action="/second-factor" novalidate>
<%~ include('@hidden-fields', it) %>
<%~ include('@one-time-code', it) %>
</form>
<% } %><% } %><form method="post" action="/second-factor/again" class="decline-form">
<%~ include('@hidden-fields', it) %>
<button type="submit" id="again" class="button secondary"><%= it.t(!it.question ? 'question.first' : it.question.hasCode ? 'question.again' : 'question.againApp') %></button>
</form>
<%~ include('@decline', it) %>`;

export const questionTemplate = `<div class="lead" id="one-time-code-hint">
<% if (it.question.hasCode) { %><p><%= it.t(it.question.codeBy === 'TextMessage' ? 'question.textMessage' : it.question.codeBy === 'Device' ? 'question.device' : 'question.code') %> <%= it.t('question.keepSecret') %></p>
<% } %><% if (it.question.hasPush) { %><p><%= it.t(it.question.hasCode ? 'question.orApp' : 'question.app') %></p><% } %>
</div>
<% if (it.question.hasPush) { %><p id="waiting" role="status" class="waiting"><%= it.t('question.waiting') %> <a href="<%= it.ownAddress %>" id="check"><%= it.t('question.answered') %></a></p>
<% } %>`;

export const challengeTemplate = `<%~ include('@problem', it) %>
<%~ include('@step', { ...it, step: 3 }) %>
<h1><%= it.t('challenge.title') %></h1>
<section id="challenge-summary" aria-labelledby="challenge-title">
<h2 id="challenge-title" class="visually-hidden"><%= it.t('challenge.what') %></h2>
<% if (it.payment) { %><p class="total"><%~ include('@total', { ...it, ...it.payment }) %></p>
<p><%~ it.h('challenge.payment', { account: it.account ?? '', asker: it.asker(it) }) %></p>
<% } else { %><p><%~ it.h('challenge.access', { asker: it.asker(it) }) %></p>
<% if (it.access) { %><p><%= it.t(it.access.wording ? it.access.wording.may : 'challenge.may') %></p>
<%~ include('@clusters', { clusters: it.access.permissions }) %>
<% if (it.access.accounts) { %><p><%= it.t('read.accountsOf') %></p>
<ul><% for (const name of it.access.accounts) { %><li><bdi><%= name %></bdi></li><% } %></ul>
<p><%~ it.access.endsOn ? it.h(it.access.wording.until, { day: it.access.endsOn }) : it.h('read.open') %></p>
<% } else if (it.access.endsOn) { %><p><%~ it.h('challenge.until', { day: it.access.endsOn }) %></p>
<% } } } %></section>
<p class="safety" id="safety"><%= it.t('challenge.sameDetails') %></p>
<%~ include('@question', it) %>
<% if (it.question.hasCode) { %><form method="post" action="/challenge" novalidate>
<%~ include('@hidden-fields', it) %>
<%~ include('@one-time-code', it) %>
</form>
<% } %><form method="post" action="/challenge/again" class="decline-form">
<%~ include('@hidden-fields', it) %>
<button type="submit" id="again" class="button secondary"><%= it.t(it.question.hasCode ? 'question.again' : 'question.againApp') %></button>
</form>
<%~ include('@decline', it) %>
<p class="hint way-back"><a href="<%= it.backAddress %>" id="read-again"><%= it.t(it.payment ? 'challenge.readPayments' : 'challenge.readDetails', it.payment) %></a></p>`;

export const endTemplate = `<h1><%= it.t(it.heading) %></h1>
<div id="outcome" role="status">
<p class="lead"><%= it.t(it.text) %></p>
<p><%= it.t(it.whatNow) %></p>
<% if (it.code) { %><span id="error" hidden><span id="error-code"><%= it.code %></span></span><% } %>
</div>
<% if (it.backAddress) { %><p><a class="button" id="back-to-tpp" href="<%= it.backAddress %>"><%~ it.h('end.back', { client: it.foreign(it.clientName) }) %></a></p><% } %>`;

export const moreTimeTemplate = `<h1><%= it.t('moreTime.title') %></h1>
<p class="lead" id="outcome" role="status"><%~ it.h('moreTime.until', { time: it.until }) %></p>
<p><%= it.t('moreTime.next') %></p>`;

export const consentTemplate = `<%~ include('@problem', it) %>
<%~ include('@step', { ...it, step: 2 }) %>
<h1><%= it.t('consent.title', { count: it.count }) %></h1>
<%~ include('@payment-summary', it) %>
<div class="decision" id="decision">
<form method="post" action="/consent" id="approval">
<%~ include('@hidden-fields', it) %>
<input type="hidden" name="shown_order" value="<%= it.order %>">
<input type="hidden" name="file_hash" value="<%= it.fileHash %>">
<input type="hidden" name="payees_shown" value="<%= it.payeesShown %>">
<% const wrongAccount = it.problem && it.problem.fieldId === 'debtor-account-0'; %><fieldset id="debtor-accounts"<% if (wrongAccount) { %> aria-describedby="debtor-accounts-error" class="wrong"<% } %>>
<legend><h2><%= it.t(it.accounts.length === 1 ? 'consent.onlyAccount' : 'consent.whichAccount') %></h2></legend>
<% if (wrongAccount) { %><p class="field-error" id="debtor-accounts-error"><%= it.t(it.problem.message) %></p><% } %>
<% it.accounts.forEach((account, index) => { %><div class="choice<%= account.unusable ? ' unusable' : '' %>">
<input type="radio" name="debtor_account" id="debtor-account-<%= index %>" value="<%= account.value %>" required<%= account.isChosen ? ' checked' : '' %><%= account.unusable ? ' disabled' : '' %> aria-describedby="debtor-account-<%= index %>-notes">
<label for="debtor-account-<%= index %>"><strong><bdi><%= account.name %></bdi></strong> <span class="account"><%= account.identification %></span></label>
<div class="notes" id="debtor-account-<%= index %>-notes"><% if (account.available) { %><p><%= it.t('consent.available', { amount: account.available }) %></p><% } %>
<% if (account.unusable) { %><p class="note"><%= account.unusable %></p><% } %>
<% for (const note of account.notes) { %><p class="note"><%~ note %></p><% } %></div>
</div>
<% }) %></fieldset>
<% if (it.approvalsAddress) { %><div class="next-steps" id="next-steps"><h3><%= it.t('consent.othersTitle') %></h3>
<p><%~ it.h('consent.others', { count: it.count, link: it.link(it.approvalsAddress, it.t('waiting.title')), deadline: it.deadline }) %></p></div>
<% } %><% if (it.accounts.every(({ unusable }) => unusable)) { %><p class="next-steps" id="no-account"><%= it.t('consent.noAccount') %></p>
<% } else { %><button type="submit" id="approve" class="button"><%~ it.h('common.approveAmount', { amount: it.element('class="money"', it.total) }) %></button>
<% } %></form>
<%~ include('@decline', it) %>
<p class="hint way-back"><%~ it.h('consent.next', { client: it.foreign(it.clientName) }) %></p>
</div>`;

export const identityTemplate = `<%~ include('@problem', it) %>
<%~ include('@step', { ...it, step: 2 }) %>
<h1><%= it.t('identity.title') %></h1>
<section id="consent-summary" aria-labelledby="consent-summary-title">
<h2 id="consent-summary-title" class="visually-hidden"><%= it.t('common.summary') %></h2>
<p class="lead"><%~ it.h('identity.asks', { asker: it.asker(it) }) %></p>
<%~ include('@clusters', { clusters: it.permissions }) %>
<p><%= it.t('identity.limits') %></p>
<% if (it.lastsUntil) { %><p id="lasting"><%~ it.h('identity.lasting', { day: it.lastsUntil, link: it.link(it.accessAddress, it.t('access.title')) }) %></p>
<% } %></section>
<div class="decision">
<form method="post" action="/consent">
<%~ include('@hidden-fields', it) %>
<button type="submit" id="approve" class="button"><%= it.t('common.approve') %></button>
</form>
<%~ include('@decline', it) %>
<p class="hint way-back"><%~ it.h('identity.next', { client: it.foreign(it.clientName) }) %></p>
</div>`;

/** What access allows: each cluster of data, and what is in it on demand. */
export const clustersTemplate = `<ul class="clusters"><% for (const { title, texts } of it.clusters) { %><li><% if (texts.length) { %><details><summary><%= title %></summary><ul><% for (const text of texts) { %><li><%= text %></li><% } %></ul></details><% } else { %><%= title %><% } %></li>
<% } %></ul>`;

export const accountTemplate = `<strong><bdi><%= it.name %></bdi></strong> <span class="account"><%= it.identification %></span>`;

export const accountChoiceTemplate = `<% const isWrong = it.problem && it.problem.fieldId === 'accounts-0'; %><fieldset id="accounts"<% if (isWrong) { %> aria-describedby="accounts-error" class="wrong"<% } %>>
<legend><h2><%= it.t(it.wording.accounts) %></h2></legend>
<% if (isWrong) { %><p class="field-error" id="accounts-error"><%= it.t(it.problem.message) %></p><% } %>
<% it.accounts.forEach((account, index) => { %><div class="choice">
<input type="checkbox" name="accounts" id="accounts-<%= index %>" value="<%= account.value %>"<%= account.isChosen ? ' checked' : '' %>>
<label for="accounts-<%= index %>"><%~ include('@account', account) %></label>
</div>
<% }) %></fieldset>
`;

export const accessTemplate = `<%~ include('@problem', it) %>
<%~ include('@step', { ...it, step: 2 }) %>
<h1><%= it.t(it.wording.title) %></h1>
<section id="consent-summary" aria-labelledby="consent-summary-title">
<h2 id="consent-summary-title" class="visually-hidden"><%= it.t('common.summary') %></h2>
<p class="lead"><%~ it.h(it.wording.asks, { asker: it.asker(it) }) %></p>
<%~ include('@clusters', { clusters: it.permissions }) %>
<% if (it.period) { %><p id="period"><%= it.period %></p>
<% } %><p id="lasting"><%~ it.endsOn ? it.h(it.wording.until, { day: it.endsOn }) : it.h('read.open') %> <%~ it.h('read.end', { link: it.link(it.accessAddress, it.t('access.title')) }) %></p>
<p><%= it.t(it.wording.limits) %></p>
</section>
<div class="decision">
<form method="post" action="/consent" id="approval">
<%~ include('@hidden-fields', it) %>
<% if (it.hasChoice) { %><%~ include('@account-choice', it) %><% } else { %><h2><%= it.t(it.wording.accounts) %></h2>
<% for (const account of it.accounts) { %><p id="account"><%~ include('@account', account) %></p>
<% } } %><button type="submit" id="approve" class="button"><%= it.t(it.wording.button) %></button>
</form>
<%~ include('@decline', it) %>
<p class="hint way-back"><%~ it.h(it.wording.next, { client: it.foreign(it.clientName) }) %></p>
</div>`;

export const errorTemplate = `<div id="error" role="alert" tabindex="-1">
<h1><%= it.t(it.heading) %></h1>
<p class="lead"><%= it.t(it.text) %></p>
<span hidden id="error-code"><%= it.code %></span>
<% if (it.description) { %><p class="hint"><%~ it.h('error.developers', { description: it.element('id="error-description"', it.description) }) %></p>
<% } %></div>`;

export const frontTemplate = `<h1><%= it.t('front.title') %></h1>
<p class="lead"><%= it.t('front.text') %></p>
<p class="hint"><%~ it.h('front.developers', { address: it.element('id="discovery"', it.discoveryAddress) }) %></p>`;

export const credentialsTemplate = `<div class="field<%= it.problem && it.problem.fieldId === 'username' ? ' wrong' : '' %>">
<label for="username"><%= it.t('signIn.username') %></label>
<input id="username" name="username" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="128" required value="<%= it.username %>"<% if (it.problem && it.problem.fieldId === 'username') { %> aria-invalid="true" aria-describedby="error-title username-error"<% } %>>
<% if (it.problem && it.problem.fieldId === 'username') { %><p class="field-error" id="username-error"><%= it.t(it.problem.message) %></p><% } %>
</div>
<div class="field<%= it.problem && it.problem.fieldId === 'password' ? ' wrong' : '' %>">
<label for="password"><%= it.t('signIn.password') %></label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required<% if (it.problem && it.problem.fieldId === 'password') { %> aria-invalid="true" aria-describedby="password-error"<% } %>>
<% if (it.problem && it.problem.fieldId === 'password') { %><p class="field-error" id="password-error"><%= it.t(it.problem.message) %></p><% } %>
</div>
<button type="submit" id="sign-in" class="button"><%= it.t('signIn.button') %></button>`;

export const oneTimeCodeTemplate = `<% const wrongCode = it.problem && it.problem.fieldId === 'one-time-code'; %><div class="field<%= wrongCode ? ' wrong' : '' %>">
<label for="one-time-code"><%= it.t('question.codeLabel') %></label>
<input id="one-time-code" name="one_time_code" class="short" type="text" inputmode="numeric" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="20" required<% if (wrongCode) { %> aria-invalid="true"<% } %> aria-describedby="one-time-code-hint<%= wrongCode ? ' one-time-code-error' : '' %>">
<% if (wrongCode) { %><p class="field-error" id="one-time-code-error"><%= it.t(it.problem.message) %></p><% } %>
</div>
<button type="submit" id="continue" class="button"><% if (it.payment) { %><%~ it.h('common.approveAmount', { amount: it.element('class="money"', it.payment.total) }) %><% } else { %><%= it.t(it.access?.wording?.button ?? (it.access ? 'common.approve' : 'question.continue')) %><% } %></button>`;
