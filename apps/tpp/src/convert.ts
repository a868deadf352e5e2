import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandLineError } from '#libs/command-line';
import { createConvertProgram, type ConvertCommand } from './cli/convert-program.js';
import { convertFile } from './convert/convert-file.js';

const path = (file: string): string => resolve(process.env['INIT_CWD'] || process.cwd(), file);

async function run({ file, from, out, json = false }: ConvertCommand): Promise<void> {
  const converted = convertFile(await readFile(path(file), 'utf8'), from);
  if ('faults' in converted) {
    const { faults } = converted;
    for (const { line, message } of faults) process.stderr.write(`${file}:${line}: ${message}\n`);
    if (json) process.stdout.write(`${JSON.stringify({ faults }, undefined, 2)}\n`);
    process.exitCode = 1;
    return;
  }
  const { body, fileHash, numberOfTransactions, controlSum } = converted.file;
  if (out === undefined) process.stdout.write(`${body.toString()}\n`);
  else await writeFile(path(out), body);
  const told = { FileHash: fileHash, NumberOfTransactions: numberOfTransactions, ControlSum: controlSum };
  if (json) process.stdout.write(`${JSON.stringify(told, undefined, 2)}\n`);
  else process.stderr.write(`${numberOfTransactions} payments of ${controlSum} GBP\n`);
}

try {
  const help = await createConvertProgram(run).run(process.argv.slice(2));
  if (help !== undefined) process.stdout.write(`${help}\n`);
} catch (error) {
  const isSystem = error instanceof Error && typeof Reflect.get(error, 'syscall') === 'string';
  if (!isSystem && !(error instanceof CommandLineError)) throw error;
  process.stderr.write(`${error.message}\n`);
  const message = error.message.split('\n')[0];
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: message }, undefined, 2)}\n`);
  process.exitCode = isSystem ? 1 : 2;
}
