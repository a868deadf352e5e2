import { html, type Html } from '#libs/http-server';
import type { PaymentRun } from '../tpp/payment-run.js';
import { faultSummary, type RunForm, runList, versionChoice } from './home-page.js';
import { formToken } from './layout.js';

/** The fields of the form by column of the CSV: label and example. */
const fields = {
  name: ['Name', 'Ashford Timber'],
  'sort-code': ['Sort code', '20-00-00'],
  'account-number': ['Account number', '10000001'],
  amount: ['Amount in pounds', '1250.00'],
  reference: ['Reference', 'INV-2001'],
} as const;

export type SupplierFields = Readonly<Record<keyof typeof fields, string>>;

export const exampleFields: SupplierFields = mapFields((_name, [, example]) => example);

/** @returns the values of the form */
export const readFields = (form: URLSearchParams): SupplierFields => mapFields((name) => form.get(name) ?? '');

/** @returns a CSV of this one supplier */
export function toCsv(values: SupplierFields): string {
  const row = Object.values(values).map((value) => `"${value.replaceAll('"', '""')}"`);
  return [Object.keys(values).join(','), row.join(',')].join('\n');
}

/** @returns the fields of the payment, to send it once more */
export function hiddenFields({ converted }: PaymentRun): Html {
  const [payment] = converted.payments;
  if (payment === undefined) return html``;
  const { name, sortCode, accountNumber, amount, reference } = payment;
  const values: SupplierFields = { name, 'sort-code': sortCode, 'account-number': accountNumber, amount, reference };
  return html`${Object.entries(values).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`,
  )}`;
}

/** The form for one supplier, with the faults of the values that were sent. */
export function oneContent(values: SupplierFields, { faults, token, versions, version, runs }: RunForm): Html {
  const inputs = Object.entries(fields).map(
    ([name, [label]]) =>
      html`<p>
        <label for="${name}">${label}</label>
        <input id="${name}" name="${name}" value="${values[name as keyof typeof fields]}" autocomplete="off" />
      </p>`,
  );
  return html`<p class="lead">
      Pay one supplier without a file: the customer approves a single payment, the portal asks whether the money is
      there, and pays.
    </p>
    ${faults.length > 0 && faultSummary(faults)}
    <form method="post" action="/runs" class="stack">
      ${formToken(token)} <input type="hidden" name="kind" value="domestic-payment" />
      ${inputs} ${versions.length > 1 && versionChoice(versions, version)}
      <p><button id="make-payment" class="main">Make the payment</button></p>
    </form>
    ${runs.length > 0 && runList(runs)}`;
}

function mapFields(valueOf: (name: keyof typeof fields, field: readonly [string, string]) => string): SupplierFields {
  const names = Object.keys(fields) as (keyof typeof fields)[];
  return Object.fromEntries(names.map((name) => [name, valueOf(name, fields[name])])) as SupplierFields;
}
