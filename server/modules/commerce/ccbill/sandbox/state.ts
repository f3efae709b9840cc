import { randomInt, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../../platform/context.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { openJournal } from './journal.ts';
import {
  applyFlaws,
  type Flaws,
  NO_FLAWS,
  type RecurringSale,
  type SandboxMessage,
  type SandboxReversal,
  type SandboxSale,
} from './messages.ts';

export type Sandbox = {
  readonly ctx: Context;
  readonly delivery: Delivery;
  readonly sales: ReadonlyMap<string, SandboxSale>;
  readonly reversals: readonly SandboxReversal[];
  flaws: Flaws;
  /** How far the clock of renewals was moved forward. */
  readonly aheadMs: number;
  isDecliningRenewals: boolean;
  /** DataLink responds to a cancellation without a clear result and does not cancel. */
  isCancelUnanswered: boolean;
  moveClock(ms: number): void;
  nextId(): string;
  storeSale(sale: SandboxSale, message: SandboxMessage): void;
  /** Stores a changed subscription with its webhook. */
  storeRecurring(sale: RecurringSale, message: SandboxMessage): void;
  storeReversal(reversal: SandboxReversal, message: SandboxMessage): void;
  sendMessage(message: SandboxMessage, sale: SandboxSale): void;
  resume(): void;
};

const MAX_SALES = 10_000;

function webhookAddress(app: FastifyInstance, secret: string): string | undefined {
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) return undefined;
  const isAnywhere = address.address === '::' || address.address === '0.0.0.0';
  const host = isAnywhere ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}/api/webhook/ccbill/${secret}`;
}

export function createSandbox(app: FastifyInstance, ctx: Context): Sandbox {
  const journal = openJournal(path.join(ctx.config.dataDir, 'sandbox'), MAX_SALES);
  const delivery = createDelivery(
    () => webhookAddress(app, ctx.config.payments.webhookSecret),
    (id) => journal.append({ kind: 'delivered', id }),
    ctx.log,
  );
  const sales = new Map(journal.sales);
  const reversals = [...journal.reversals];
  let { aheadMs } = journal;
  let sequence = randomInt(50_000);
  const toWebhook = (message: SandboxMessage, { requestDigest }: Pick<SandboxSale, 'requestDigest'>) => ({
    id: randomUUID(),
    message: applyFlaws(message, sandbox.flaws, requestDigest),
  });
  const sandbox: Sandbox = {
    ctx,
    delivery,
    sales,
    reversals,
    flaws: NO_FLAWS,
    get aheadMs() {
      return aheadMs;
    },
    moveClock: (ms) => {
      aheadMs += ms;
      journal.append({ kind: 'clock', aheadMs });
    },
    isDecliningRenewals: false,
    isCancelUnanswered: false,
    // 19 digits with a leading zero, as at CCBill. The time keeps ids unique across restarts.
    nextId: () => {
      sequence = (sequence + 1) % 100_000;
      return `0${String(ctx.clock.now().getTime()).padStart(13, '0')}${String(sequence).padStart(5, '0')}`;
    },
    storeSale: (sale, message) => {
      const webhook = toWebhook(message, sale);
      journal.append({ kind: 'sale', sale, webhook });
      if (sales.size >= MAX_SALES) sales.clear();
      sales.set(sale.id, sale);
      delivery.send(webhook.id, webhook.message);
    },
    storeRecurring: ({ id: saleId, recurring, requestDigest }, message) => {
      const webhook = toWebhook(message, { requestDigest });
      journal.append({ kind: 'recurring', saleId, recurring, webhook });
      delivery.send(webhook.id, webhook.message);
    },
    storeReversal: (reversal, message) => {
      const { sale, ...rest } = reversal;
      const webhook = toWebhook(message, sale);
      journal.append({ kind: 'reversal', saleId: sale.id, ...rest, webhook });
      reversals.push(reversal);
      delivery.send(webhook.id, webhook.message);
    },
    sendMessage: (message, sale) => {
      const webhook = toWebhook(message, sale);
      journal.append({ kind: 'webhook', ...webhook });
      delivery.send(webhook.id, webhook.message);
    },
    resume: () => {
      for (const [id, message] of journal.undelivered) delivery.send(id, message);
    },
  };
  return sandbox;
}
