import type { FastifyInstance } from 'fastify';
import { formatPrice } from '../flexforms.ts';
import { getMerchant } from '../merchant.ts';
import { isSameSecret } from '../sender.ts';
import { formatArizonaDigits, parseArizonaDigits, parseCents } from '../values.ts';
import type { ReversalEvent } from '../webhook-body.ts';
import { type SandboxCharge, type SandboxReversal, type SandboxSale, toReversalMessage } from './messages.ts';
import { changeRecurring, getSubscriptionTime, isRecurringSale } from './recurring.ts';
import type { Sandbox } from './state.ts';

type Query = Record<string, string | undefined>;

export function reverseSale(
  sandbox: Sandbox,
  sale: SandboxSale,
  eventType: ReversalEvent,
  { charge, amountCents }: { charge: SandboxCharge; amountCents: number },
): string {
  if (amountCents <= 0 || amountCents > charge.priceCents - charge.reversedCents) return '0';
  const at = sandbox.ctx.clock.now();
  charge.reversedCents += amountCents;
  const type = eventType === 'Void' ? 'VOID' : eventType === 'Chargeback' ? 'CHARGEBACK' : 'REFUND';
  const named = { sale, chargeId: charge.id };
  const message = toReversalMessage(eventType, named, getMerchant(sandbox.ctx.config), amountCents, at);
  sandbox.storeReversal({ type, ...named, amountCents, at }, message);
  return '1';
}

/** As at CCBill, the last payment of a subscription is refunded and the subscription expires. */
function refundLast(sandbox: Sandbox, sale: SandboxSale, eventType: ReversalEvent, amountCents?: number): string {
  const charge = sale.recurring?.charges.at(-1) ?? sale;
  const remaining = charge.priceCents - charge.reversedCents;
  const code = reverseSale(sandbox, sale, eventType, { charge, amountCents: amountCents ?? remaining });
  if (code === '1' && isRecurringSale(sale) && sale.recurring.status !== 'expired')
    changeRecurring(sandbox, sale, { eventType: 'Expiration', at: getSubscriptionTime(sandbox, sale.recurring) });
  return code;
}

function cancel(sandbox: Sandbox, sale: SandboxSale): string {
  if (!isRecurringSale(sale)) return '1';
  if (sale.recurring.status !== 'active') return '0';
  changeRecurring(sandbox, sale, { eventType: 'Cancellation', at: getSubscriptionTime(sandbox, sale.recurring) });
  return '1';
}

function formatStatus(sandbox: Sandbox, sale: SandboxSale): string {
  const { recurring } = sale;
  const count = (type: SandboxReversal['type']) =>
    sandbox.reversals.filter((reversal) => reversal.sale === sale && reversal.type === type).length;
  const singleStatus = sale.priceCents > sale.reversedCents ? 1 : 0;
  const values = {
    cancelDate: recurring?.canceledAt ? formatArizonaDigits(recurring.canceledAt) : '',
    signupDate: formatArizonaDigits(sale.soldAt),
    chargebacksIssued: count('CHARGEBACK'),
    timesRebilled: recurring?.charges.length ?? 0,
    expirationDate: recurring ? formatArizonaDigits(recurring.nextRenewalAt) : '',
    recurringSubscription: recurring ? 1 : 0,
    subscriptionStatus: recurring ? { active: 2, canceled: 1, expired: 0 }[recurring.status] : singleStatus,
    refundsIssued: count('REFUND'),
    voidsIssued: count('VOID'),
  };
  const elements = Object.entries(values).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<?xml version='1.0' standalone='yes'?>\n<results>\n${elements.join('')}\n</results>\n`;
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
        formatPrice(sale.recurring?.priceCents ?? 0),
        String(sale.recurring?.periodDays ?? 0),
        String(sale.recurring?.rebills ?? 0),
      ]),
    ),
    ...[...allSales.values()].flatMap(({ id, recurring }) =>
      (recurring?.charges ?? [])
        .filter(({ soldAt }) => isWithin(soldAt))
        .map((charge) =>
          toCsvLine([
            'REBILL',
            account,
            subaccount,
            id,
            formatArizonaDigits(charge.soldAt),
            charge.id,
            formatPrice(charge.priceCents),
          ]),
        ),
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
  switch (query.action) {
    case 'refundTransaction': {
      const amountCents = query.amount === undefined ? undefined : (parseCents(query.amount) ?? 0);
      return respond(refundLast(sandbox, sale, 'Refund', amountCents));
    }
    case 'voidTransaction':
      return respond(refundLast(sandbox, sale, 'Void'));
    case 'voidOrRefundTransaction':
      return respond(refundLast(sandbox, sale, 'Refund'));
    case 'cancelSubscription':
      return respond(sandbox.isCancelUnanswered ? '-7' : cancel(sandbox, sale));
    case 'viewSubscriptionStatus':
      return formatStatus(sandbox, sale);
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
