import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { endWithReader, runProgram } from '#libs/command-line';
import { createConvertProgram, type ConvertCommand } from './cli/convert-program.js';
import { convertFile } from './convert/convert-file.js';
import { mostBytes } from './convert/decode-text.js';

/** @returns the file, or one byte more than a file may have: however long it is, no more is read */
async function readInput(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: mostBytes })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function run({ file, from, out, version, json = false }: ConvertCommand): Promise<void> {
  const converted = convertFile(await readInput(file), from, version);
  if ('faults' in converted) {
    const { faults } = converted;
    for (const { line, message } of faults) process.stderr.write(`${file}:${line}: ${message}\n`);
    if (json) process.stdout.write(`${JSON.stringify({ faults }, undefined, 2)}\n`);
    process.exitCode = 1;
    return;
  }
  const { warnings } = converted;
  for (const { line, message } of warnings) process.stderr.write(`${file}:${line}: warning: ${message}\n`);
  const { body, fileHash, numberOfTransactions, controlSum } = converted.file;
  if (out === undefined) process.stdout.write(`${body.toString()}\n`);
  else await writeFile(out, body);
  const told = {
    FileHash: fileHash,
    NumberOfTransactions: numberOfTransactions,
    ControlSum: controlSum,
    ...(warnings.length > 0 && { warnings }),
  };
  if (json) process.stdout.write(`${JSON.stringify(told, undefined, 2)}\n`);
  else
    process.stderr.write(
      `${numberOfTransactions} ${numberOfTransactions === '1' ? 'payment' : 'payments'}, ${controlSum} GBP in total\n`,
    );
}

endWithReader();
await runProgram(createConvertProgram(run), (error) =>
  error instanceof Error && 'syscall' in error ? describe(error) : undefined,
);

/** @returns e.g. `/tmp/suppliers.csv: no such file or directory` */
function describe({ message, path: file = '' }: Error & { path?: string }): string {
  const [, reason = message] = /^[A-Z]+: ([^,]+)/.exec(message) ?? [];
  return file === '' ? reason : `${file}: ${reason}`;
}
