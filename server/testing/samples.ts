/**
 * Valid requests for the hostile matrix, generated from the schemas. Requests that need more than their schema
 * are written here.
 */

import * as adminCompanyDetails from '@stagedoor/contract/admin/company-details.ts';
import * as adminFees from '@stagedoor/contract/admin/fees.ts';
import * as adminKillSwitches from '@stagedoor/contract/admin/kill-switches.ts';
import * as adminLedger from '@stagedoor/contract/admin/ledger.ts';
import * as adminSettlements from '@stagedoor/contract/admin/settlements.ts';
import * as adminSystemStatus from '@stagedoor/contract/admin/system-status.ts';
import * as verification from '@stagedoor/contract/compliance/verification.ts';
import * as embedSettings from '@stagedoor/contract/content/embed-settings.ts';
import * as media from '@stagedoor/contract/content/media.ts';
import * as profiles from '@stagedoor/contract/content/profiles.ts';
import * as subscriptions from '@stagedoor/contract/content/subscriptions.ts';
import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import * as themes from '@stagedoor/contract/content/themes.ts';
import * as earnings from '@stagedoor/contract/finance/earnings.ts';
import * as payouts from '@stagedoor/contract/finance/payouts.ts';
import * as statements from '@stagedoor/contract/finance/statements.ts';
import * as wallet from '@stagedoor/contract/finance/wallet.ts';
import * as accounts from '@stagedoor/contract/identity/accounts.ts';
import * as geoBlocks from '@stagedoor/contract/identity/geo-blocks.ts';
import * as teams from '@stagedoor/contract/identity/teams.ts';
import * as broadcasts from '@stagedoor/contract/messaging/broadcasts.ts';
import * as calls from '@stagedoor/contract/messaging/calls.ts';
import * as chat from '@stagedoor/contract/messaging/chat.ts';
import * as notificationPreferences from '@stagedoor/contract/notifications/notification-preferences.ts';
import * as push from '@stagedoor/contract/notifications/push.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import * as copyright from '@stagedoor/contract/trust/copyright.ts';
import * as legal from '@stagedoor/contract/trust/legal.ts';
import * as support from '@stagedoor/contract/trust/support.ts';
import * as transparencyLog from '@stagedoor/contract/trust/transparency-log.ts';
import * as z from 'zod/mini';
import { generateFromSchema, TEST_PASSWORD, UNKNOWN_ID } from './schema-values.ts';

export { UNKNOWN_ID };

export type Sample = { params?: Record<string, string>; query?: unknown; body?: unknown };

const SAMPLES = new Map<RouteSpec, Sample>();

type Input<T> = T extends z.ZodMiniType ? z.input<T> : undefined;

function sample<R extends RouteSpec>(
  route: R,
  request: { params?: Record<string, string>; query?: Input<R['query']>; body?: Input<R['body']> },
): void {
  SAMPLES.set(route, request);
}

const account = { username: 'sample.person', email: 'sample@example.com', password: TEST_PASSWORD };
sample(accounts.registerCreator, { body: { ...account, accountType: 'creator' } });
sample(profiles.updateOwnProfile, { body: { name: 'Sample', category: null } });
sample(subscriptions.subscribe, {
  body: { tierId: UNKNOWN_ID, recurrence: 'monthaly', count: 1, expected: { today: 12, renewal: 12 } },
});
sample(subscriptions.subscribeByCard, {
  body: { tierId: UNKNOWN_ID, recurrence: 'monthaly', count: 1, expected: 12.24, timeZone: 'UTC' },
});
sample(subscriptions.giftSubscription, {
  body: { username: 'fan', tierId: UNKNOWN_ID, recurrence: 'monthaly', count: 1, price: 5 },
});
sample(profiles.getOembed, { query: { url: `http://localhost:3000/post/${UNKNOWN_ID}` } });
const complaint = { reference: 'SD-7K2M-9QXV', email: 'sample@example.com' };
sample(support.getComplaintStatus, { body: complaint });
sample(support.replyToComplaint, { body: { ...complaint, message: 'Sample' } });
const signed = { name: 'Sample', address: 'Sample', telephone: '+1 555 0100', signature: 'Sample' };
const declarations = { isGoodFaith: true, isAccurate: true };
const address = `/post/${UNKNOWN_ID}`;
sample(copyright.submitCopyrightNotice, {
  body: { ...signed, ...declarations, email: 'sample@example.com', work: 'sample', urls: address },
});
const counterNotice = { statement: 'sample', isMistake: true, isConsenting: true };
sample(copyright.submitCounterNotice, { params: { id: UNKNOWN_ID }, body: { ...signed, ...counterNotice } });
sample(copyright.submitCounterNoticeByLink, { body: { ...signed, ...counterNotice, token: UNKNOWN_ID } });
sample(calls.updateCallSettings, {
  body: { isAvailable: true, videoRate: 3, audioRate: null, minMinutes: 1, hours: [], timeZone: 'UTC' },
});
sample(geoBlocks.updateGeoBlocks, { body: { codes: ['DE'] } });
sample(geoBlocks.checkGeoVisibility, { params: { code: 'DE' } });
sample(media.updateMedia, { body: { title: 'Sample', tags: ['sample'], price: 5 } });
sample(adminSystemStatus.retryJob, { params: { id: '1' } });
const enabledState = { isDisabled: false, message: '' };
sample(adminKillSwitches.updateKillSwitch, {
  params: { name: 'payouts' },
  body: { from: enabledState, to: enabledState, reason: 'sample' },
});
const settled = { reference: 'sample', day: '2026-01-01', bank: 1, fees: 0, chargebackFees: 0 };
sample(adminSettlements.bookSettlement, { body: settled });
sample(media.removeCaptions, { params: { language: 'en' } });
const paypal = { currentPassword: TEST_PASSWORD, details: { kind: 'paypal' as const, email: 'sample@example.com' } };
sample(payouts.addPayoutMethod, { body: paypal });
sample(payouts.replacePayoutMethod, { body: paypal });
sample(payouts.updatePayoutRule, { body: { rule: { methodId: UNKNOWN_ID, recurrence: 'weekly', threshold: null } } });
const period = { from: '2026-01-01', to: '2026-12-31', format: 'csv' as const };
sample(notificationPreferences.updateNotificationPreference, { body: { newPost: { email: true } } });
sample(statements.downloadWalletStatement, { query: period });
sample(statements.downloadEarningsStatement, { query: period });
const [preset] = THEME_PRESETS;
if (!preset) throw new Error('There are no presets.');
sample(themes.saveThemeDraft, { body: { revision: 0, theme: preset.theme } });
sample(themes.publishTheme, { body: { revision: 0, theme: preset.theme } });
sample(themes.getSharedTheme, { params: { code: themes.toThemeCode(preset.theme) } });
sample(earnings.listFanSpending, { query: { ids: UNKNOWN_ID } });
sample(adminLedger.getLedgerAccountStatement, { params: { code: `liab:fan:${UNKNOWN_ID}:wallet` } });
sample(push.updatePushSettings, { body: { pushesPerHour: 5 } });
sample(transparencyLog.getJournalProofStatus, { query: { ids: UNKNOWN_ID } });
sample(wallet.sendTip, { body: { amount: 5, type: 'profile', note: '' } });

