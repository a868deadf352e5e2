import { constants, createHash, createPublicKey, verify } from 'node:crypto';

/** What 3.1 and 4.0 call a file payment whose payments have all been made, and a single one. */
export const completed = new Set([
  'InitiationCompleted',
  'INCO',
  'AcceptedSettlementCompleted',
  'ACSC',
  'AcceptedCreditSettlementCompleted',
  'ACCC',
]);

/** What a right answer is, per case. Each returns a function that throws at the first wrong answer. */
export const answerChecks = {
  token: () => checkToken('payments'),

  /**
   * OIDC Core s3.1.3.3: the same with an ID token for the client, with its nonce, signed by the server; its at_hash may
   * be absent here.
   */
  code: ({ clientId, serverKey }) => {
    const key = createPublicKey({ key: serverKey, format: 'jwk' });
    const parameters = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    const check = checkToken('openid payments');
    return (answer) => {
      const { access_token: accessToken, id_token: idToken = '..' } = check(answer);
      const [header, payload, signature] = idToken.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}');
      const hash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
      const isRight =
        [claims.aud].flat().includes(clientId) &&
        claims.nonce === 'bench-nonce' &&
        [hash, undefined].includes(claims.at_hash) &&
        verify('sha256', Buffer.from(`${header}.${payload}`), parameters, Buffer.from(signature, 'base64url'));
      if (!isRight) throw new Error(`Wrong ID token: ${answer.body}`);
    };
  },

  /** RFC 7591 s3.2.1: a new client with its secret. */
  registration: () => {
    const seen = new Set();
    return ({ status, head, body }) => {
      const answer = status === 201 ? JSON.parse(body) : {};
      const isRight =
        /^[0-9a-f-]{36}$/.test(answer.client_id) &&
        /^[0-9a-f-]{36}$/.test(answer.client_secret) &&
        !seen.has(answer.client_id) &&
        answer.token_endpoint_auth_method === 'private_key_jwt' &&
        /\r\ncache-control: *no-store/i.test(head);
      if (!isRight) throw new Error(`Wrong answer: ${head}\n\n${body}`);
      seen.add(answer.client_id);
    };
  },

  /** Upload of a payment file: 200. */
  upload:
    () =>
    ({ status, head, body }) => {
      if (status !== 200) throw new Error(`Wrong answer: ${head}\n\n${body}`);
    },

  /** A file that is refused: 400 with its faults. */
  refusedUpload:
    () =>
    ({ status, head, body }) => {
      if (status !== 400 || JSON.parse(body).Errors.length < 1) throw new Error(`Wrong answer: ${head}\n\n${body}`);
    },

  /** A new consent or file payment: 201, signed, each with its own id. */
  created: () => {
    const seen = new Set();
    return ({ status, head, body }) => {
      const data = status === 201 ? JSON.parse(body).Data : {};
      const id = data.FilePaymentId ?? data.DomesticPaymentId ?? data.ConsentId;
      const isRight = /^[0-9a-f-]{36}$/.test(id) && !seen.has(id) && isSigned(head);
      if (!isRight) throw new Error(`Wrong answer: ${head}\n\n${body}`);
      seen.add(id);
    };
  },

  /** The status of a file payment: 200, signed. */
  read:
    () =>
    ({ status, head, body }) => {
      const isRight = status === 200 && isSigned(head) && completed.has(JSON.parse(body).Data.Status);
      if (!isRight) throw new Error(`Wrong answer: ${head}\n\n${body}`);
    },

  /** The report of a file: 200, signed, with the state of each payment. */
  report:
    () =>
    ({ status, head, body }) => {
      const payments = status === 200 && isSigned(head) ? JSON.parse(body).Data.DomesticPayments : [];
      if (payments.length !== 150 || !payments.every(({ PaymentId }) => /^[0-9a-f]{32}$/.test(PaymentId)))
        throw new Error(`Wrong answer: ${head}\n\n${body}`);
    },

  /** The page of a file: every payee and both accounts. */
  approvalPage:
    () =>
    ({ status, body }) => {
      const isRight = status === 200 && body.includes('Supplier 0150 Ltd') && body.includes('Savings');
      if (!isRight) throw new Error(`Wrong page: ${status} ${body.slice(0, 2_000)}`);
    },

  /** RFC 7662 s2.2: what is known of a valid token. */
  introspection:
    ({ clientId }) =>
    ({ status, head, body }) => {
      const { active, client_id: found, scope, cnf } = status === 200 ? JSON.parse(body) : {};
      const isRight = active === true && found === clientId && scope === 'payments' && cnf['x5t#S256'].length === 43;
      if (!isRight) throw new Error(`Wrong answer: ${head}\n\n${body}`);
    },
};

/** RFC 6749 s5.1: a fresh bearer token of the scope and life that were agreed. */
function checkToken(scope) {
  const seen = new Set();
  return ({ status, head, body }) => {
    const answer = status === 200 && /\r\ncontent-type: *application\/json/i.test(head) ? JSON.parse(body) : {};
    const isRight =
      typeof answer.access_token === 'string' &&
      answer.access_token.length >= 43 &&
      !seen.has(answer.access_token) &&
      answer.token_type?.toLowerCase() === 'bearer' &&
      answer.expires_in === 300 &&
      answer.scope === scope &&
      /\r\ncache-control: *no-store/i.test(head);
    if (!isRight) throw new Error(`Wrong answer: ${head}\n\n${body}`);
    seen.add(answer.access_token);
    return answer;
  };
}

const isSigned = (head) => /\r\nx-jws-signature: *[\w-]+\.\.[\w-]{342}/i.test(head);
