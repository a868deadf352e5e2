// The bank's own pages, which need no TPP (see templates.ts for the notation).

import { challengeOfForm } from './templates.js';

export const approvalToken = `<input type="hidden" name="csrf_token" value="<%= it.csrfToken %>">
${challengeOfForm}`;

export const signOut = `<form method="post" action="/approvals/sign-out" class="decline-form">
${approvalToken}
<button type="submit" id="sign-out" class="button secondary"><%= it.t('common.signOut') %></button>
</form>`;

export const approvalSignInTemplate = `<%~ include('@problem', it) %>
<h1><%= it.t('approvalSignIn.title') %></h1>
<% if (it.isEnded) { %><p class="next-steps" id="outcome" role="status"><%= it.t('approvalSignIn.ended') %></p>
<% } %><p class="lead"><%= it.t('approvalSignIn.lead') %></p>
<form method="post" action="/approvals/sign-in" novalidate>
${approvalToken}
<%~ include('@credentials', it) %>
</form>`;

export const approvalChallengeTemplate = `<%~ include('@problem', it) %>
<% if (it.payment) { %><h1><%= it.t('challenge.title') %></h1>
<section id="challenge-summary" aria-labelledby="challenge-title">
<h2 id="challenge-title" class="visually-hidden"><%= it.t('challenge.what') %></h2>
<p class="total"><%~ include('@total', { ...it, ...it.payment }) %></p>
<p><%~ it.h('challenge.payment', { account: it.account, asker: it.asker(it) }) %></p>
</section>
<p class="safety" id="safety"><%= it.t('challenge.sameDetails') %></p>
<% } else { %><h1><%= it.t('question.signInTitle') %></h1>
<% } %><% if (it.question) { %><%~ include('@question', it) %>
<% if (it.question.hasCode) { %><form method="post" action="<%= it.action %>" novalidate>
${approvalToken}
<%~ include('@one-time-code', it) %>
</form>
<% } %><% } %><form method="post" action="<%= it.againAction %>" class="decline-form">
${approvalToken}
<button type="submit" id="again" class="button secondary"><%= it.t(!it.question ? 'question.first' : it.question.hasCode ? 'question.again' : 'question.againApp') %></button>
</form>
<% if (it.payment) { %><form method="post" action="/approvals/decline" class="decline-form">
${approvalToken}
<input type="hidden" name="file_payment" value="<%= it.payment.filePaymentId %>">
<button type="submit" id="decline" class="button secondary"><%= it.t('common.decline') %></button>
</form>
<p class="hint way-back"><a href="/approvals/payment?file_payment=<%= it.payment.filePaymentId %>" id="read-again"><%= it.t('challenge.readPayments', it.payment) %></a></p>
<% } else { %>${signOut}<% } %>`;

/** Each approver's decision, and who has not decided. */
export const decisionsTemplate = `<ul><% for (const decision of it.decisions) { %><li><%~ decision %></li><% } %></ul>
<% if (it.missing) { %><p><%~ it.missing %></p><% } %>`;

export const approvalListTemplate = `<h1><%= it.t('waiting.title') %></h1>
<% if (it.waiting.length === 0) { %><p class="lead" id="nothing-waiting"><%= it.t('waiting.none') %></p>
<% } else { %><p class="lead"><%= it.t('waiting.lead') %></p>
<ul class="cards">
<% for (const payment of it.waiting) { %><li><a class="card" href="<%= payment.address %>"><%~ include('@total', { ...it, ...payment }) %></a>
<p><%~ it.h('waiting.asked', { client: it.client(payment), day: payment.day, account: it.foreign(payment.accountName) }) %></p>
<%~ include('@decisions', payment) %></li>
<% } %></ul><% } %>
<% if (it.otherSessions > 0) { %><p id="other-sessions"><%= it.t('waiting.otherSessions') %> <a href="/approvals/sessions"><%= it.t('waiting.otherSessionsLink') %></a></p>
<% } %><ul class="cards ways">
<li class="way"><a class="card" href="/approvals/access" id="access"><%= it.t('access.title') %></a><p><%= it.t('waiting.access') %></p></li>
<li class="way"><a class="card" href="/approvals/decided" id="decided"><%= it.t('decided.title') %></a><p><%= it.t('waiting.decided') %></p></li>
<li class="way"><a class="card" href="/approvals/sessions" id="sessions"><%= it.t('sessions.title') %></a><p><%= it.t('waiting.sessions') %></p></li>
</ul>
${signOut}`;

