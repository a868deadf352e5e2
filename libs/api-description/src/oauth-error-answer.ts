import { errorPageUrl, type OAuthErrorCode } from '#libs/error-catalogue';
import { type Answer, jsonAnswer } from './answers.js';
import { describedClass, textUpTo } from './described-class.js';
import { exampleAddresses } from './example-addresses.js';
import type { AnswerHeader } from './headers.js';

const printable = '^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]+$';

/** Error of an OAuth endpoint (RFC 6749 section 5.2). */
const OAuthErrorDocument = describedClass('OAuthErrorDocument', {
  error: { type: 'string', description: 'Error code; each code has a page in the error catalogue.' },
  error_description: textUpTo(200, { pattern: printable, description: 'What is wrong with the request.' }),
  error_uri: {
    type: 'string',
    format: 'uri',
    description: 'Page that explains the code: when it occurs and what to do.',
  },
});

/** An answer of an OAuth endpoint to a request that failed, with an example for each code. */
export function oauthErrorAnswer(
  description: string,
  codes: Readonly<Partial<Record<OAuthErrorCode, string>>>,
  headers: readonly AnswerHeader[] = [],
): Answer {
  const examples = Object.fromEntries(
    Object.entries(codes).map(([error, error_description]) => [
      error,
      {
        summary: error,
        value: { error, error_description, error_uri: errorPageUrl(exampleAddresses.baseUrl, error) },
      },
    ]),
  );
  const answer = jsonAnswer(OAuthErrorDocument, { description, examples, headers: ['cache-control', ...headers] });
  return { ...answer, content: { ...answer.content, 'text/html': jsonAsHtml } };
}

/** The same JSON document, for clients whose Accept prefers text/html. */
export const jsonAsHtml = { type: 'string', contentMediaType: 'application/json' } as const;
