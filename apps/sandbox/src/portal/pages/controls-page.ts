import { faultNames, type ActiveFault, type FaultName } from '../../control/faults.js';
import { html, type Html } from '#libs/http-server';
import { formToken } from './layout.js';

/** A TPP for which time and faults can be set. */
export interface ControlledTpp {
  name: string;
  softwareId: string;
}

/** Spans of time to let pass at one press. */
export const timeSpans = [
  ['10m', '10 minutes: codes and access tokens expire'],
  ['2h', '2 hours: an approval that is under way expires'],
  ['2d', '2 days: unused consents expire'],
] as const;

/** @returns e.g. `10 minutes` */
export const describeSpan = (span: string): string =>
  timeSpans.find(([value]) => value === span)?.[1].split(':', 1)[0] ?? span;

const meanings: Readonly<Record<FaultName, string>> = {
  'gateway-timeout': 'The next POST takes effect, but its answer is lost (504)',
  'directory-slow': 'The directory takes 15 seconds to answer',
  'directory-dead': 'The directory closes the connection',
  'reject-payments': 'The bank rejects the payments of the next file',
};

/** Clock and faults, as in the command `npm run sandbox`. */
export function controlsContent(options: {
  tpps: readonly ControlledTpp[];
  faults: readonly ActiveFault[];
  notice: string;
  token: string;
}): Html {
  const { tpps, faults, notice, token } = options;
  const nameOf = (softwareId: string): string => tpps.find((tpp) => tpp.softwareId === softwareId)?.name ?? softwareId;
  const choices = tpps.map(({ name, softwareId }) => html`<option value="${softwareId}">${name}</option>`);
  const select = (id: string): Html =>
    html`<p>
      <label for="${id}">TPP</label>
      <select id="${id}" name="software_id">
        ${choices}
      </select>
    </p>`;
  return html`<p class="lead">Time passes and faults happen for one TPP only. The others do not notice.</p>
    ${notice !== '' && html`<p class="note" role="status" id="notice">${notice}</p>`}
    <div class="pair">
      <section aria-labelledby="clock-title">
        <h2 id="clock-title">Let time pass</h2>
        <form method="post" action="/controls/clock" class="stack">
          ${formToken(token)}${select('clock-tpp')}
          <fieldset>
            <legend>How much time</legend>
            ${timeSpans.map(([value, label], index) => radio({ name: 'duration', id: 'span', value, label }, index))}
          </fieldset>
          <p>
            Everything that the service and the bank have stored for the TPP becomes older by this much. Whatever has
            expired ends within half a minute.
          </p>
          <p><button id="pass-time" class="main">Let time pass</button></p>
        </form>
      </section>
      <section aria-labelledby="faults-title">
        <h2 id="faults-title">Make something go wrong</h2>
        <form method="post" action="/controls/faults" class="stack">
          ${formToken(token)}${select('fault-tpp')}
          <fieldset>
            <legend>What goes wrong</legend>
            ${faultNames.map((value, index) =>
              radio({ name: 'fault', id: 'fault', value, label: meanings[value] }, index),
            )}
          </fieldset>
          <p><button id="set-fault" class="main">Make it happen once</button></p>
        </form>
        <h3>Faults that are set</h3>
        ${
          faults.length === 0
            ? html`<p id="no-faults">None.</p>`
            : html`<ul id="active-faults">
                ${faults.map((fault) => activeFault(fault, nameOf, token))}
              </ul>`
        }
      </section>
    </div>`;
}

/** The first one is chosen. */
function radio({ name, id, value, label }: Record<'name' | 'id' | 'value' | 'label', string>, index: number): Html {
  return html`<p>
    <input type="radio" id="${id}-${value}" name="${name}" value="${value}" ${index === 0 && html` checked`} />
    <label for="${id}-${value}">${label}</label>
  </p>`;
}

function activeFault({ softwareId, fault }: ActiveFault, nameOf: (id: string) => string, token: string): Html {
  return html`<li>
    ${nameOf(softwareId)}: ${fault}
    <form method="post" action="/controls/faults/clear" class="inline">
      ${formToken(token)}<input type="hidden" name="software_id" value="${softwareId}" />
      <button>Clear<span class="hidden"> all faults of ${nameOf(softwareId)}</span></button>
    </form>
  </li>`;
}