export const paymentApprovalTemplate = `<%~ include('@problem', it) %>
<p><a href="/approvals" id="back"><%= it.t('file.back') %></a></p>
<h1><%= it.t(it.outcome ? 'file.title' : 'consent.title', { count: it.count }) %></h1>
<% if (it.outcome) { %><p class="lead" id="outcome" role="status"><%= it.t(it.outcome, { deadline: it.deadline }) %></p><% } %>
<% if (it.isFraud) { %><p class="next-steps" id="fraud-advice"><%= it.t('end.SuspectedFraud.next') %></p><% } %>
<%~ include('@payment-summary', it) %>
<% if (!it.outcome) { %><div class="decision" id="decision">
<form method="post" action="/approvals/approve">
${approvalToken}
<input type="hidden" name="file_payment" value="<%= it.filePaymentId %>">
<input type="hidden" name="file_hash" value="<%= it.fileHash %>">
<input type="hidden" name="payees_shown" value="<%= it.payeesShown %>">
<button type="submit" id="approve" class="button"><%~ it.h('common.approveAmount', { amount: it.element('class="money"', it.total) }) %></button>
</form>
<p class="decline-form"><a id="decline" class="button secondary" href="<%= it.ownAddress %>&amp;decline=1"><%= it.t('common.decline') %></a></p>
</div><% } %>`;

const back = `<p><a href="/approvals" id="back"><%= it.t('waiting.back') %></a></p>`;

/** Where a customer is signed in. */
export const sessionsTemplate = `${back}
<h1><%= it.t('sessions.title') %></h1>
<p class="lead"><%= it.t('sessions.lead') %></p>
<ul class="cards" id="sessions">
<% it.sessions.forEach((session, index) => { %><li>
<p<%~ session.isOwn ? ' id="own-session"' : '' %>><%~ it.h(session.isOwn ? 'sessions.own' : 'sessions.other', { since: session.since, until: session.until }) %></p>
<% if (!session.isOwn) { %><form method="post" action="/approvals/sessions/end" class="decline-form">
${approvalToken}
<input type="hidden" name="session" value="<%= session.sessionId %>">
<button type="submit" id="end-session-<%= index %>" class="button secondary"><%~ it.h('sessions.end', { since: session.since }) %></button>
</form>
<% } %></li>
<% }) %></ul>
<% if (it.sessions.length > 1) { %><form method="post" action="/approvals/sessions/end" class="decline-form">
${approvalToken}
<input type="hidden" name="session" value="others">
<button type="submit" id="end-other-sessions" class="button"><%= it.t('sessions.endOthers') %></button>
</form>
<% } %>${signOut}`;

/** Decisions of the customer and of others. */
export const decidedTemplate = `${back}
<h1><%= it.t('decided.title') %></h1>
<% if (it.decided.length === 0) { %><p class="lead" id="nothing-decided"><%= it.t('decided.none') %></p>
<% } else { %><p class="lead"><%= it.t('decided.lead') %></p>
<ul class="cards" id="decided">
<% for (const one of it.decided) { %><li><% if (one.address) { %><a class="card" href="<%= one.address %>"><%~ include('@total', { ...it, ...one.file }) %></a><% } else if (one.file) { %><span class="card"><%~ include('@total', { ...it, ...one.file }) %></span><% } else { %><strong class="card"><%= it.t('decided.access') %></strong><% } %>
<p><%~ one.accountName ? it.h('decided.asked', { client: it.client(one), account: it.foreign(one.accountName) }) : it.h('decided.askedAlone', { client: it.client(one) }) %></p>
<%~ include('@decisions', one) %></li>
<% } %></ul><% } %>
${signOut}`;