const personalDetails = { dateOfBirth: '1990-05-17', country: 'PT', documentType: 'passport' as const };
sample(verification.updateVerificationDetails, { body: { legalName: 'Sample Person', ...personalDetails } });
sample(verification.signAgreement, { body: { version: '2026-11-01', signedAs: 'Sample Person' } });
const details = { company: 'Sample', contactMail: 'sample@example.com' };
sample(adminCompanyDetails.updateCompanyDetails, { body: { from: details, to: details } });
const customFee = { generalFee: 15, offer: null };
sample(adminFees.updateCreatorFee, { body: { from: customFee, to: customFee, reason: 'Sample' } });
sample(legal.agreeToPolicies, {
  body: { agreed: [{ key: 'terms-of-service', version: '2026-11-23', textHash: 'a'.repeat(64) }] },
});
sample(embedSettings.updateEmbedSettings, { body: { allowed: 'named', origins: ['https://sample.example'] } });
sample(verification.decideVerification, { body: { decision: 'verify' } });

sample(teams.inviteToTeam, { body: { to: 'sample.person', rights: ['chat'] } });

const text = 'Good evening';
sample(chat.sendText, { body: { receiverId: UNKNOWN_ID, text } });
sample(chat.sendMedia, {
  body: { receiverId: UNKNOWN_ID, text, price: 0, isViewOnce: false, mediaIds: [UNKNOWN_ID] },
});
const many = { audience: 'followers' as const, excludeBuyers: false };
sample(broadcasts.broadcastText, { body: { ...many, text } });
sample(broadcasts.broadcastMedia, {
  body: { ...many, text, price: 5, isViewOnce: false, mediaIds: [UNKNOWN_ID] },
});

const cache = new Map<RouteSpec, Sample>();

function generateSample({ params, query, body }: RouteSpec): Sample {
  return {
    params: Object(params && generateFromSchema(params, 'all')),
    query: query && generateFromSchema(query, 'required'),
    body: body && generateFromSchema(body, 'all'),
  };
}

export function getSample(route: RouteSpec): Sample {
  const cachedSample = cache.get(route) ?? { ...generateSample(route), ...SAMPLES.get(route) };
  cache.set(route, cachedSample);
  return cachedSample;
}

export function findSampleError(name: string, route: RouteSpec): string | undefined {
  const request = getSample(route);
  const refused = (['query', 'body'] as const).filter(
    (part) => route[part] && !z.safeParse(route[part], request[part]).success,
  );
  if (refused.length === 0) return undefined;
  const parts = refused.map((part) => `${part}: { … }`).join(', ');
  return `What ${name} takes cannot be made up from its schema: add sample(${name}, { ${parts} }) to server/testing/samples.ts.`;
}

export function toSampleUrl(route: RouteSpec, params: Record<string, string> = {}): string {
  const { params: ownParams, query: ownQuery } = getSample(route);
  const allParams = { ...ownParams, ...params };
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(allParams[name] ?? UNKNOWN_ID)),
  );
  const query = new URLSearchParams(
    Object.entries(Object(ownQuery)).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return `/api${path}${query.size > 0 ? `?${query}` : ''}`;
}
