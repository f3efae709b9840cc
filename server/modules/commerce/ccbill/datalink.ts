/**
 * CCBill DataLink: status, refund and void of a sale, and the daily export of transactions
 * (ccbill.com/doc/ccbill-api-guide, ccbill.com/doc/data-link-extract-system-user-guide). The query string contains the
 * credentials, so URLs never appear in logs or errors.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { Cents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import { formatPrice } from './flexforms.ts';
import * as texts from './texts.ts';
import { formatArizonaDigits, isProcessorId, parseArizonaDigits, parseCents } from './values.ts';

export type DataLinkOptions = {
  url: string;
  account: string;
  subaccount: string;
  username: string;
  password: string;
  timeoutMs?: number;
};

/** `unknown`: the action may have happened. Wait for the webhook or the export, and never just repeat the request. */
export type DataLinkOutcome =
  | { outcome: 'done' }
  | { outcome: 'refused'; code: number; reason: string }
  | { outcome: 'unknown'; reason: string };

const RESULT_MESSAGES: Readonly<Record<string, string>> = {
  '0': texts.ccbillFailed,
  '-1': 'the credentials were not accepted',
  '-2': 'the subscription id is not valid',
  '-3': 'there is no such subscription',
  '-4': 'the subscription belongs to another account',
  '-5': 'the arguments were not accepted',
  '-6': 'the action was not accepted',
  '-8': 'this server’s address may not call DataLink',
  '-9': 'the action is not permitted for this account',
  '-10': texts.dataLinkNotSetUp,
  '-12': 'locked out after three failed logins within an hour',
  '-15': 'above the threshold of refunds',
  '-16': 'above the threshold of voids',
  '-23': 'above a limit of the account',
  '-24': 'above a limit of the account',
};

/** Refusals of the whole account. Repeating a request soon would lock the account out or exceed its limits. */
const ACCOUNT_PROBLEMS: ReadonlySet<string | undefined> = new Set(
  ['-1', '-8', '-9', '-10', '-12', '-23', '-24'].map((code) => RESULT_MESSAGES[code]),
);
export const isAccountProblem = (reason: string): boolean => ACCOUNT_PROBLEMS.has(reason);

/** Its message is the answer of the processor. */
export class AccountProblemError extends Error {}

export function parseResult(response: string): string | undefined {
  const xml = /<results>\s*(-?\d+)\s*<\/results>/.exec(response);
  if (xml) return xml[1];
  return /^"?results"?\s*\r?\n"?(-?\d+)"?\s*$/.exec(response.trim())?.[1];
}

function toOutcome(response: string): DataLinkOutcome {
  const result = parseResult(response);
  if (result === '1') return { outcome: 'done' };
  if (result === undefined || result === '-7') return { outcome: 'unknown', reason: texts.ccbillResultUnknown };
  return {
    outcome: 'refused',
    code: Number(result),
    reason: RESULT_MESSAGES[result] ?? formatText(texts.ccbillAnswered, { result }),
  };
}

export type SubscriptionStatus = {
  /** 0 inactive, 1 active but canceled, 2 active and recurring. A canceled one does not renew after its paid period. */
  status: number | undefined;
  refundsIssued: number;
  voidsIssued: number;
  chargebacksIssued: number;
  signedUpAt: Date | undefined;
  /** How often the card was charged after the first payment. */
  timesRebilled: number;
  isRecurring: boolean;
  canceledAt: Date | undefined;
};
/** The `status` of a subscription that renews. */
export const RECURRING_STATUS = 2;

export const EXPORT_TYPES = ['NEW', 'REBILL', 'REFUND', 'CHARGEBACK', 'VOID', 'EXPIRE'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];
export type ExportRow = {
  type: ExportType;
  account: string;
  subaccount: string;
  subscriptionId: string;
  at: Date | undefined;
  /** Undefined for EXPIRE, which moves no money. */
  amountCents: Cents | undefined;
};

function csvFields(line: string): string[] {
  const fields: string[] = [];
  for (const [, quoted, bare] of line.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)) {
    fields.push(quoted?.replaceAll('""', '"') ?? bare?.trim() ?? '');
  }
  return fields;
}

const AMOUNT_COLUMN: Readonly<Record<ExportType, number | undefined>> = {
  NEW: 17,
  REBILL: 6,
  REFUND: 5,
  CHARGEBACK: 5,
  VOID: 5,
  EXPIRE: undefined,
};

function isExportType(text: string): text is ExportType {
  return EXPORT_TYPES.some((type) => type === text);
}

export class InvalidExportError extends Error {}

/** `isEmpty` means that the response was empty and did not even say that there are no rows. */
export type DataLinkExport = { rows: ExportRow[]; unreadable: string[]; isEmpty: boolean };

const ROW = /^"?[A-Z_ ]+"?\s*,/i;

/**
 * Parses an export. Rows that cannot be parsed are returned as text, so that none is lost silently. Throws for `Error:`
 * and for a response with other content than rows, such as an error page.
 */
