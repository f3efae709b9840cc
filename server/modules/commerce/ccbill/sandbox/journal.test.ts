import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openJournal } from './journal.ts';
import type { SandboxMessage, SandboxSale } from './messages.ts';

const sale = (id: string): SandboxSale => ({
  id,
  orderId: `order-${id}`,
  priceCents: 30_600,
  periodDays: 2,
  currencyCode: '840',
  bin: '411111',
  last4: '1111',
  expDate: '1230',
  payerAddress: '127.0.0.1',
  requestDigest: 'digest',
  soldAt: new Date('2026-03-01T10:00:00.000Z'),
  isApproved: true,
  reversedCents: 0,
});
const message: SandboxMessage = { eventType: 'NewSaleSuccess', fields: { subscriptionId: '1' } };

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-journal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('the sandbox journal restores sales, reversals and undelivered webhooks, but no delivered ones', async () => {
  const folder = await createFolder();
  const first = openJournal(folder, 10);
  first.append({ kind: 'sale', sale: sale('1'), webhook: { id: 'a', message } });
  first.append({ kind: 'webhook', id: 'b', message });
  first.append({
    kind: 'reversal',
    saleId: '1',
    type: 'REFUND',
    amountCents: 600,
    at: new Date(0),
    webhook: { id: 'c', message },
  });
  first.append({ kind: 'delivered', id: 'a' });
  for (let start = 0; start < 2; start += 1) {
    const next = openJournal(folder, 10);
    expect([...next.sales.values()]).toEqual([{ ...sale('1'), reversedCents: 600 }]);
    expect(next.reversals).toMatchObject([{ type: 'REFUND', amountCents: 600, at: new Date(0) }]);
    expect([...next.undelivered]).toEqual([
      ['b', message],
      ['c', message],
    ]);
  }
});

test('the sandbox journal skips a line torn by a crash and retains only the latest sales', async () => {
  const folder = await createFolder();
  const first = openJournal(folder, 10);
  for (const id of ['1', '2', '3']) first.append({ kind: 'sale', sale: sale(id) });
  await appendFile(path.join(folder, 'ccbill.jsonl'), '{"kind":"sale","sale":{"id":"4"');
  expect([...openJournal(folder, 2).sales.keys()]).toEqual(['2', '3']);
  expect((await readFile(path.join(folder, 'ccbill.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(2);
});

test('the sandbox journal restores the renewals of a subscription and their reversals', async () => {
  const folder = await createFolder();
  const at = new Date('2026-04-01T10:00:00.000Z');
  const recurring = {
    ...{ priceCents: 1_224, periodDays: 30, rebills: 99, nextRenewalAt: at, startAheadMs: 0, charges: [] },
    status: 'active' as const,
  };
  const charge = { id: '2', priceCents: 1_224, soldAt: at, reversedCents: 0 };
  const first = openJournal(folder, 10);
  first.append({ kind: 'sale', sale: { ...sale('1'), recurring } });
  first.append({ kind: 'recurring', saleId: '1', recurring: { ...recurring, charges: [charge] } });
  first.append({ kind: 'reversal', saleId: '1', chargeId: '2', type: 'REFUND', amountCents: 224, at });
  first.append({
    kind: 'recurring',
    saleId: '1',
    recurring: { ...recurring, status: 'canceled', canceledAt: at, charges: [{ ...charge, reversedCents: 224 }] },
    webhook: { id: 'a', message },
  });
  for (let start = 0; start < 3; start += 1) {
    const next = openJournal(folder, 10);
    expect(next.sales.get('1')).toMatchObject({
      reversedCents: 0,
      recurring: { status: 'canceled', canceledAt: at, charges: [{ ...charge, reversedCents: 224 }] },
    });
    expect([...next.undelivered.keys()]).toEqual(['a']);
  }
});
