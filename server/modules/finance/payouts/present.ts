import {
  findNetworkLabel,
  PAYOUT_EVENTS,
  PAYOUT_KINDS,
  PAYOUT_SOURCES,
  PAYOUT_STATES,
  type Payout,
  type PayoutDetails,
  type PayoutKind,
  type PayoutMethod,
  type PayoutSource,
  type PayoutState,
  TRANSFER_STATES,
} from '@stagedoor/contract/finance/payouts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { payoutId, payoutMethodId } from '@stagedoor/contract/shared/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import * as z from 'zod/mini';
import type { MethodRow, PayoutEventRow, PayoutRow, RequestRow } from './store.ts';
import * as texts from './texts.ts';

/** Returns at most `count` last characters, and never more than half of the text. */
const getLastCharacters = (text: string, count: number) => text.slice(-Math.min(count, Math.floor(text.length / 2)));

/** Returns a label by which the owner recognizes the method, without the full number. */
export function formatMaskedLabel(details: PayoutDetails): string {
  switch (details.kind) {
    case 'ach':
      return details.region === 'International'
        ? formatText(texts.foreignAccountLabel, {
            accountType: details.accountType,
            lastDigits: getLastCharacters(details.account, 4),
            bankCode: details.routing,
          })
        : formatText(texts.domesticAccountLabel, {
            accountType: details.accountType,
            lastDigits: getLastCharacters(details.account, 4),
            routingNumber: details.routing,
          });
    case 'paypal': {
      const [name = '', host = ''] = details.email.split('@');
      return formatText(texts.paypalAccountLabel, { initial: name.slice(0, 1), host });
    }
    case 'crypto':
      return `${details.coin} on ${findNetworkLabel(details.coin, details.network)}, ${details.address.slice(0, 6)}…${getLastCharacters(details.address, 4)}`;
  }
}

export const toPayoutKind = (text: string): PayoutKind => z.parse(z.enum(PAYOUT_KINDS), text);
export const toPayoutSource = (text: string): PayoutSource => z.parse(z.enum(PAYOUT_SOURCES), text);
const toPayoutState = (text: string): PayoutState => z.parse(z.enum(PAYOUT_STATES), text);
const transferSchema = z.nullable(z.enum(TRANSFER_STATES));

const RETURN_MESSAGES: Readonly<Record<string, string>> = {
  R01: texts.transferFailed,
  R02: texts.accountClosed,
  R03: texts.bankAccountUnknown,
  R04: texts.accountNumberInvalid,
  R16: texts.accountFrozen,
};
export const findReturnMessage = (code: string): string | undefined => RETURN_MESSAGES[code];
export const INVALIDATING_CODES: ReadonlySet<string> = new Set(['R02', 'R03', 'R04']);

export const formatPayoutNumber = ({ number }: Pick<PayoutRow, 'number'>) => `PO-${String(number).padStart(6, '0')}`;

export function presentMethod(row: MethodRow, now: Date): PayoutMethod {
  return {
    id: z.parse(payoutMethodId, row.id),
    kind: toPayoutKind(row.kind),
    label: row.label,
    network: row.network,
    state: row.invalid_at ? 'invalid' : row.usable_at > now ? 'cooling' : 'usable',
    usableAt: row.usable_at.toISOString(),
    problem: row.invalid_code === null ? null : (findReturnMessage(row.invalid_code) ?? texts.methodCannotReceiveMoney),
    createdAt: row.created_at.toISOString(),
  };
}

export const isOpen = ({ status }: Pick<PayoutRow, 'status'>): boolean =>
  status === 'requested' || status === 'inreview';

export function presentPayout(row: RequestRow): Payout {
  return {
    id: z.parse(payoutId, row.id),
    source: toPayoutSource(row.source),
    status: toPayoutState(row.status),
    transfer: z.parse(transferSchema, row.transfer),
    amount: toUsd(row.amount_cents),
    fee: toUsd(row.fee_cents),
    net: toUsd(asCents(row.amount_cents - row.fee_cents)),
    method: { id: z.parse(payoutMethodId, row.method_id), kind: toPayoutKind(row.kind), label: row.label },
    isAutomatic: row.is_automatic,
    reason: row.reason,
    canCancel: isOpen(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const EVENT_LABELS: Readonly<Record<(typeof PAYOUT_EVENTS)[number], string>> = {
  requested: 'Requested',
  inreview: texts.inReview,
  approved: 'Approved',
  rejected: 'Rejected',
  cancelled: 'Canceled',
  queued: texts.waitingToBeSent,
  sent: 'Sent',
  broadcast: texts.broadcastToNetwork,
  confirming: texts.awaitingNetworkConfirmation,
  unknown: texts.waitingForPaymentProvider,
  unsent: texts.declinedByProviderRetrying,
  paid: 'Paid',
  failed: 'Failed',
  returned: 'Returned',
};
export const toPayoutEvent = (text: string) => z.parse(z.enum(PAYOUT_EVENTS), text);

/** The history of a request for its user. It contains no operator names and shows several approvals as one. */
export function presentTimeline(events: readonly PayoutEventRow[]) {
  return events.map((row) => {
    const event = toPayoutEvent(row.event);
    return { event, label: EVENT_LABELS[event], at: row.at.toISOString() };
  });
}
