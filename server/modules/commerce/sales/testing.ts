import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/db.ts';
import { type ChargeInput, refundSale } from './index.ts';

export const NOON = new Date('2026-03-04T12:00:00.000Z');

export const addDays = (days: number, from = NOON) => new Date(from.getTime() + days * 86_400_000);

export const createTipCharge = (
  fanId: string,
  creatorId: string,
  grossCents: number,
  more: Partial<ChargeInput> = {},
): ChargeInput => ({
  kind: 'tip',
  fanId,
  creatorId,
  grossCents,
  operationId: randomUUID(),
  at: NOON,
  ...more,
});

export const createUnlockCharge = (
  fanId: string,
  creatorId: string,
  subjectId: string,
  grossCents = 1_200,
): ChargeInput => createTipCharge(fanId, creatorId, grossCents, { kind: 'post', subjectId });

export function runRefund(db: Database, saleId: string, grossCents?: number, at = NOON) {
  const request = {
    saleId,
    actorId: randomUUID(),
    operationId: randomUUID(),
    at,
    ...(grossCents !== undefined && { grossCents }),
  };
  return db.transaction((tx) => refundSale(tx, request));
}
