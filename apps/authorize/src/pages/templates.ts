// Eta templates: <%= %> escapes, <%~ %> does not and is used for parts that are templates themselves.
// Text from a TPP or a payment file stands in <bdi>, so that right-to-left characters in it cannot rearrange the page.

export const layoutTemplate = `<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title><%= it.title %> – <%= it.bankName %></title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="<%= it.stylesheet %>">
</head>
<body>
<a class="skip-link" href="#main">Skip to main content</a>
<header class="site-header"><div class="frame">
<p class="bank-name"><%= it.bankName %></p>
<% if (it.psuName) { %><p class="signed-in">Signed in as <bdi><%= it.psuName %></bdi></p><% } %>
</div></header>
<main id="main" class="frame" tabindex="-1">
<%~ it.content %>
</main>
<footer class="site-footer"><div class="frame">
<% if (it.closesAt) { %><p>To keep you safe, this page stops working at <%= it.closesAt %> (UK time).</p><% } %>
<p>Reference <span class="reference"><%= it.reference %></span></p>
</div></footer>
</body>
</html>
`;

export const problemTemplate = `<% if (it.problem) { %>
<div class="problem" id="error" role="alert" tabindex="-1" aria-labelledby="error-title">
<h2 id="error-title">There is a problem</h2>
<p><a href="#<%= it.problem.fieldId %>"><%= it.problem.text %></a></p>
<p class="hint">Code: <span id="error-code"><%= it.problem.code %></span></p>
</div>
<% } %>`;

export const hiddenFieldsTemplate = `<input type="hidden" name="authorization" value="<%= it.sessionId %>">
<input type="hidden" name="csrf_token" value="<%= it.csrfToken %>">`;

export const declineTemplate = `<form method="post" action="/decline" class="decline-form">
<%~ include('@hidden-fields', it) %>
<button type="submit" id="decline" class="button secondary"><%= it.declineText %></button>
</form>`;

export const signInTemplate = `<%~ include('@problem', it) %>
<p class="step">Step 1 of 3</p>
<h1>Sign in</h1>
<p class="lead"><% if (it.isPayment) { %><strong><bdi><%= it.clientName %></bdi></strong> asks you to approve a file of payments.
<% } else { %><strong><bdi><%= it.clientName %></bdi></strong> asks you to confirm who you are.<% } %>
Sign in to see the details. Nothing happens until you approve it.</p>
<form method="post" action="/sign-in" novalidate>
<%~ include('@hidden-fields', it) %>
<%~ include('@credentials', it) %>
</form>
<%~ include('@decline', it) %>`;

export const secondFactorTemplate = `<%~ include('@problem', it) %>
<p class="step">Step 2 of 3</p>
<h1>Enter your one-time code</h1>
<p class="lead" id="one-time-code-hint">Your bank's app or text message shows you a one-time code. Never tell it to anybody on the telephone.</p>
<form method="post" action="/second-factor" novalidate>
<%~ include('@hidden-fields', it) %>
<%~ include('@one-time-code', it) %>
</form>
<%~ include('@decline', it) %>`;

export const consentTemplate = `<%~ include('@problem', it) %>
<p class="step">Step 3 of 3</p>
<h1>Approve this file of payments?</h1>
<%~ include('@payment-summary', it) %>
<div class="decision">
<form method="post" action="/consent">
<%~ include('@hidden-fields', it) %>
<input type="hidden" name="file_hash" value="<%= it.fileHash %>">
<fieldset id="debtor-accounts"<% if (it.problem) { %> aria-describedby="debtor-accounts-error" class="wrong"<% } %>>
<legend><h2><%= it.accounts.length === 1 ? 'Pay from' : 'Pay from which account?' %></h2></legend>
<% if (it.problem) { %><p class="field-error" id="debtor-accounts-error"><%= it.problem.text %></p><% } %>
<% it.accounts.forEach((account, index) => { %><div class="choice">
<input type="radio" name="debtor_account" id="debtor-account-<%= index %>" value="<%= account.value %>" required<%= account.isChosen ? ' checked' : '' %> aria-describedby="debtor-account-<%= index %>-notes">
<label for="debtor-account-<%= index %>"><strong><bdi><%= account.name %></bdi></strong> <span class="account"><%= account.identification %></span></label>
<div class="notes" id="debtor-account-<%= index %>-notes"><p>Available: <%= account.available %></p>
<% for (const note of account.notes) { %><p class="note"><%= note %></p><% } %></div>
</div>
<% }) %></fieldset>
<% if (it.approvalsAddress) { %><div class="next-steps" id="next-steps"><h3>If the account needs more than one person</h3>
<p>After you approve, tell the others that this file waits for them. They sign in at <strong><%= it.approvalsAddress %></strong> and see the same payments. Nothing is paid until everybody has approved; if one of them declines, none of it is paid.</p></div>
<% } %><button type="submit" id="approve" class="button">Approve <%= it.total %></button>
</form>
<%~ include('@decline', it) %>
<p class="hint way-back">Either way you go back to <bdi><%= it.clientName %></bdi>, which is told what you have decided.</p>
</div>`;