export function parseExport(csv: string): DataLinkExport {
  const text = csv.trim();
  if (/^error:/i.test(text)) throw new Error(`DataLink refused the export: ${text.slice(6).trim().slice(0, 200)}`);
  const rows: ExportRow[] = [];
  const unreadable: string[] = [];
  // Some accounts get a single 1 when there are no rows.
  for (const line of text === '1' ? [] : text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    if (!ROW.test(line.trim())) throw new InvalidExportError('DataLink answered something else than an export');
    const [type = '', account = '', subaccount = '', subscriptionId = '', time, ...rest] = csvFields(line);
    const column = isExportType(type) ? AMOUNT_COLUMN[type] : undefined;
    const amountCents = column === undefined ? undefined : parseCents(rest[column - 5]);
    if (!isExportType(type) || !isProcessorId(subscriptionId) || (column !== undefined && amountCents === undefined)) {
      unreadable.push(line.slice(0, 60));
      continue;
    }
    rows.push({ type, account, subaccount, subscriptionId, at: parseArizonaDigits(time), amountCents });
  }
  return { rows, unreadable, isEmpty: text === '' };
}

export interface DataLink {
  /** Refunds `amountCents` of a sale. This also ends the subscription, even for a partial refund. */
  refund(subscriptionId: string, amountCents: number): Promise<DataLinkOutcome>;
  void(subscriptionId: string): Promise<DataLinkOutcome>;
  /** Stops the renewals of a subscription. Harmless to repeat, unlike a refund. */
  cancel(subscriptionId: string): Promise<DataLinkOutcome>;
  /** Throws, with an AccountProblemError if it concerns the account. */
  status(subscriptionId: string): Promise<SubscriptionStatus | undefined>;
  /** Returns all transactions of a window of at most 24 hours. Throws when CCBill refuses or is unreachable. */
  exportRows(from: Date, to: Date): Promise<DataLinkExport>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function createDataLink(options: DataLinkOptions): DataLink {
  async function request(path: string, query: Record<string, string>): Promise<string> {
    const address = new URL(options.url + path);
    for (const [key, value] of Object.entries({
      clientAccnum: options.account,
      username: options.username,
      password: options.password,
      ...query,
    })) {
      address.searchParams.set(key, value);
    }
    let response: Response;
    try {
      response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(options.timeoutMs ?? 20_000) });
    } catch (error) {
      // The cause can contain the URL with the credentials.
      throw new Error(`DataLink could not be reached (${error instanceof Error ? error.name : 'failed'})`);
    }
    if (!response.ok) throw new Error(`DataLink answered ${response.status}`);
    return response.text();
  }

  const manage = (action: string, subscriptionId: string, params: Record<string, string> = {}) =>
    request('/utils/subscriptionManagement.cgi', {
      usingSubacc: options.subaccount,
      action,
      subscriptionId,
      returnXML: '1',
      ...params,
    });

  async function change(
    action: string,
    subscriptionId: string,
    params: Record<string, string> = {},
  ): Promise<DataLinkOutcome> {
    try {
      return toOutcome(await manage(action, subscriptionId, params));
    } catch (error) {
      return { outcome: 'unknown', reason: error instanceof Error ? error.message : texts.dataLinkFailed };
    }
  }

  return {
    refund: (subscriptionId, amountCents) =>
      change('refundTransaction', subscriptionId, { amount: formatPrice(amountCents) }),
    void: (subscriptionId) => change('voidTransaction', subscriptionId),
    cancel: (subscriptionId) => change('cancelSubscription', subscriptionId),
    status: async (subscriptionId) => {
      const response = await manage('viewSubscriptionStatus', subscriptionId);
      const result = parseResult(response);
      if (result === '-3' || result === '-2') return undefined;
      const value = (name: string) => new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(response)?.[1];
      const count = (name: string) => Number(value(name) ?? 0) || 0;
      const status = value('subscriptionStatus');
      if (status === undefined) {
        const reason = RESULT_MESSAGES[result ?? ''] ?? 'unreadable answer';
        if (isAccountProblem(reason)) throw new AccountProblemError(reason);
        throw new Error(`DataLink did not tell the status: ${reason}`);
      }
      return {
        status: /^\d$/.test(status) ? Number(status) : undefined,
        refundsIssued: count('refundsIssued'),
        voidsIssued: count('voidsIssued'),
        chargebacksIssued: count('chargebacksIssued'),
        signedUpAt: parseArizonaDigits(value('signupDate')),
        timesRebilled: count('timesRebilled'),
        isRecurring: value('recurringSubscription') === '1',
        canceledAt: parseArizonaDigits(value('cancelDate')),
      };
    },
    exportRows: async (from, to) => {
      if (to.getTime() - from.getTime() > DAY_MS) throw new RangeError('an export covers at most 24 hours');
      const csv = await request('/data/main.cgi', {
        clientSubacc: options.subaccount,
        startTime: formatArizonaDigits(from),
        endTime: formatArizonaDigits(to),
        transactionTypes: EXPORT_TYPES.join(','),
      });
      return parseExport(csv);
    },
  };
}

/** Returns undefined when DataLink is not set up. */
export function findDataLink({ config }: Pick<Context, 'config'>): DataLink | undefined {
  const { dataLink, account, subaccount } = config.payments;
  return dataLink && createDataLink({ ...dataLink, account, subaccount });
}
