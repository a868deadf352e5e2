import { type Command, text } from '../cli/command.js';
import { readBody } from '../cli/read-body.js';
import { type ApiVersion, parseApiVersion, versionWords } from '../read-write/api-version.js';
import { describePaymentFile } from '../read-write/payment-file.js';

interface FileToCheck {
  readonly body: Buffer;
  readonly version: ApiVersion;
  /** undefined: none is named */
  readonly localInstrument: string | undefined;
  readonly now: Date;
}

/** @returns the faults that the bank would find, and their number */
export async function checkFile({ version, ...file }: FileToCheck) {
  // Imported only here: the rest of the command line does not depend on the bank's side.
  const { checkPaymentFile } = await import('#libs/file-payment');
  return checkPaymentFile({ ...file, fileType: versionWords[version].fileType });
}

/** Runs the bank's own rules locally; sends nothing. */
export const checkFileCommand: Command = {
  name: 'check-file',
  summary: "check a payment file with the bank's own rules and list every problem with its place",
  operands: [['<file>', 'the payment file (JSON), in the version that --version names']],
  options: [['--local-instrument <type>', 'the LocalInstrument of the consent; default: none']],
  sendsRequest: false,
  async run({ output, positionals: [name = ''], values, surroundings }) {
    const body = await readBody(name);
    const localInstrument = text(values, 'local-instrument');
    const version = parseApiVersion(text(values, 'version') ?? '3.1');
    const { faults, count } = await checkFile({ body, version, localInstrument, now: surroundings.now() });
    // As the bank answers.
    const problems = faults.map(({ code, detail, path: Path }) => ({
      ErrorCode: `UK.OBIE.${code}`,
      Message: detail,
      ...(Path === undefined ? {} : { Path }),
    }));
    output.add({ problems, count });
    for (const { ErrorCode, Path = '(file)', Message } of problems) {
      const place = Message.includes(Path) ? '' : `${Path}: `;
      output.line(`${place}${Message} [${ErrorCode}]`);
    }
    if (count > problems.length) output.line(`… and ${count - problems.length} more.`);
    if (count > 0) {
      output.line(`${count} problem${count === 1 ? '' : 's'} in v${version}.`);
      output.isFailed = true;
      return;
    }
    const { numberOfTransactions, controlSum, fileHash } = describePaymentFile(body);
    output.line(
      `No problem in v${version}: ${numberOfTransactions} payments, ${controlSum} GBP in all; FileHash ${fileHash}`,
    );
    output.add({ number_of_transactions: numberOfTransactions, control_sum: controlSum, file_hash: fileHash });
  },
};
