/** What the sandbox remembers, and how it makes ids and tells of payments. */
import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../kernel/context.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { FLAWLESS, type Flaws, flawed, type Message, type Reversal, type SandboxSale } from './messages.ts';

export type Sandbox = {
  readonly ctx: Context;
  readonly delivery: Delivery;
  readonly sales: Map<string, SandboxSale>;
  readonly reversals: Reversal[];
  flaws: Flaws;
  nextId(): string;
  /** Posts, with the flaws that are asked for. */
  tell(message: Message, sale: SandboxSale): void;
};

/** Our webhook where this process listens; undefined while it does not. */
function webhookAddress(app: FastifyInstance, secret: string): string | undefined {
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) return undefined;
  const isAnywhere = address.address === '::' || address.address === '0.0.0.0';
  const host = isAnywhere ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}/api/webhook/ccbill/${secret}`;
}

/** A sandbox with nothing sold yet. Its state is kept in memory only. */
export function createSandbox(app: FastifyInstance, ctx: Context): Sandbox {
  const delivery = createDelivery(() => webhookAddress(app, ctx.config.payments.webhookSecret), ctx.log);
  let sequence = randomInt(50_000);
  const sandbox: Sandbox = {
    ctx,
    delivery,
    sales: new Map(),
    reversals: [],
    flaws: FLAWLESS,
    // 19 digits led by a zero, as CCBill's; the time keeps them apart across restarts.
    nextId: () => {
      sequence = (sequence + 1) % 100_000;
      return `0${String(ctx.clock.now().getTime()).padStart(13, '0')}${String(sequence).padStart(5, '0')}`;
    },
    tell: (message, sale) => delivery.send(flawed(message, sandbox.flaws, sale.requestDigest)),
  };
  return sandbox;
}
