import { expect, it } from '@jest/globals';
import { rewrittenForms } from './rewritten-forms.js';

const formsOf = (text: string): Record<string, string> =>
  Object.fromEntries(rewrittenForms(Buffer.from(text)).map(({ name, body }) => [name, body.toString()]));

it('names each form in which a program may have written the body again, and what it is then', () => {
  const members = `{"b": [null, {"d": 2,"c": "é"}],\r\n"a":true}`;
  expect(formsOf(`\uFEFF${members}\n`)).toEqual({
    'without white space at the end': `\uFEFF${members}`,
    'with a line break at the end': `\uFEFF${members}\n\n`,
    'with CR LF as line breaks': `\uFEFF${members}\r\n`,
    'with LF as line breaks': `\uFEFF${members.replace('\r', '')}\n`,
    'without a byte order mark': `${members}\n`,
  });
  expect(formsOf(members)).toEqual({
    'with a line break at the end': `${members}\n`,
    'with LF as line breaks': members.replace('\r', ''),
    'parsed and serialised without white space (JSON.stringify)': '{"b":[null,{"d":2,"c":"é"}],"a":true}',
    'parsed and serialised with an indentation of two spaces': `{
  "b": [
    null,
    {
      "d": 2,
      "c": "é"
    }
  ],
  "a": true
}`,
    'parsed and serialised with an indentation of four spaces': `{
    "b": [
        null,
        {
            "d": 2,
            "c": "é"
        }
    ],
    "a": true
}`,
    'parsed and serialised with sorted members': '{"a":true,"b":[null,{"c":"é","d":2}]}',
    'parsed and serialised with spaces after colons and commas (Python)':
      '{"b": [null, {"d": 2, "c": "é"}], "a": true}',
  });
});
