/**
 * Valid requests for the hostile matrix, generated from the schemas. Written here are those for which the schema says
 * too little.
 */
import * as accounts from '@stagedoor/contract/accounts.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import * as broadcasts from '@stagedoor/contract/broadcasts.ts';
import * as calls from '@stagedoor/contract/calls.ts';
import * as cases from '@stagedoor/contract/cases.ts';
import * as chat from '@stagedoor/contract/chat.ts';
import * as copyright from '@stagedoor/contract/copyright.ts';
import * as earnings from '@stagedoor/contract/earnings.ts';
import * as embeds from '@stagedoor/contract/embed-settings.ts';
import * as feesDesk from '@stagedoor/contract/fees-desk.ts';
import * as ledgerDesk from '@stagedoor/contract/ledger-desk.ts';
import * as media from '@stagedoor/contract/media.ts';
import * as preferences from '@stagedoor/contract/notification-preferences.ts';
import * as payouts from '@stagedoor/contract/payouts.ts';
import * as policies from '@stagedoor/contract/policies.ts';
import * as profiles from '@stagedoor/contract/profiles.ts';
import * as push from '@stagedoor/contract/push.ts';
import * as regions from '@stagedoor/contract/regions.ts';
import * as settlements from '@stagedoor/contract/settlements.ts';
import * as state from '@stagedoor/contract/state-desk.ts';
import * as statements from '@stagedoor/contract/statements.ts';
import * as switches from '@stagedoor/contract/switches-desk.ts';
import * as team from '@stagedoor/contract/team.ts';
import { PRESETS } from '@stagedoor/contract/theme-presets.ts';
import * as themes from '@stagedoor/contract/themes.ts';
import * as transparency from '@stagedoor/contract/transparency.ts';
import * as verification from '@stagedoor/contract/verification.ts';
import * as wallet from '@stagedoor/contract/wallet.ts';
import * as z from 'zod/mini';
import { derived, NO_ID, PASSWORD } from './derived.ts';

export { NO_ID };

export type Sample = { params?: Record<string, string>; query?: unknown; body?: unknown };

const SAMPLES = new Map<RouteSpec, Sample>();

type Input<T> = T extends z.ZodMiniType ? z.input<T> : undefined;

function sample<R extends RouteSpec>(
  route: R,
  request: { params?: Record<string, string>; query?: Input<R['query']>; body?: Input<R['body']> },
): void {
  SAMPLES.set(route, request);
}

const person = { username: 'sample.person', email: 'sample@example.com', password: PASSWORD };
sample(accounts.registerCreator, { body: { ...person, accountType: 'creator' } });
sample(profiles.updateOwnProfile, { body: { name: 'Sample', category: null } });
sample(profiles.oembed, { query: { url: `http://localhost:3000/post/${NO_ID}` } });
const complaint = { reference: 'SD-7K2M-9QXV', email: 'sample@example.com' };
sample(cases.complaintStatus, { body: complaint });
sample(cases.answerComplaint, { body: { ...complaint, message: 'Sample' } });
const signed = { name: 'Sample', address: 'Sample', telephone: '+1 555 0100', signature: 'Sample' };
const claimed = { isGoodFaith: true, isAccurate: true };
const place = `/post/${NO_ID}`;
sample(copyright.giveNotice, {
  body: { ...signed, ...claimed, email: 'sample@example.com', work: 'sample', places: place },
});
const answered = { statement: 'sample', isMistake: true, isConsenting: true };
sample(copyright.giveCounterNotice, { params: { id: NO_ID }, body: { ...signed, ...answered } });
sample(copyright.giveCounterByLink, { body: { ...signed, ...answered, of: NO_ID } });
sample(calls.updateCallSettings, {
  body: { isAvailable: true, videoRate: 3, audioRate: null, shortestMinutes: 1, hours: [], timeZone: 'UTC' },
});
sample(regions.setRegions, { body: { codes: ['DE'] } });
sample(regions.viewFromRegion, { params: { code: 'DE' } });
sample(media.updateMedia, { body: { title: 'Sample', tags: ['sample'], price: 5 } });
sample(state.retryJob, { params: { id: '1' } });
const goesOn = { isStopped: false, words: '' };
sample(switches.setSwitch, { params: { name: 'payouts' }, body: { from: goesOn, to: goesOn, ground: 'sample' } });
const settled = { reference: 'sample', day: '2026-01-01', bank: 1, fees: 0, chargebackFees: 0 };
sample(settlements.bookSettlement, { body: settled });
sample(media.removeCaptions, { params: { language: 'en' } });
const paypal = { currentPassword: PASSWORD, details: { kind: 'paypal' as const, email: 'sample@example.com' } };
sample(payouts.addPayoutMethod, { body: paypal });
sample(payouts.replacePayoutMethod, { body: paypal });
sample(payouts.setPayoutRule, { body: { rule: { methodId: NO_ID, recurrence: 'weekly', above: null } } });
const period = { from: '2026-01-01', to: '2026-12-31', format: 'csv' as const };
sample(preferences.changeNotificationPreference, { body: { newPost: { email: true } } });
sample(statements.walletStatement, { query: period });
sample(statements.earningsStatement, { query: period });
const [preset] = PRESETS;
if (!preset) throw new Error('There are no presets.');
sample(themes.saveThemeDraft, { body: { revision: 0, theme: preset.theme } });
sample(themes.publishTheme, { body: { revision: 0, theme: preset.theme } });
sample(themes.sharedTheme, { params: { code: themes.codeOf(preset.theme) } });
sample(earnings.spentByFans, { query: { ids: NO_ID } });
sample(ledgerDesk.ledgerStatement, { params: { code: `liab:fan:${NO_ID}:wallet` } });
sample(push.changePushSettings, { body: { pushesPerHour: 5 } });
sample(transparency.journalPlaces, { query: { ids: NO_ID } });
sample(wallet.sendTip, { body: { amount: 5, type: 'profile', note: '' } });

