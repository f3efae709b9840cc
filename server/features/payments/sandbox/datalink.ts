import type { FastifyInstance } from 'fastify';
import { priceText } from '../ccbill/flexforms.ts';
import { merchantOf } from '../ccbill/ours.ts';
import type { ReversalEvent } from '../ccbill/post.ts';
import { isSameSecret } from '../ccbill/sender.ts';
import { arizonaDigits, centsOf, instantOfDigits } from '../ccbill/values.ts';
import { type Reversal, reversalMessage, type SandboxSale } from './messages.ts';
import type { Sandbox } from './state.ts';

type Query = Record<string, string | undefined>;

export function reverse(sandbox: Sandbox, sale: SandboxSale, eventType: ReversalEvent, amountCents: number): string {
  if (amountCents <= 0 || amountCents > sale.priceCents - sale.reversedCents) return '0';
  const at = sandbox.ctx.clock.now();
  sale.reversedCents += amountCents;
  const type = eventType === 'Void' ? 'VOID' : eventType === 'Chargeback' ? 'CHARGEBACK' : 'REFUND';
  const message = reversalMessage(eventType, sale, merchantOf(sandbox.ctx.config), amountCents, at);
  sandbox.keepReversal({ type, sale, amountCents, at }, message);
  return '1';
}

function row(cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
}

function exportOf({ ctx, sales: made, reversals }: Sandbox, from: Date, to: Date): string {
  const { account, subaccount } = merchantOf(ctx.config);
  const isWithin = (at: Date) => at >= from && at <= to;
  const sales = [...made.values()].filter(({ soldAt }) => isWithin(soldAt));
  const lines = [
    ...sales.map((sale) =>
      row([
        'NEW',
        account,
        subaccount,
        sale.id,
        arizonaDigits(sale.soldAt),
        'Test',
        'Payer',
        '',
        '',
        '1 Test Street',
        'Tempe',
        'AZ',
        '85281',
        'US',
        '',
        'none',
        'Y',
        priceText(sale.priceCents),
        String(sale.periodDays),
        '0.00',
        '0',
        '0',
      ]),
    ),
    ...reversals
      .filter(({ at }) => isWithin(at))
      .map(({ type, sale, amountCents, at }) =>
        row([type, account, subaccount, sale.id, arizonaDigits(at), priceText(amountCents)]),
      ),
  ];
  return lines.length === 0 ? '1' : `${lines.join('\n')}\n`;
}

function manage(sandbox: Sandbox, query: Query): string {
  const sale = sandbox.sales.get(query.subscriptionId ?? '');
  const answer = (code: string) =>
    query.returnXML === '1'
      ? `<?xml version='1.0' standalone='yes'?>\n<results>${code}</results>\n`
      : `"results"\n"${code}"\n`;
  if (!sale) return answer(/^\d+$/.test(query.subscriptionId ?? '') ? '-3' : '-2');
  const left = sale.priceCents - sale.reversedCents;
  switch (query.action) {
    case 'refundTransaction':
      return answer(reverse(sandbox, sale, 'Refund', query.amount === undefined ? left : (centsOf(query.amount) ?? 0)));
    case 'voidTransaction':
      return answer(reverse(sandbox, sale, 'Void', left));
    case 'voidOrRefundTransaction':
      return answer(reverse(sandbox, sale, 'Refund', left));
    case 'cancelSubscription':
      return answer('1');
    case 'viewSubscriptionStatus': {
      const count = (type: Reversal['type']) =>
        sandbox.reversals.filter((reversal) => reversal.sale === sale && reversal.type === type).length;
      return `<?xml version='1.0' standalone='yes'?>\n<results>\n<cancelDate></cancelDate><signupDate>${arizonaDigits(sale.soldAt)}</signupDate><chargebacksIssued>${count('CHARGEBACK')}</chargebacksIssued><timesRebilled>0</timesRebilled><expirationDate></expirationDate><recurringSubscription>0</recurringSubscription><subscriptionStatus>${left > 0 ? 1 : 0}</subscriptionStatus><refundsIssued>${count('REFUND')}</refundsIssued><voidsIssued>${count('VOID')}</voidsIssued>\n</results>\n`;
    }
    default:
      return answer('-6');
  }
}

export function registerDataLink(scope: FastifyInstance, sandbox: Sandbox): void {
  const { payments } = sandbox.ctx.config;
  const isKnown = (query: Query) =>
    query.clientAccnum === payments.account &&
    query.username === payments.dataLink?.username &&
    isSameSecret(query.password ?? '', payments.dataLink?.password ?? '');
  scope.get<{ Querystring: Query }>('/utils/subscriptionManagement.cgi', async ({ query }, reply) => {
    reply.type('text/plain; charset=utf-8');
    return isKnown(query) ? manage(sandbox, query) : '<results>-1</results>';
  });
  scope.get<{ Querystring: Query }>('/data/main.cgi', async ({ query }, reply) => {
    reply.type('text/plain; charset=utf-8');
    if (!isKnown(query)) return 'Error: Authentication failed.';
    const from = instantOfDigits(query.startTime);
    const to = instantOfDigits(query.endTime);
    if (!from || !to) return 'Error: Invalid startTime or endTime.';
    if (to.getTime() - from.getTime() > 24 * 60 * 60 * 1000) return 'Error: More than 24 hours asked for.';
    return exportOf(sandbox, from, to);
  });
}
