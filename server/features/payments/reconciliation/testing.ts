import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { keepBooks } from '../../../testing/books.ts';
import { listDifferences } from '../../ledger/index.ts';
import { createDataLink, type DataLink } from '../ccbill/datalink.ts';
import { arizonaDigits, instantOfDigits } from '../ccbill/values.ts';
import { reconcile } from '../reconcile.ts';
import { paidDeposit, postEvent, reversalFields } from '../testing.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const NIGHT = new Date('2026-03-04T09:30:00.000Z');

type Exported = { type: 'NEW' | 'REFUND' | 'CHARGEBACK' | 'VOID'; id: string; cents: number; at: Date };

type Processor = {
  rows: Exported[];
  garbage: string;
  asked: string[];
  isAway: boolean;
  instead: Readonly<Record<string, string>>;
  readonly dataLink: DataLink;
  reset(): void;
  close(): void;
};

const lineOf = ({ type, id, cents, at }: Exported) => {
  const amount = (cents / 100).toFixed(2);
  const rest = type === 'NEW' ? [...Array.from({ length: 12 }, () => ''), amount] : [amount];
  return [type, '900000', '0000', id, arizonaDigits(at), ...rest].map((cell) => `"${cell}"`).join(',');
};

async function startProcessor(): Promise<Processor> {
  const nothing = () => ({ rows: [], garbage: '', asked: [], isAway: false, instead: {} });
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const [from, to] = [instantOfDigits(query.get('startTime') ?? ''), instantOfDigits(query.get('endTime') ?? '')];
    const day = query.get('startTime')?.slice(0, 8) ?? '';
    processor.asked.push(day);
    if (processor.isAway || !from || !to) return void response.writeHead(503).end();
    const lines = processor.rows.filter(({ at }) => at >= from && at <= to).map(lineOf);
    const exported = [...lines, processor.garbage].filter((line) => line !== '').join('\n') || '1';
    response.end(processor.instead[day] ?? exported);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const of = { account: '900000', subaccount: '0000', username: 'books', password: 'secret' };
  const processor: Processor = {
    ...nothing(),
    dataLink: createDataLink({ url: `http://127.0.0.1:${port}`, ...of }),
    reset: () => void Object.assign(processor, nothing()),
    close: () => void server.close(),
  };
  return processor;
}

export function comparingTest() {
  let app: TestApp;
  let fan: TestUser;
  let processor: Processor;
  let restore: () => Promise<void>;
  beforeAll(async () => {
    processor = await startProcessor();
    app = await createTestApp({ now: NIGHT });
    fan = await app.signUp('customer');
    restore = await keepBooks(app);
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
    await app.ctx.events.settle();
    await restore();
  });

  const differences = async (state: 'open' | 'explained' | 'resolved' = 'open') => {
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
    async paid(isKnown = true) {
      const { deposit, saleId } = await paidDeposit(app, fan, 50);
      if (isKnown) processor.rows.push({ type: 'NEW', id: saleId, cents: 5_100, at: app.clock.now() });
      return { deposit, saleId };
    },
    post: (event: 'Refund' | 'Chargeback' | 'Void' | 'Return', saleId: string, amount: string) =>
      postEvent(app, event, reversalFields(app, saleId, amount)),
    back: (type: Exported['type'], id: string, cents: number) =>
      void processor.rows.push({ type, id, cents, at: app.clock.now() }),
    async nextDay(): Promise<void> {
      app.clock.advance(DAY_MS);
      await reconcile(app.ctx, processor);
    },
    differences,
    kinds: async (state?: 'open' | 'resolved') => (await differences(state)).map(({ kind }) => kind).toSorted(),
    async runs() {
      const { rows } = await app.ctx.db.pool.query<{
        comparison: string;
        outcome: string;
        tries: number;
        detail: string;
      }>('select comparison, day::text, outcome, tries, detail from ledger_runs order by started_at, comparison');
      return rows;
    },
  };
}
