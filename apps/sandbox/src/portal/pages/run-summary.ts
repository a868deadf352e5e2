import { inPounds } from '../../../../tpp/src/in-pounds.js';
import { html, type Html } from '#libs/http-server';
import { initiationOf, type PaymentRun } from '../tpp/payment-run.js';
import { fact } from './layout.js';

/** The payment file of a run. */
export function fileSummary({ converted, csv, version }: PaymentRun): Html {
  const { file, payments, warnings } = converted;
  const rows = payments.slice(0, 3).map(({ name, amount }) => html`<li>${name}: ${inPounds(amount)}</li>`);
  const start = file.body.toString().slice(0, 600);
  return html`<section aria-labelledby="file-title">
    <h2 id="file-title">The payment file</h2>
    <dl class="facts">
      ${fact('Payments', 'file-payments', file.numberOfTransactions)}
      ${fact('Total', 'file-total', inPounds(file.controlSum))}
      ${fact('Size', 'file-size', `${(file.body.length / 1_024).toFixed(1)} KB of JSON`)}
      ${fact('Read/Write API', 'file-version', version)}
    </dl>
    <ul class="plain">
      ${rows}${payments.length > 3 && html`<li>and ${payments.length - 3} more</li>`}
    </ul>
    ${
      warnings.length > 0 &&
      html`<ul id="not-carried" class="plain">
        ${warnings.map(({ line, message }) => html`<li>Line ${line}: ${message}</li>`)}
      </ul>`
    }
    <details>
      <summary>Show the file and its hash</summary>
      <p>FileHash (SHA-256, Base64): <code class="long">${file.fileHash}</code></p>
      <pre tabindex="0" aria-label="Beginning of the payment file">${start}${file.body.length > 600 && ' …'}</pre>
      <p>It came from ${csv.split('\n').length} lines of CSV.</p>
    </details>
  </section>`;
}

/** The single payment of a run. */
export function paymentSummary(run: PaymentRun): Html {
  const [payment] = run.converted.payments;
  if (payment === undefined) return html``;
  return html`<section aria-labelledby="payment-title">
    <h2 id="payment-title">The payment</h2>
    <dl class="facts">
      ${fact('Payee', 'payee', payment.name)}${fact('Amount', 'amount', inPounds(payment.amount))}
      ${fact('Reference', 'reference', payment.reference)}${fact('Read/Write API', 'version', run.version)}
    </dl>
    <details>
      <summary>Show Data.Initiation</summary>
      <pre tabindex="0" aria-label="Data.Initiation">${JSON.stringify(initiationOf(run), undefined, 2)}</pre>
    </details>
  </section>`;
}
