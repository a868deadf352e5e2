// A bank of one customer with the seven operations that file payments need (x-minimum in deploy/bank-openapi.yaml).
// It keeps everything in memory; a real bank must not forget an idempotency key, an attempt or a challenge.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
const customer = { username: 'ada', password: 'ada-password', oneTimeCode: '123456', psuId: 'customer-1' };
const account = { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000512345678', currency: 'GBP' };
let available = 100_000_000n; // pence, without what is reserved
const [failures, challenges, attempts, batches, payments] = Array.from({ length: 5 }, () => new Map());
const answer = (status, body) => ({ status, body });
const refusal = (status, reason) => answer(status, { reason });
const approved = ['fileId', 'psuId', 'debtorAccount', 'currency', 'numberOfPayments', 'payeesHash'];

function pence(amount) {
  const [, pounds, rest = ''] = /^(\d{1,16})(?:\.(\d{1,2})0*)?$/.exec(amount) ?? [];
  if (pounds === undefined) throw refusal(400, 'InvalidAmount');
  return BigInt(pounds + rest.padEnd(2, '0'));
}
function assertRight(username, isRight) {
  const failed = failures.get(username) ?? 0;
  if (failed >= 5) throw refusal(423, 'Locked'); // also an unknown user name
  failures.set(username, isRight ? failed : failed + 1);
  if (!isRight) throw refusal(401, 'InvalidCredentials');
}
function assertNotStale(filePaymentId, attempt) {
  if (attempt < (attempts.get(filePaymentId) ?? 0)) throw refusal(409, 'StaleAttempt'); // a later worker has it
  attempts.set(filePaymentId, attempt);
}
function once(book, key, request, decide) {
  const known = book.get(key) ?? { request, ...decide() }; // the first result for a key is final
  if (!isDeepStrictEqual(known.request, request)) throw refusal(409, 'IdempotencyKeyReused');
  book.set(key, known);
  return answer(200, known.result);
}
const operations = {
  'POST /psu-authentication/password'({ body: { username, password } }) {
    assertRight(username, username === customer.username && password === customer.password);
    return answer(200, { psuId: customer.psuId, displayName: 'Ada Byron' });
  },
  'POST /psu-authentication/challenges'({ body: binding }) {
    const [challengeId, expiresAt] = [randomBytes(16).toString('base64url'), new Date(Date.now() + 300_000)];
    challenges.set(challengeId, { binding, expiresAt, isOpen: true });
    return answer(200, { challengeId, method: 'Code', expiresAt }); // text the customer: total, payees, TPP, code
  },
  'POST /psu-authentication/challenges/{id}/verification'({ id, body: { oneTimeCode, binding } }) {
    const challenge = challenges.get(id);
    if (!challenge) return refusal(404, 'Unknown');
    const isSame = isDeepStrictEqual(challenge.binding, binding); // as JSON: the order of members means nothing
    challenge.isOpen &&= isSame;
    if (!challenge.isOpen) return refusal(409, isSame ? 'Used' : 'OtherValues');
    if (challenge.expiresAt < new Date()) return refusal(410, 'Expired');
    assertRight(customer.username, oneTimeCode === customer.oneTimeCode);
    failures.delete(customer.username);
    Object.assign(challenge, { isOpen: false, isVerified: true });
    return answer(200, { authenticatedAt: new Date(), acr: 'urn:openbanking:psd2:sca' });
  },
  'GET /psus/{id}/payment-accounts'() {
    const availableBalance = `${available / 100n}.${String(available % 100n).padStart(2, '0')}`;
    return answer(200, { accounts: [{ ...account, name: 'Ada', availableBalance, approvalsRequired: 1 }] });
  },
  'POST /payment-batches'({ key, attempt, body: { challengeIds, ...batch } }) {
    assertNotStale(key, attempt);
    return once(batches, key, batch, () => {
      const total = pence(batch.total);
      const isOf = ({ isVerified, binding } = {}) =>
        isVerified && pence(binding.total) === total && approved.every((n) => isDeepStrictEqual(binding[n], batch[n]));
      const isApproved = challengeIds.length > 0 && challengeIds.every((id) => isOf(challenges.get(id)));
      const reason = isApproved ? total > available && 'InsufficientFunds' : 'NotApproved';
      if (reason) return { result: { decision: 'Refused', reason } };
      available -= total;
      return { result: { decision: 'Accepted' }, left: total };
    });
  },
  'POST /payments'({ key, attempt, body: payment }) {
    assertNotStale(payment.filePaymentId, attempt);
    return once(payments, key, payment, () => {
      const [batch, amount] = [batches.get(payment.filePaymentId), pence(payment.amount)];
      if (amount > (batch?.left ?? 0n)) throw refusal(422, 'NoReservation');
      batch.left -= amount;
      return { result: { status: 'AcceptedCreditSettlementCompleted' } }; // your payment hub takes it here
    });
  },
  'GET /payments/{id}': ({ id }) => (payments.has(id) ? answer(200, payments.get(id).result) : refusal(404, 'Unknown')),
};
// A refusal is an answer, thrown or not; any other error is a fault of this program.
const toAnswer = (error) => (error instanceof SyntaxError ? refusal(400, 'NotJson') : { status: 500, ...error });
async function serve(request, response) {
  const [id] = /(?<=\/challenges\/|\/psus\/|\/payments\/)[^/]+/.exec(request.url) ?? [];
  const operation = operations[`${request.method} ${request.url.replace(id, '{id}')}`];
  const [key, attempt] = [request.headers['idempotency-key'], Number(request.headers['x-hand-over-attempt'])];
  const { status, body } = await text(request)
    .then((json) => operation?.({ id, key, attempt, body: JSON.parse(json || '{}') }) ?? refusal(404, 'NotOffered'))
    .catch(toAnswer);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
const { BANK_PORT = '8445', BANK_CERTIFICATE, BANK_PRIVATE_KEY, SERVICE_CA } = process.env;
const [cert, key, ca] = [BANK_CERTIFICATE, BANK_PRIVATE_KEY, SERVICE_CA].map((file) => readFileSync(file));
createServer({ cert, key, ca, requestCert: true, minVersion: 'TLSv1.2' }, serve).listen(BANK_PORT, '127.0.0.1');
