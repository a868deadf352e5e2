import { CertificateError } from './certificate.errors.js';
import { derTag, type DerElement } from './der.js';

const utcTime = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;
const generalizedTime = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;

/** @returns whether the element is a UTCTime or a GeneralizedTime */
export function isDerTime(element: DerElement | undefined): element is DerElement {
  return element?.tag === derTag.utcTime || element?.tag === derTag.generalizedTime;
}

/**
 * @param element a UTCTime, whose two-digit years lie between 1950 and 2049, or a GeneralizedTime (RFC 5280 s4.1.2.5)
 * @throws CertificateError `malformed`
 */
export function readDerTime(element: DerElement): Date {
  const isShort = element.tag === derTag.utcTime;
  const parts = (isShort ? utcTime : generalizedTime).exec(element.contents.toString('latin1'))?.slice(1).map(Number);
  const [year = Number.NaN, month = 0, ...rest] = parts ?? [];
  const century = isShort ? (year < 50 ? 2_000 : 1_900) : 0;
  const [day = 0, hour = 0, minute = 0, second = 0] = rest;
  const time = new Date(Date.UTC(century + year, month - 1, day, hour, minute, second));
  if (Number.isNaN(time.getTime())) throw new CertificateError('malformed', 'A time cannot be read.');
  return time;
}
