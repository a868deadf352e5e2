// What all approvers see: summary, standouts, every payment. A single payment has no list (see templates.ts for the
// notation).

/** First what every decision needs, then what to check, then further details. */
export const paymentSummaryTemplate = `<section id="consent-summary" aria-labelledby="consent-summary-title">
<h2 id="consent-summary-title" class="visually-hidden"><%= it.t('common.summary') %></h2>
<p class="total<%= it.total.length > 14 ? ' long' : '' %>"><%~ include('@total', it) %></p>
<% if (it.standouts.length || it.facts.length) { %><section class="look-first<%= it.standouts.length ? '' : ' calm' %>" aria-labelledby="standouts-title">
<h2 id="standouts-title"><%= it.t(it.standouts.length ? 'summary.lookFirst' : 'summary.aboutPayees', { count: it.count }) %></h2>
<% if (it.standouts.length) { %><ul id="standouts">
<% for (const standout of it.standouts) { %><li><% if (it.count > 1) { %><a href="#payment-<%= standout.position %>"><%~ it.h('summary.standout', { amount: it.element('class="money"', standout.amount), payee: it.foreign(standout.payeeName) }) %></a> <% } %><span class="why"><%= standout.texts.join(' ') %></span></li>
<% } %></ul>
<% } %><% if (it.furtherMarked) { %><p class="hint"><%= it.t('summary.furtherMarked', { count: it.furtherMarked }) %></p>
<% } %><% for (const fact of it.facts) { %><p class="fact"><%= fact %></p>
<% } %><% if (it.isCheckOpen) { %><p class="fact"><a href="<%= it.orderAddress ?? '/consent?authorization=' + it.sessionId %>&amp;order=<%= it.order %>" id="check-again"><%= it.t('summary.checkAgain') %></a></p>
<% } %></section>
<% } %><dl>
<% if (it.single) { const payment = it.single; %><div id="payment"><dt><%= it.t('payments.payee') %></dt><dd><strong><bdi><%= payment.creditorName %></bdi></strong> <span class="account"><%~ include('@payment-account', { ...it, payment }) %></span></dd></div>
<% if (payment.reference || payment.message || payment.endToEndIdentification || payment.remittance.length || payment.notes.length) { %><div id="payment-texts"><dt><%= it.t('payments.reference') %></dt><dd><%~ include('@payment-texts', { ...it, payment }) %></dd></div>
<% } } %><div><dt><%= it.t('summary.askedBy') %></dt><dd><%~ it.asker(it) %></dd></div>
<div><dt><%= it.t('summary.from') %></dt><dd><% if (it.account) { %><bdi><%= it.account.name %></bdi> <span class="account"><%= it.account.identification %></span><% } else { %><a href="#debtor-accounts"><%= it.t('summary.chooseBelow') %></a><% } %></dd></div>
<div><dt><%= it.t('summary.when') %></dt><dd><%= it.when %></dd></div>
<div><dt><%= it.t('summary.type') %></dt><dd><%= it.paymentType %><% if (it.cutOff) { %> <span class="more"><%= it.cutOff %></span><% } %></dd></div>
<% if (it.deadline) { %><div><dt><%= it.t('summary.deadline') %></dt><dd><%= it.deadline %></dd></div><% } %>
<% if (it.approvals) { %><div><dt><%= it.t('summary.approvals') %></dt><dd><%= it.approvals %><% for (const decision of it.decisions) { %> <span class="more"><%~ decision %></span><% } %></dd></div><% } %>
<% if (it.fileReference) { %><div><dt><%= it.t('summary.fileReference') %></dt><dd><bdi><%= it.fileReference %></bdi></dd></div><% } %>
<% for (const charge of it.charges) { %><div><dt><%= it.t('summary.charge') %></dt><dd><%= charge %></dd></div><% } %>
<% if (it.isRefundable) { %><div id="refund"><dt><%= it.t('summary.refunds') %></dt><dd><%~ it.h('summary.refundAccount', { client: it.foreign(it.clientName) }) %></dd></div><% } %>
</dl>
</section>
<% if (!it.single) { %><section>
<h2 id="payments-title"><%= it.t('payments.title', { count: it.count }) %></h2>
<% const other = it.order === 'Amount' ? 'Place' : 'Amount'; const words = it.t('payments.sortBy' + other); %><p class="order" id="order"><%= it.t('payments.by' + it.order) %> <% if (it.orderAddress) { %><a href="<%= it.orderAddress %>&amp;order=<%= other %>#payments-title" id="sort"><%= words %></a><% } else { %><button type="submit" form="approval" formaction="/consent/order" formnovalidate name="order" value="<%= other %>" id="sort" class="link"><%= words %></button><% } %></p>
<% if (it.count > 8) { %><p class="hint scroll-hint" id="payments-hint"><%= it.t('payments.scroll') %></p>
<% if (!it.outcome) { %><p class="skip-list"><a href="#decision" id="skip-list"><%= it.t('payments.skip') %></a></p>
<% } %>
<% } %><div class="scroll-region<%= it.count > 8 ? ' tall' : '' %>" role="region" aria-labelledby="payments-title"<% if (it.count > 8) { %> aria-describedby="payments-hint"<% } %> tabindex="0">
<table role="table" class="payments">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col"><%= it.t('payments.position') %></th><th role="columnheader" scope="col"><%= it.t('payments.payee') %></th><th role="columnheader" scope="col"><%= it.t('payments.account') %></th><th role="columnheader" scope="col"><%= it.t('payments.reference') %></th><% if (it.hasDays) { %><th role="columnheader" scope="col"><%= it.t('payments.day') %></th><% } %><th role="columnheader" scope="col" class="number"><%= it.t('payments.amount') %></th></tr></thead>
<tbody role="rowgroup">
<% for (const payment of it.payments) { %><tr role="row"><td role="cell" class="position" id="payment-<%= payment.position %>"><%= payment.position %></td><th role="rowheader" scope="row"><bdi><%= payment.creditorName %></bdi><% for (const mark of payment.marks) { %><span class="more mark"><%= mark %></span><% } %></th><td role="cell" class="account"><%~ include('@payment-account', { ...it, payment }) %></td><td role="cell" class="reference"><%~ include('@payment-texts', { ...it, payment, isLabelled: true }) %></td><% if (it.hasDays) { %><td role="cell" class="day"><%= payment.day %></td><% } %><td role="cell" class="number"><%= payment.amount %></td></tr>
<% } %></tbody>
</table>
</div>
</section><% } %>`;