export const identityTemplate = `<%~ include('@problem', it) %>
<p class="step">Step 3 of 3</p>
<h1>Confirm who you are?</h1>
<section id="consent-summary" aria-labelledby="consent-summary-title">
<h2 id="consent-summary-title" class="visually-hidden">Summary</h2>
<p class="lead"><strong><bdi><%= it.clientName %></bdi></strong><% if (it.orgName !== it.clientName) { %> (<bdi><%= it.orgName %></bdi>)<% } %> asks to:</p>
<ul><% for (const permission of it.permissions) { %><li><%= permission %></li><% } %></ul>
<p>It does not learn your name, your password or your account numbers, and it cannot make payments with this.</p>
<% if (it.lastsUntil) { %><p id="lasting">It may come back without you until <strong><%= it.lastsUntil %></strong>. You can end that before at <strong><%= it.accessAddress %></strong>.</p>
<% } %></section>
<div class="decision">
<form method="post" action="/consent">
<%~ include('@hidden-fields', it) %>
<button type="submit" id="approve" class="button">Approve</button>
</form>
<%~ include('@decline', it) %>
<p class="hint way-back">Either way you go back to <bdi><%= it.clientName %></bdi>, which is told what you have decided.</p>
</div>`;

export const errorTemplate = `<div id="error" role="alert" tabindex="-1">
<h1><%= it.heading %></h1>
<p class="lead"><%= it.text %></p>
<p class="hint">Code: <span id="error-code"><%= it.code %></span><% if (it.description) { %><br>For the developers of the app you came from: <span id="error-description"><%= it.description %></span><% } %></p>
</div>`;

export const credentialsTemplate = `<div class="field<%= it.problem && it.problem.fieldId === 'username' ? ' wrong' : '' %>">
<label for="username">User name</label>
<input id="username" name="username" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="128" required value="<%= it.username %>"<% if (it.problem && it.problem.fieldId === 'username') { %> aria-invalid="true" aria-describedby="error-title username-error"<% } %>>
<% if (it.problem && it.problem.fieldId === 'username') { %><p class="field-error" id="username-error"><%= it.problem.text %></p><% } %>
</div>
<div class="field<%= it.problem && it.problem.fieldId === 'password' ? ' wrong' : '' %>">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required<% if (it.problem && it.problem.fieldId === 'password') { %> aria-invalid="true" aria-describedby="password-error"<% } %>>
<% if (it.problem && it.problem.fieldId === 'password') { %><p class="field-error" id="password-error"><%= it.problem.text %></p><% } %>
</div>
<button type="submit" id="sign-in" class="button">Sign in</button>`;

export const oneTimeCodeTemplate = `<div class="field<%= it.problem ? ' wrong' : '' %>">
<label for="one-time-code">One-time code</label>
<input id="one-time-code" name="one_time_code" class="short" type="text" inputmode="numeric" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="20" required<% if (it.problem) { %> aria-invalid="true"<% } %> aria-describedby="one-time-code-hint<%= it.problem ? ' one-time-code-error' : '' %>">
<% if (it.problem) { %><p class="field-error" id="one-time-code-error"><%= it.problem.text %></p><% } %>
</div>
<button type="submit" id="continue" class="button">Continue</button>`;

