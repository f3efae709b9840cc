/** A listening server with the sandbox of the card processor, for whole test files. */
import { afterAll, beforeAll, expect } from 'vitest';
import * as z from 'zod';
import { type DataLink, findDataLink } from '../modules/commerce/ccbill/index.ts';
import { waitUntil } from '../modules/commerce/deposits/testing.ts';
import { createTestApp, type TestApp } from './app.ts';
import { findFreePort } from './processes.ts';

const payment = z.object({
  subscriptionId: z.string(),
  orderId: z.string(),
  recurring: z.optional(z.object({ status: z.string(), nextRenewalDate: z.string(), renewals: z.array(z.string()) })),
});
const controlState = z.object({ pending: z.number(), payments: z.array(payment) });
export type SandboxPayment = z.infer<typeof payment>;

/** A card that the sandbox approves. */
export const CARD = { cardNumber: '4111 1111 1111 1111', expDate: '12/30', cvv: '123' };

/** @param options `hasWorkers` starts events and jobs, so that webhooks are processed in the background. */
export function setUpSandboxTest({ hasWorkers = true } = {}) {
  let app: TestApp;
  let origin: string;
  beforeAll(async () => {
    const port = await findFreePort();
    app = await createTestApp({ env: { PORT: String(port) } });
    await app.app.http.listen({ port, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${port}`;
    if (!hasWorkers) return;
    app.ctx.events.start();
    await app.ctx.jobs.start();
  });
  afterAll(() => app.close());

  async function control(body: unknown): Promise<z.infer<typeof controlState>> {
    const response = await fetch(`${origin}/sandbox/ccbill/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return controlState.parse(await response.json());
  }

  return {
    get app() {
      return app;
    },
    get origin() {
      return origin;
    },
    control,
    /** Returns the payment page of an order on the listening server. */
    toPage: (paymentUrl: string) => paymentUrl.replace(app.ctx.config.publicUrl, origin),
    submit: (page: string, card: Record<string, string> = CARD) =>
      fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams(card) }),
    waitUntilDelivered: () => waitUntil(async () => (await control({})).pending === 0, 'the delivery'),
    getDataLink(): DataLink {
      const dataLink = findDataLink(app.ctx);
      if (!dataLink) throw new Error('the sandbox has no credentials');
      return dataLink;
    },
  };
}