/** Lasting access that a customer has given. */
export const lastingAccessTemplate = `${back}
<% if (it.ended) { %><div class="notice" id="notice" role="status"><p><%~ it.h('access.ended', { client: it.foreign(it.ended.clientName) }) %></p>
<p><%~ it.h(it.ended.isFunds ? 'access.endedNextFunds' : 'access.endedNext', { client: it.foreign(it.ended.clientName) }) %></p></div>
<% } %><h1><%= it.t('access.title') %></h1>
<% if (it.access.length === 0) { %><p class="lead" id="no-access"><%= it.t('access.none') %></p>
<% } else { %><p class="lead"><%= it.t('access.lead') %></p>
<ul class="cards" id="lasting-access">
<% it.access.forEach((access, index) => { %><li>
<h2><%~ it.app(access) %></h2>
<p><%= it.t(access.isReading ? 'challenge.maySee' : 'challenge.may') %></p>
<%~ include('@clusters', { clusters: access.permissions }) %>
<% if (access.accounts) { %><p><%= it.t('read.accountsOf') %></p>
<ul><% for (const account of access.accounts) { %><li><bdi><%= account.name %></bdi> <span class="account"><%= account.identification %></span></li><% } %></ul>
<% } %><dl>
<div><dt><%= it.t('access.status') %></dt><dd><% if (access.endedOn) { %><span class="ended"><%~ it.h('access.endedOn', { day: access.endedOn }) %></span><% } else { %><%= it.t('access.active') %><% } %></dd></div>
<div><dt><%= it.t('access.given') %></dt><dd><%= access.givenOn %></dd></div>
<div><dt><%= it.t('access.lastUsed') %></dt><dd><%= access.usedOn ?? it.t('access.neverUsed') %></dd></div>
<% if (!access.endedOn) { %><div><dt><%= it.t('access.endsOn') %></dt><dd><%= access.endsOn ?? it.t('access.ongoing') %></dd></div>
<% } %></dl>
<% if (access.isFunds) { %><p><a href="/approvals/access/funds?consent=<%= access.grant %>"><%~ it.h('funds.link', { client: it.foreign(access.clientName) }) %></a></p>
<% } %><% if (!access.endedOn) { %><p><a class="button secondary" id="withdraw-<%= index %>" href="/approvals/access/end?grant=<%= access.grant %>"><%~ it.h('access.end', { client: it.foreign(access.clientName) }) %></a></p>
<% } %></li>
<% }) %></ul><% } %>
<p class="hint"><%= it.t('access.payments') %></p>
${signOut}`;

/** Questions about the money in an account, and the answers. */
export const fundsTemplate = `<p><a href="/approvals/access" id="back"><%= it.t('access.title') %></a></p>
<h1><%= it.t('funds.title') %></h1>
<p class="lead"><%~ it.h(it.endedOn ? 'funds.leadEnded' : 'funds.lead', { app: it.app(it) }) %></p>
<dl>
<% for (const account of it.accounts) { %><div><dt><%= it.t('funds.account') %></dt><dd><%~ include('@account', account) %></dd></div>
<% } %><div><dt><%= it.t('access.status') %></dt><dd><% if (it.endedOn) { %><%~ it.h('access.endedOn', { day: it.endedOn }) %><% } else { %><%= it.t('access.active') %><% } %></dd></div>
<% if (!it.endedOn) { %><div><dt><%= it.t('access.endsOn') %></dt><dd><%= it.endsAt ?? it.t('access.ongoing') %></dd></div>
<% } %></dl>
<h2 id="questions-title"><%= it.t('funds.questions') %></h2>
<% if (it.questions.length === 0) { %><p id="no-questions"><%= it.t('funds.none') %></p>
<% } else { %><ul class="cards" id="questions">
<% for (const question of it.questions) { %><li><strong class="money"><%= question.amount %></strong>
<div><%= it.t(question.answer) %></div>
<p><%= question.at %></p>
<% if (question.reference) { %><p><%~ it.h('funds.reference', { reference: it.foreign(question.reference) }) %></p><% } %></li>
<% } %></ul><% } %>
<% if (it.laterAddress) { %><p><a href="<%= it.laterAddress %>" id="later"><%= it.t('funds.later') %></a></p><% } %>
<% if (it.earlierAddress) { %><p><a href="<%= it.earlierAddress %>" id="earlier"><%= it.t('funds.earlier') %></a></p><% } %>
${signOut}`;

/** Confirmation before lasting access ends. */
export const endAccessTemplate = `<h1><%= it.t('access.confirmTitle') %></h1>
<p class="lead"><%~ it.h(it.access.isReading ? 'access.confirmSee' : 'access.confirm', { client: it.client(it.access) }) %></p>
<%~ include('@clusters', { clusters: it.access.permissions }) %>
<p><%~ it.h('access.confirmAdvice', { client: it.foreign(it.access.clientName) }) %></p>
<% if (it.access.isFunds) { %><p><%= it.t('access.confirmFunds') %></p>
<% } %><p><%= it.t('access.confirmNext') %></p>
<form method="post" action="/approvals/withdraw" class="decline-form">
${approvalToken}
<input type="hidden" name="grant" value="<%= it.access.grant %>">
<button type="submit" id="withdraw" class="button"><%~ it.h('access.end', { client: it.foreign(it.access.clientName) }) %></button>
</form>
<p class="decline-form"><a id="keep" class="button secondary" href="/approvals/access"><%= it.t('access.keep') %></a></p>`;
