import type { FastifyInstance } from 'fastify';
import { formatPrice } from '../flexforms.ts';
import { getMerchant } from '../merchant.ts';
import { isSameSecret } from '../sender.ts';
import { formatArizonaDigits, parseArizonaDigits, parseCents } from '../values.ts';
import type { ReversalEvent } from '../webhook-body.ts';
import { type SandboxReversal, type SandboxSale, toReversalMessage } from './messages.ts';
import type { Sandbox } from './state.ts';

type Query = Record<string, string | undefined>;

export function reverseSale(
  sandbox: Sandbox,
  sale: SandboxSale,
  eventType: ReversalEvent,
  amountCents: number,
): string {
  if (amountCents <= 0 || amountCents > sale.priceCents - sale.reversedCents) return '0';
  const at = sandbox.ctx.clock.now();
  sale.reversedCents += amountCents;
  const type = eventType === 'Void' ? 'VOID' : eventType === 'Chargeback' ? 'CHARGEBACK' : 'REFUND';
  const message = toReversalMessage(eventType, sale, getMerchant(sandbox.ctx.config), amountCents, at);
  sandbox.storeReversal({ type, sale, amountCents, at }, message);
  return '1';
}

function toCsvLine(cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
}

function buildExport({ ctx, sales: allSales, reversals }: Sandbox, from: Date, to: Date): string {
  const { account, subaccount } = getMerchant(ctx.config);
  const isWithin = (at: Date) => at >= from && at <= to;
  const sales = [...allSales.values()].filter(({ soldAt }) => isWithin(soldAt));
  const lines = [
    ...sales.map((sale) =>
      toCsvLine([
        'NEW',
        account,
        subaccount,
        sale.id,
        formatArizonaDigits(sale.soldAt),
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
        formatPrice(sale.priceCents),
        String(sale.periodDays),
        '0.00',
        '0',
        '0',
      ]),
    ),
    ...reversals
      .filter(({ at }) => isWithin(at))
      .map(({ type, sale, amountCents, at }) =>
        toCsvLine([type, account, subaccount, sale.id, formatArizonaDigits(at), formatPrice(amountCents)]),
      ),
  ];
  return lines.length === 0 ? '1' : `${lines.join('\n')}\n`;
}

function manage(sandbox: Sandbox, query: Query): string {
  const sale = sandbox.sales.get(query.subscriptionId ?? '');
  const respond = (code: string) =>
    query.returnXML === '1'
      ? `<?xml version='1.0' standalone='yes'?>\n<results>${code}</results>\n`
      : `"results"\n"${code}"\n`;
  if (!sale) return respond(/^\d+$/.test(query.subscriptionId ?? '') ? '-3' : '-2');
  const remaining = sale.priceCents - sale.reversedCents;
  switch (query.action) {
    case 'refundTransaction':
      return respond(
        reverseSale(sandbox, sale, 'Refund', query.amount === undefined ? remaining : (parseCents(query.amount) ?? 0)),
      );
    case 'voidTransaction':
      return respond(reverseSale(sandbox, sale, 'Void', remaining));
    case 'voidOrRefundTransaction':
      return respond(reverseSale(sandbox, sale, 'Refund', remaining));
    case 'cancelSubscription':
      return respond('1');
    case 'viewSubscriptionStatus': {
      const count = (type: SandboxReversal['type']) =>
        sandbox.reversals.filter((reversal) => reversal.sale === sale && reversal.type === type).length;
      return `<?xml version='1.0' standalone='yes'?>\n<results>\n<cancelDate></cancelDate><signupDate>${formatArizonaDigits(sale.soldAt)}</signupDate><chargebacksIssued>${count('CHARGEBACK')}</chargebacksIssued><timesRebilled>0</timesRebilled><expirationDate></expirationDate><recurringSubscription>0</recurringSubscription><subscriptionStatus>${remaining > 0 ? 1 : 0}</subscriptionStatus><refundsIssued>${count('REFUND')}</refundsIssued><voidsIssued>${count('VOID')}</voidsIssued>\n</results>\n`;
    }
    default:
      return respond('-6');
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
    const from = parseArizonaDigits(query.startTime);
    const to = parseArizonaDigits(query.endTime);
    if (!from || !to) return 'Error: Invalid startTime or endTime.';
    if (to.getTime() - from.getTime() > 24 * 60 * 60 * 1000) return 'Error: More than 24 hours asked for.';
    return buildExport(sandbox, from, to);
  });
}
