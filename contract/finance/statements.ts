import * as z from 'zod/mini';
import { fileResponse, route } from '../shared/route.ts';

export const STATEMENT_FORMATS = ['csv', 'pdf'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];
/** Further lines are summed in one and are only in the table. */
export const PRINTED_LINES_MAX = 2_000;

const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2199-12-31';
const day = z.iso
  .date('Choose a date')
  .check(z.refine((text) => text >= FIRST_DAY && text <= LAST_DAY, `Choose a date from ${FIRST_DAY} to ${LAST_DAY}`));
const period = z
  .object({ from: day, to: day, format: z.enum(STATEMENT_FORMATS) })
  .check(z.refine(({ from, to }) => from <= to, { message: 'End date is before start date', path: ['to'] }));

const files = ['text/csv; charset=utf-8', 'application/pdf'];

export const downloadWalletStatement = route({
  method: 'GET',
  path: '/customer/statement',
  summary: 'Download your wallet statement for a period',
  auth: 'customer',
  rate: 'sensitive',
  query: period,
  response: fileResponse,
  files,
});

export const downloadEarningsStatement = route({
  method: 'GET',
  path: '/creator/statement',
  summary: 'Download your earnings statement for a period',
  auth: 'creator',
  rate: 'sensitive',
  query: period,
  response: fileResponse,
  files,
});

export const STATEMENT_PERIODS = ['this-month', 'last-month', 'this-year'] as const;
export type StatementPeriod = (typeof STATEMENT_PERIODS)[number];

/** UTC. A current period ends on the day of `now` (ISO time). */
export function toDateRange(period: StatementPeriod, now: string): { from: string; to: string } {
  const today = now.slice(0, 10);
  if (period === 'this-month') return { from: `${today.slice(0, 7)}-01`, to: today };
  if (period === 'this-year') return { from: `${today.slice(0, 4)}-01-01`, to: today };
  const lastDay = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
  lastDay.setUTCDate(0);
  const to = lastDay.toISOString().slice(0, 10);
  return { from: `${to.slice(0, 7)}-01`, to };
}
