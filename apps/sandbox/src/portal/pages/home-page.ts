import { inPounds } from '../../../../tpp/src/in-pounds.js';
import type { Fault } from '../../../../tpp/src/convert/converted-file.js';
import type { ApiVersion } from '../../../../tpp/src/read-write/api-version.js';
import { html, type Html } from '#libs/http-server';
import { mostPayments } from '#libs/obie-rules';
import type { PaymentRun, RunState } from '../tpp/payment-run.js';
import { formToken } from './layout.js';
import { sampleCsvs } from './sample-csv.js';

const csvHint = `One supplier per line, at most ${mostPayments}: name, sort code, account number, amount, reference.`;

const wordsOf: Readonly<Record<RunState, string>> = {
  Ready: 'not sent yet',
  Uploaded: 'waits for the customer',
  AtBank: 'customer sent to the bank',
  Approved: 'approved, not yet paid',
  Paid: 'being paid',
  Done: 'finished',
  Ended: 'not approved',
};

/** What the form of a run shows. */
export interface RunForm {
  /** of the form that was sent */
  readonly faults: readonly Fault[];
  readonly token: string;
  /** of the Read/Write API that the bank serves */
  readonly versions: readonly ApiVersion[];
  /** the chosen one */
  readonly version: ApiVersion;
  /** the newest first */
  readonly runs: readonly PaymentRun[];
}

/** The form for a CSV, with the faults of the one that was sent. */
export function homeContent(csv: string, { faults, token, versions, version, runs }: RunForm): Html {
  const samples = Object.entries(sampleCsvs).map(
    ([name, sample]) => html`<li><a href="/?sample=${name}">${sample.name}</a></li>`,
  );
  return html`<p class="lead">
      Turn a list of suppliers into one payment file, have the bank’s customer approve it, and watch each payment
      settle. Everything is real except the money: the portal signs its requests and sends them over mutual TLS.
    </p>
    ${faults.length > 0 && faultSummary(faults, 'in the CSV')}
    <form method="post" action="/runs" class="stack">
      ${formToken(token)}
      <p id="csv-hint">${csvHint}</p>
      <div class="samples">
        <p id="samples">Start from</p>
        <ul aria-labelledby="samples">
          ${samples}
        </ul>
      </div>
      <p class="only-script" hidden>
        <label for="csv-file">Or choose a CSV file</label> <input type="file" id="csv-file" accept=".csv,text/csv" />
      </p>
      <div>
        <label for="csv">Suppliers (CSV)</label>
        <textarea
          id="csv"
          name="csv"
          rows="12"
          wrap="off"
          spellcheck="false"
          aria-describedby="csv-hint"
          ${faults.length > 0 && html` aria-invalid="true" aria-errormessage="faults"`}
        >
${csv}</textarea>
      </div>
      ${versions.length > 1 && versionChoice(versions, version)}
      <p><button id="make-file" class="main">Make the payment file</button></p>
    </form>
    ${runs.length > 0 && runList(runs)}`;
}

export function runList(runs: readonly PaymentRun[]): Html {
  const items = runs.map(({ id, kind, state, converted: { file, payments } }) => {
    const count = payments.length === 1 ? '1 payment' : `${payments.length} payments`;
    const what = kind === 'file-payment' ? count : payments[0]?.name;
    return html`<li><a href="/runs/${id}">${what}, ${inPounds(file.controlSum)}</a>: ${wordsOf[state]}</li>`;
  });
  return html`<section aria-labelledby="runs-title">
    <h2 id="runs-title">Your runs</h2>
    <ul id="runs">
      ${items}
    </ul>
  </section>`;
}

export function versionChoice(versions: readonly ApiVersion[], chosen: ApiVersion): Html {
  const choices = versions.map(
    (version) =>
      html`<input
          type="radio"
          id="version-${version}"
          name="version"
          value="${version}"
          ${version === chosen && html` checked`}
        /><label for="version-${version}">${version}${version === '4.0' && ' (what banks serve today)'}</label>`,
  );
  return html`<fieldset>
    <legend>Version of the Read/Write API</legend>
    <p>${choices}</p>
  </fieldset>`;
}

/** @param place of the problems, if they have lines */
export function faultSummary(faults: readonly Fault[], place?: string): Html {
  const items = faults.map(
    ({ line, message }) =>
      html`<li>${place !== undefined && html`<a href="#csv" data-line="${line}">Line ${line}</a>: `}${message}</li>`,
  );
  const count = faults.length === 1 ? '1 problem' : `${faults.length} problems`;
  return html`<section id="faults" class="problem" role="alert" tabindex="-1" aria-labelledby="faults-title">
    <h2 id="faults-title">${count} ${place}</h2>
    <ol class="plain">
      ${items}
    </ol>
  </section>`;
}
