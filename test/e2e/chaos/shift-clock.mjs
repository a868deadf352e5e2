// Preloaded into a process of the service: shifts its clock by the milliseconds in a file, read at the start and at
// SIGUSR2.
import { readFileSync } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('file');
const TrueDate = Date;
let shift = 0;

function readShift() {
  try {
    shift = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    shift = 0; // no file: the clock is right
  }
}

readShift();
process.on('SIGUSR2', readShift);

globalThis.Date = class Date extends TrueDate {
  constructor(...parts) {
    if (parts.length === 0) super(TrueDate.now() + shift);
    else super(...parts);
  }

  static now() {
    return TrueDate.now() + shift;
  }
};
