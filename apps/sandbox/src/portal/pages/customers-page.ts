import type { SandboxDescription } from '../../sandbox-description.js';
import { html, type Html } from '#libs/http-server';
import { psuStates, type PsuState } from '../../bank/psu-state.js';
import { copyable, fact, formToken } from './layout.js';

const notes: Readonly<Record<string, string>> = {
  alice: 'Has plenty of money: start here.',
  bob: 'Shares Brown & Clark Traders with carol: payments from it need both of them.',
  carol: 'Shares Brown & Clark Traders with bob: payments from it need both of them.',
  dave: 'Has too little money, a blocked account, and an account that he may not pay from.',
  erin: 'Approves in the bank’s app instead of with a code.',
};

/** The sandbox's customers, whose credentials it gives away on purpose. */
export function customersContent(options: {
  description: SandboxDescription;
  approvalsUrl: string;
  /** by user name */
  states: ReadonlyMap<string, PsuState>;
  token: string;
}): Html {
  const { description, approvalsUrl, states, token } = options;
  const { customers, bank_app: bankApp } = description;
  return html`<p class="lead">
      The customers of the sandbox’s bank. Their credentials are the same in every sandbox, so that scripts can sign in.
    </p>
    <div class="cards">
      ${customers.map((customer) =>
        card(
          customer,
          bankApp?.url ?? '',
          stateForm(customer.username, states.get(customer.username) ?? 'Closed', token),
        ),
      )}
    </div>
    <p>
      If a payment needs a second approver, that customer signs in at <a href="${approvalsUrl}">${approvalsUrl}</a>.
    </p>`;
}

const meanings: Readonly<Record<PsuState, string>> = {
  Active: 'Active',
  Locked: 'Locked: codes and refresh tokens are refused',
  Closed: 'Closed: approvals end at their next use',
};

function stateForm(username: string, current: PsuState, token: string): Html {
  const choices = psuStates.map(
    (state) => html`<option value="${state}" ${state === current && html` selected`}>${meanings[state]}</option>`,
  );
  return html`<form method="post" action="/customers/state" class="stack">
    ${formToken(token)}<input type="hidden" name="username" value="${username}" />
    <p>
      <label for="state-${username}">State at the bank</label>
      <select id="state-${username}" name="state">
        ${choices}
      </select>
    </p>
    <p>
      <button>Change<span class="hidden"> ${username}</span></button>
    </p>
  </form>`;
}

function card(customer: SandboxDescription['customers'][number], bankAppUrl: string, state: Html): Html {
  const { username, password, one_time_code: code, accounts } = customer;
  return html`<section class="card" aria-labelledby="customer-${username}">
    <h2 id="customer-${username}">${username}</h2>
    ${notes[username] !== undefined && html`<p>${notes[username]}</p>`}
    <dl class="facts">
      ${fact('Username', undefined, copyable(username, `username of ${username}`))}
      ${fact('Password', undefined, copyable(password, `password of ${username}`))}
      ${
        code === ''
          ? fact('Approves in', undefined, html`<a href="${bankAppUrl}">the bank’s app</a>`)
          : fact('Code', undefined, copyable(code, `one-time code of ${username}`))
      }
    </dl>
    <h3>Accounts</h3>
    <ul class="plain">
      ${accounts.map(({ name, identification }) => html`<li>${name} <code>${identification}</code></li>`)}
    </ul>
    ${state}
  </section>`;
}
