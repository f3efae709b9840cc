import { randomInt, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../kernel/context.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { openJournal } from './journal.ts';
import { FLAWLESS, type Flaws, flawed, type Message, type Reversal, type SandboxSale } from './messages.ts';

export type Sandbox = {
  readonly ctx: Context;
  readonly delivery: Delivery;
  readonly sales: ReadonlyMap<string, SandboxSale>;
  readonly reversals: readonly Reversal[];
  flaws: Flaws;
  nextId(): string;
  keepSale(sale: SandboxSale, message: Message): void;
  keepReversal(reversal: Reversal, message: Message): void;
  tell(message: Message, sale: SandboxSale): void;
  resume(): void;
};

const MAX_KEPT = 10_000;

function webhookAddress(app: FastifyInstance, secret: string): string | undefined {
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) return undefined;
  const isAnywhere = address.address === '::' || address.address === '0.0.0.0';
  const host = isAnywhere ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}/api/webhook/ccbill/${secret}`;
}

export function createSandbox(app: FastifyInstance, ctx: Context): Sandbox {
  const journal = openJournal(path.join(ctx.config.dataDir, 'sandbox'), MAX_KEPT);
  const delivery = createDelivery(
    () => webhookAddress(app, ctx.config.payments.webhookSecret),
    (id) => journal.note({ kind: 'delivered', id }),
    ctx.log,
  );
  const sales = new Map(journal.sales);
  const reversals = [...journal.reversals];
  let sequence = randomInt(50_000);
  const toldOf = (message: Message, { requestDigest }: SandboxSale) => ({
    id: randomUUID(),
    message: flawed(message, sandbox.flaws, requestDigest),
  });
  const sandbox: Sandbox = {
    ctx,
    delivery,
    sales,
    reversals,
    flaws: FLAWLESS,
    // 19 digits with a leading zero, as at CCBill. The time keeps ids unique across restarts.
    nextId: () => {
      sequence = (sequence + 1) % 100_000;
      return `0${String(ctx.clock.now().getTime()).padStart(13, '0')}${String(sequence).padStart(5, '0')}`;
    },
    keepSale: (sale, message) => {
      const told = toldOf(message, sale);
      journal.note({ kind: 'sale', sale, told });
      if (sales.size >= MAX_KEPT) sales.clear();
      sales.set(sale.id, sale);
      delivery.send(told.id, told.message);
    },
    keepReversal: (reversal, message) => {
      const { sale, ...rest } = reversal;
      const told = toldOf(message, sale);
      journal.note({ kind: 'reversal', saleId: sale.id, ...rest, told });
      reversals.push(reversal);
      delivery.send(told.id, told.message);
    },
    tell: (message, sale) => {
      const told = toldOf(message, sale);
      journal.note({ kind: 'told', ...told });
      delivery.send(told.id, told.message);
    },
    resume: () => {
      for (const [id, message] of journal.undelivered) delivery.send(id, message);
    },
  };
  return sandbox;
}
