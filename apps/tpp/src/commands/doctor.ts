import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { type Command, text } from '../cli/command.js';
import { checkBank } from '../doctor/check-bank.js';
import { checkCertificate } from '../doctor/check-certificate.js';
import { checkKeys } from '../doctor/check-keys.js';
import { checkSoftwareStatement } from '../doctor/check-software-statement.js';
import { HttpsClient } from '../https-client.js';
import { explainRequest } from './why.js';

/** Checks everything that could make requests fail. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'check certificate, software statement, keys, clock, TLS, registration and payments, and report problems',
  options: [['--request <interaction-id>', 'first explain a request that the sandbox refused, as "why" does']],
  sendsRequest: false,
  async run(call) {
    const { session: open, output, values, surroundings } = call;
    const session = await open();
    const { profile, credentials, ca } = session;
    const request = text(values, 'request');
    if (request !== undefined) {
      await explainRequest(session, request, call);
      output.line();
    }
    const now = surroundings.now();
    const clientCa = profile.clientCaFile === undefined ? undefined : await readFile(profile.clientCaFile, 'utf8');
    // The directory is not the bank's server, so the system's authorities are trusted too.
    const client = new HttpsClient(ca === undefined ? {} : { ca: [ca, ...rootCertificates].join('\n') });
    output.progress(`looking at ${profile.tpp.name} and ${profile.discoveryUri}`);
    const results = [
      ...checkCertificate({ credentials, clientCa, now }),
      ...(await checkSoftwareStatement({ profile, credentials, client, now })),
      ...(await checkKeys({ profile, credentials, client })),
      ...(await checkBank(session, surroundings.now)),
    ];
    client.close();
    for (const { check, title, outcome, section, expected, got, fix } of results) {
      output.line(`${outcome.padEnd(8)} ${title} [${check}]`);
      if (outcome !== 'problem') {
        output.line(`           ${got}`);
        continue;
      }
      output.line(`  standard ${section}`);
      output.line(`  expected ${expected}`);
      output.line(`  got      ${got}`);
      output.line(`  fix      ${fix}`);
    }
    const problems = results.filter(({ outcome }) => outcome === 'problem');
    output.add({ checks: results, problems: problems.length });
    output.line();
    output.line(problems.length === 0 ? 'Nothing is wrong.' : `Problems: ${problems.length}.`);
    output.isFailed = problems.length > 0;
  },
};