/** The account of a payee, and whoever else is behind the payment. */
export const paymentAccountTemplate = `<span<%~ it.payment.creditorAccount.length > 20 ? '' : ' class="unbroken"' %>><%= it.payment.creditorAccount %></span><% if (it.payment.rollNumber) { %><span class="more"><%~ it.h('payments.rollNumber', { rollNumber: it.foreign(it.payment.rollNumber) }) %></span><% } %><% if (it.payment.address.length) { %><span class="more"><% it.payment.address.forEach((part, index) => { %><%= index ? ', ' : '' %><bdi><%= part %></bdi><% }) %></span><% } %><% for (const detail of it.payment.parties) { %><span class="more"><%= detail.label %> <% detail.texts.forEach((part, index) => { %><%= index ? ', ' : '' %><bdi><%= part %></bdi><% }) %></span><% } %>`;

/** The texts that go with a payment, and what of them is not as the app asked. */
export const paymentTextsTemplate = `<% if (it.payment.reference) { %><% if (it.isLabelled) { %><span class="label" aria-hidden="true"><%= it.t('payments.reference') %></span> <% } %><bdi><%= it.payment.reference %></bdi><% } %><% if (it.payment.message) { %><span class="more"><%~ it.h('payments.message', { message: it.foreign(it.payment.message) }) %></span><% } %><% if (it.payment.endToEndIdentification) { %><span class="more"><%~ it.h('payments.endToEnd', { id: it.foreign(it.payment.endToEndIdentification) }) %></span><% } %><% for (const detail of it.payment.remittance) { %><span class="more"><%= detail.label %> <% detail.texts.forEach((part, index) => { %><%= index ? ', ' : '' %><bdi><%= part %></bdi><% }) %></span><% } %><% for (const note of it.payment.notes) { %><span class="more note"><%= note %></span><% } %>`;