export const paymentSummaryTemplate = `<section id="consent-summary" aria-labelledby="consent-summary-title">
<h2 id="consent-summary-title" class="visually-hidden">Summary</h2>
<p class="total"><span class="amount"><%= it.total %></span> in <%= it.count %> <%= it.count === 1 ? 'payment' : 'payments' %></p>
<dl>
<div><dt>Asked for by</dt><dd><bdi><%= it.clientName %></bdi><% if (it.orgName !== it.clientName) { %>, <bdi><%= it.orgName %></bdi><% } %></dd></div>
<div><dt>Type of payment</dt><dd><%= it.paymentType %></dd></div>
<div><dt>When</dt><dd><%= it.when %></dd></div>
<% if (it.account) { %><div><dt>From</dt><dd><bdi><%= it.account.name %></bdi> <span class="account"><%= it.account.identification %></span></dd></div><% } %>
<% if (it.approvals) { %><div><dt>Approvals</dt><dd><%= it.approvals %></dd></div><% } %>
<% if (it.fileReference) { %><div><dt>File reference</dt><dd><bdi><%= it.fileReference %></bdi></dd></div><% } %>
<% for (const charge of it.charges) { %><div><dt>Charge</dt><dd><%= charge %></dd></div><% } %>
</dl>
</section>
<section aria-labelledby="payments-title">
<h2 id="payments-title"><%= it.count === 1 ? 'The payment' : 'All ' + it.count + ' payments' %></h2>
<% if (it.count > 8) { %><p class="hint scroll-hint" id="payments-hint">Scroll in the list to see every payment.</p>
<% } %><div class="scroll-region<%= it.count > 8 ? ' tall' : '' %>" role="region" aria-labelledby="payments-title"<% if (it.count > 8) { %> aria-describedby="payments-hint"<% } %> tabindex="0">
<table role="table">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">No.</th><th role="columnheader" scope="col">To</th><th role="columnheader" scope="col">Account</th><th role="columnheader" scope="col">Reference</th><% if (it.hasDays) { %><th role="columnheader" scope="col">Date</th><% } %><th role="columnheader" scope="col" class="number">Amount</th></tr></thead>
<tbody role="rowgroup">
<% for (const payment of it.payments) { %><tr role="row"><td role="cell" class="position"><%= payment.position %></td><th role="rowheader" scope="row"><bdi><%= payment.creditorName %></bdi></th><td role="cell" class="account"><%= payment.creditorAccount %></td><td role="cell"><bdi><%= payment.reference %></bdi></td><% if (it.hasDays) { %><td role="cell"><%= payment.day %></td><% } %><td role="cell" class="number"><%= payment.amount %></td></tr>
<% } %></tbody>
</table>
</div>
</section>`;

export const approvalToken = `<input type="hidden" name="csrf_token" value="<%= it.csrfToken %>">`;

export const signOut = `<form method="post" action="/approvals/sign-out" class="decline-form">
${approvalToken}
<button type="submit" id="sign-out" class="button secondary">Sign out</button>
</form>`;

export const approvalSignInTemplate = `<%~ include('@problem', it) %>
<h1>Sign in to approve payments</h1>
<p class="lead">Some accounts need the approval of several people. Sign in to see the payments that wait for yours, and whom you have given access that lasts.</p>
<form method="post" action="/approvals/sign-in" novalidate>
${approvalToken}
<%~ include('@credentials', it) %>
</form>`;

export const approvalSecondFactorTemplate = `<%~ include('@problem', it) %>
<h1>Enter your one-time code</h1>
<p class="lead" id="one-time-code-hint">Your bank's app or text message shows you a one-time code. Never tell it to anybody on the telephone.</p>
<form method="post" action="/approvals/second-factor" novalidate>
${approvalToken}
<%~ include('@one-time-code', it) %>
</form>
${signOut}`;

export const approvalListTemplate = `<h1>Payments that wait for you</h1>
<% if (it.waiting.length === 0) { %><p class="lead" id="nothing-waiting">No payments wait for your approval at the moment.</p>
<% } else { %><p class="lead">Open a file of payments to see all of it, and approve or decline it.</p>
<ul class="cards">
<% for (const payment of it.waiting) { %><li><a class="card" href="<%= payment.address %>"><span class="amount"><%= payment.total %></span> in <%= payment.count %> <%= payment.count === 1 ? 'payment' : 'payments' %></a>
<p>Asked for by <bdi><%= payment.clientName %></bdi> on <%= payment.day %>, from <bdi><%= payment.accountName %></bdi></p></li>
<% } %></ul><% } %>
<p><a href="/approvals/access" id="access">See and end the access that you have given</a></p>
${signOut}`;

export const paymentApprovalTemplate = `<%~ include('@problem', it) %>
<p><a href="/approvals" id="back">All payments that wait for you</a></p>
<h1><%= it.outcome ? 'A file of payments' : 'Approve this file of payments?' %></h1>
<% if (it.outcome) { %><p class="lead" id="outcome" role="status"><%= it.outcome %></p><% } %>
<%~ include('@payment-summary', it) %>
<% if (!it.outcome) { %><div class="decision">
<form method="post" action="/approvals/approve">
${approvalToken}
<input type="hidden" name="file_payment" value="<%= it.filePaymentId %>">
<input type="hidden" name="file_hash" value="<%= it.fileHash %>">
<button type="submit" id="approve" class="button">Approve <%= it.total %></button>
</form>
<form method="post" action="/approvals/decline" class="decline-form">
${approvalToken}
<input type="hidden" name="file_payment" value="<%= it.filePaymentId %>">
<input type="hidden" name="file_hash" value="<%= it.fileHash %>">
<button type="submit" id="decline" class="button secondary">Decline</button>
</form>
</div><% } %>`;
