import { approvalToken, signOut } from './templates.js';

/** What a customer has allowed that lasts. */
export const lastingAccessTemplate = `<p><a href="/approvals" id="back">Payments that wait for you</a></p>
<h1>Access that lasts</h1>
<% if (it.access.length === 0) { %><p class="lead" id="no-access">You have given nobody access that lasts.</p>
<% } else { %><p class="lead">These apps may come back to us without you until the day you see. You can end that here; it counts at once.</p>
<ul class="cards" id="lasting-access">
<% it.access.forEach((access, index) => { %><li>
<h2><bdi><%= access.clientName %></bdi><% if (access.orgName !== access.clientName) { %> (<bdi><%= access.orgName %></bdi>)<% } %></h2>
<p>It may:</p>
<ul><% for (const permission of access.permissions) { %><li><%= permission %></li><% } %></ul>
<p>You agreed on <%= access.givenOn %>. Last used on <%= access.usedOn %>. <% if (access.endedOn) { %><strong class="ended">Ended on <%= access.endedOn %>.</strong><% } else { %>It ends on <%= access.endsOn %>.<% } %></p>
<% if (!access.endedOn) { %><form method="post" action="/approvals/withdraw" class="decline-form">
${approvalToken}
<input type="hidden" name="grant" value="<%= access.grant %>">
<button type="submit" id="withdraw-<%= index %>" class="button secondary">End access<span class="visually-hidden"> of <bdi><%= access.clientName %></bdi></span></button>
</form>
<% } %></li>
<% }) %></ul><% } %>
<p class="hint">Payments that you have approved cannot be withdrawn here.</p>
${signOut}`;
