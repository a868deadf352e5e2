import { type Initiation, readFileTerms } from '#libs/consent';
import { anyBank, parseStoredJson, type LocalInstrument } from '#libs/obie-rules';
import { FaultList } from '../../libs/file-payment/src/fault-list.js';
import {
  createInstructionList,
  type InstructionList,
  type WrittenInstructionList,
  writeInstructionList,
} from '../../libs/payment-order/src/instruction-list.js';
import { isPaymentFile, parsePaymentFile } from '../../libs/file-payment/src/parse-payment-file.js';
import { readWholeFile, withWholeFile } from '../../libs/file-payment/src/whole-file.js';

interface Options {
  readonly initiation?: Partial<Initiation>;
  readonly localInstrument?: LocalInstrument;
  readonly requestedDay?: string;
}

/**
 * @param file a legal file, whatever its day
 * @returns the list that an upload makes of it, and stores
 * @throws TypeError if the file or its consent has a fault
 */
export function makeInstructionList(
  file: Buffer | object,
  { initiation = {}, localInstrument = 'UK.OBIE.FPS', ...terms }: Options = {},
): WrittenInstructionList & { readonly list: InstructionList } {
  const faults = new FaultList();
  const document = Buffer.isBuffer(file) ? (parseStoredJson(file) as Record<string, unknown>) : { ...file };
  const { FileType: fileType } = initiation;
  const { requestedDay = readFileTerms(initiation as Initiation).requestedDay } = terms;
  const rules = { consentInstrument: localInstrument, bank: anyBank, now: new Date(0) };
  const parsed = parsePaymentFile({ document, fileType, ...rules, faults });
  const wholeFile = readWholeFile(initiation as Initiation, faults);
  if (parsed === undefined || !isPaymentFile(parsed) || faults.count > 0) throw new TypeError('The file has faults.');
  const payments = withWholeFile(parsed.payments, wholeFile);
  const list = createInstructionList({ payments, localInstrument, requestedDay });
  return { list, ...writeInstructionList(list) };
}
