import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { snapshotLedger } from '../../../testing/ledger-snapshot.ts';
import { listDifferences } from '../../ledger/ledger-checks/index.ts';
import type { DataLink } from '../ccbill/index.ts';
import {
  buildReversalFields,
  createDataLink,
  formatArizonaDigits,
  parseArizonaDigits,
  postWebhook,
} from '../ccbill/testing.ts';
import { createPaidDeposit } from '../deposits/testing.ts';
import { reconcile } from './reconcile.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const NIGHT = new Date('2026-03-04T09:30:00.000Z');

type ExportedRow = { type: 'NEW' | 'REBILL' | 'REFUND' | 'CHARGEBACK' | 'VOID'; id: string; cents: number; at: Date };

type TestProcessor = {
  rows: ExportedRow[];
  garbage: string;
  requestedDays: string[];
  isDown: boolean;
  overrides: Readonly<Record<string, string>>;
  readonly dataLink: DataLink;
  reset(): void;
  close(): void;
};

const toExportLine = ({ type, id, cents, at }: ExportedRow) => {
  const amount = (cents / 100).toFixed(2);
  // Cells between the time and the amount.
  const cellCount = { NEW: 12, REBILL: 1, REFUND: 0, CHARGEBACK: 0, VOID: 0 }[type];
  const rest = [...Array.from({ length: cellCount }, () => ''), amount];
  return [type, '900000', '0000', id, formatArizonaDigits(at), ...rest].map((cell) => `"${cell}"`).join(',');
};

async function startProcessor(): Promise<TestProcessor> {
  const createEmptyState = () => ({ rows: [], garbage: '', requestedDays: [], isDown: false, overrides: {} });
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const [from, to] = [
      parseArizonaDigits(query.get('startTime') ?? ''),
      parseArizonaDigits(query.get('endTime') ?? ''),
    ];
    const day = query.get('startTime')?.slice(0, 8) ?? '';
    processor.requestedDays.push(day);
    if (processor.isDown || !from || !to) return void response.writeHead(503).end();
    const lines = processor.rows.filter(({ at }) => at >= from && at <= to).map(toExportLine);
    const exported = [...lines, processor.garbage].filter((line) => line !== '').join('\n') || '1';
    response.end(processor.overrides[day] ?? exported);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const credentials = { account: '900000', subaccount: '0000', username: 'books', password: 'secret' };
  const processor: TestProcessor = {
    ...createEmptyState(),
    dataLink: createDataLink({ url: `http://127.0.0.1:${port}`, ...credentials }),
    reset: () => void Object.assign(processor, createEmptyState()),
    close: () => void server.close(),
  };
  return processor;
}

export function setUpReconciliationTest() {
  let app: TestApp;
  let fan: TestUser;
  let processor: TestProcessor;
  let restore: () => Promise<void>;
  beforeAll(async () => {
    processor = await startProcessor();
    app = await createTestApp({ now: NIGHT });
    fan = await app.signUp('customer');
    restore = await snapshotLedger(app);
  });
  afterAll(async () => {
    await app.close();
    processor.close();
  });
  beforeEach(() => {
    processor.reset();
    app.clock.set(NIGHT);
  });
  afterEach(async () => {
    await app.ctx.events.waitUntilIdle();
    await restore();
  });

  const loadDifferences = async (state: 'open' | 'explained' | 'resolved' = 'open') => {
    const { rows } = await listDifferences(app.ctx.db, state, { limit: 50, skip: 0 });
    return rows.map(({ id, kind, key, theirs_cents: theirs, ours_cents: ours }) => ({ id, kind, key, theirs, ours }));
  };
  return {
    get app() {
      return app;
    },
    get fan() {
      return fan;
    },
    get processor() {
      return processor;
    },
    async createPaidDeposit(isKnown = true) {
      const { deposit, saleId } = await createPaidDeposit(app, fan, 50);
      if (isKnown) processor.rows.push({ type: 'NEW', id: saleId, cents: 5_100, at: app.clock.now() });
      return { deposit, saleId };
    },
    postReversal: (event: 'Refund' | 'Chargeback' | 'Void' | 'Return', saleId: string, amount: string) =>
      postWebhook(app, event, buildReversalFields(app, saleId, amount)),
    addExportRow: (type: ExportedRow['type'], id: string, cents: number) =>
      void processor.rows.push({ type, id, cents, at: app.clock.now() }),
    async nextDay(): Promise<void> {
      app.clock.advance(DAY_MS);
      await reconcile(app.ctx, processor);
    },
    loadDifferences,
    loadKinds: async (state?: 'open' | 'resolved') => (await loadDifferences(state)).map(({ kind }) => kind).toSorted(),
    async loadRuns() {
      const { rows } = await app.ctx.db.pool.query<{
        comparison: string;
        outcome: string;
        tries: number;
        detail: string;
      }>(
        'select comparison, day::text, outcome, tries, detail from reconciliation_runs order by started_at, comparison',
      );
      return rows;
    },
  };
}