const born = { dateOfBirth: '1990-05-17', country: 'PT', documentType: 'passport' as const };
sample(verification.changeVerificationDetails, { body: { legalName: 'Sample Person', ...born } });
sample(verification.signAgreement, { body: { version: '2026-11-01', signedAs: 'Sample Person' } });
const facts = { company: 'Sample', contactMail: 'sample@example.com' };
sample(policies.setOperatorFacts, { body: { from: facts, to: facts } });
const ownFee = { generalFee: 15, offer: null };
sample(feesDesk.setCreatorFee, { body: { from: ownFee, to: ownFee, ground: 'Sample' } });
sample(policies.agreeToPolicies, {
  body: { agreed: [{ key: 'terms-of-service', version: '2026-11-23', reading: 'a'.repeat(64) }] },
});
sample(embeds.setEmbedSettings, { body: { allowed: 'named', origins: ['https://sample.example'] } });
sample(verification.decideVerification, { body: { decision: 'verify' } });

sample(team.inviteToTeam, { body: { to: 'sample.person', rights: ['chat'] } });

const words = 'Good evening';
sample(chat.sendText, { body: { receiverId: NO_ID, text: words } });
sample(chat.sendMedia, { body: { receiverId: NO_ID, text: words, price: 0, isViewOnce: false, mediaIds: [NO_ID] } });
const many = { audience: 'followers' as const, excludeBuyers: false };
sample(broadcasts.broadcastText, { body: { ...many, text: words } });
sample(broadcasts.broadcastMedia, { body: { ...many, text: words, price: 5, isViewOnce: false, mediaIds: [NO_ID] } });

const made = new Map<RouteSpec, Sample>();

function makeUp({ params, query, body }: RouteSpec): Sample {
  return {
    params: Object(params && derived(params, 'all')),
    query: query && derived(query, 'required'),
    body: body && derived(body, 'all'),
  };
}

export function sampleOf(route: RouteSpec): Sample {
  const found = made.get(route) ?? { ...makeUp(route), ...SAMPLES.get(route) };
  made.set(route, found);
  return found;
}

export function faultOf(name: string, route: RouteSpec): string | undefined {
  const request = sampleOf(route);
  const refused = (['query', 'body'] as const).filter(
    (part) => route[part] && !z.safeParse(route[part], request[part]).success,
  );
  if (refused.length === 0) return undefined;
  const parts = refused.map((part) => `${part}: { … }`).join(', ');
  return `What ${name} takes cannot be made up from its schema: add sample(${name}, { ${parts} }) to server/testing/samples.ts.`;
}

export function addressOf(route: RouteSpec, params: Record<string, string> = {}): string {
  const { params: own, query: asked } = sampleOf(route);
  const known = { ...own, ...params };
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(known[name] ?? NO_ID)));
  const query = new URLSearchParams(
    Object.entries(Object(asked)).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return `/api${path}${query.size > 0 ? `?${query}` : ''}`;
}
