import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { ACH, createPayee, createPayoutMethod, createPayoutRequest } from './testing.ts';

const ACH_ENV = { ACH_BANK: '091000019', ACH_BANK_NAME: 'Żubr', ACH_ORIGIN: '1234567890', ACH_COMPANY: 'Café Œuvre' };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: ACH_ENV });
});
afterAll(() => app.close());

test('an ACH file spells the names of payees and of the platform in ASCII and loses no letter', async () => {
  const spellings: Record<string, string> = {
    'Łukasz Żak': 'LUKASZ ZAK',
    'Øystein Bjørnstad': 'OYSTEIN BJORNSTAD',
    'Þóra Æsudóttir': 'THORA AESUDOTTIR',
    'Seán O’Brien': "SEAN O'BRIEN",
    'Ǿrn Đặng Straße': 'ORN DANG STRASSE',
    'Əli Œhler': 'ELI OEHLER',
    'Ɔforiwaa Ʋla': 'OFORIWAA VLA',
  };
  const ids: string[] = [];
  for (const holder of Object.keys(spellings)) ids.push((await createPayoutRequest(app, 30, { ...ACH, holder })).id);
  const operator = await app.signUp('operator');
  for (const id of ids) {
    const decision = { decision: 'approve', reason: 'All documents match.' };
    const decided = await operator.inject('POST', `/api/admin/payouts/${id}/decision`, decision);
    expect(decided.json().status).toBe('approved');
  }
  const batch = await operator.inject(
    'POST',
    '/api/admin/payout-batches',
    { rail: 'ach' },
    { 'idempotency-key': randomUUID() },
  );
  const lines: string[] = (
    await operator.inject('POST', `/api/admin/payout-batches/${batch.json().id}/file`)
  ).body.split('\n');
  const names = lines.filter((line) => line.startsWith('6')).map((line) => line.slice(54, 76).trimEnd());
  expect(names.toSorted()).toEqual(Object.values(spellings).toSorted());
  expect(lines[0]).toContain('ZUBR');
  expect(lines[1]).toContain('CAFE OEUVRE');
  expect(new Set(lines.filter(Boolean).map(({ length }) => length))).toEqual(new Set([94]));
});

test('a bank account whose holder is not written in Latin letters is refused', async () => {
  const creator = await createPayee(app, 0);
  await expect(createPayoutMethod(app, creator, { ...ACH, holder: 'Ivan Иванов' })).rejects.toThrow();
});
