/** One acceptable request for each contract route that takes a body or an odd parameter: what the hostile matrix spoils bit by bit. */
import * as accounts from '@stagedoor/contract/accounts.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import * as broadcasts from '@stagedoor/contract/broadcasts.ts';
import * as chat from '@stagedoor/contract/chat.ts';
import * as chatTerms from '@stagedoor/contract/chat-terms.ts';
import * as follows from '@stagedoor/contract/follows.ts';
import * as media from '@stagedoor/contract/media.ts';
import * as payments from '@stagedoor/contract/payments.ts';
import * as posts from '@stagedoor/contract/posts.ts';
import * as profiles from '@stagedoor/contract/profiles.ts';
import * as publishing from '@stagedoor/contract/publishing.ts';
import * as wallet from '@stagedoor/contract/wallet.ts';
import type * as z from 'zod/mini';

export type Sample = {
  params?: Record<string, string> | undefined;
  query?: unknown;
  body?: unknown;
};

/** An id of the right form that nothing has. */
export const NO_ID = '01890000-0000-7000-8000-000000000000';
const PASSWORD = 'Curtain7!call';
const TOKEN = 'A'.repeat(43);
const person = { username: 'sample.person', email: 'sample@example.com', password: PASSWORD };

const SAMPLES = new Map<RouteSpec, Sample>();

type Input<T> = T extends z.ZodMiniType ? z.input<T> : undefined;

function sample<R extends RouteSpec>(
  route: R,
  request: { params?: Record<string, string>; query?: Input<R['query']>; body?: Input<R['body']> },
): void {
  SAMPLES.set(route, request);
}

sample(accounts.registerCustomer, { body: { ...person, accountType: 'customer' } });
sample(accounts.registerCreator, { body: { ...person, accountType: 'creator' } });
sample(accounts.checkEmail, { query: { email: person.email } });
sample(accounts.checkUsername, { query: { username: person.username } });
sample(accounts.verifyEmail, { body: { token: TOKEN } });
sample(accounts.resendEmail, { body: { username: person.username } });
sample(accounts.login, { body: { username: person.username, password: PASSWORD } });
sample(accounts.forgotPassword, { body: { email: person.email } });
sample(accounts.resetPassword, { body: { token: TOKEN, newPassword: PASSWORD } });
sample(accounts.changePassword, { body: { newPassword: 'Overture9&act', currentPassword: PASSWORD } });
sample(accounts.beginTwoFactor, { body: { currentPassword: PASSWORD } });
sample(accounts.enableTwoFactor, { body: { code: '000000' } });
sample(accounts.disableTwoFactor, { body: { currentPassword: PASSWORD, code: '000000' } });
sample(profiles.updateOwnProfile, { body: { name: 'Sample', category: null } });
sample(profiles.updateOwnPicture, { params: { which: 'avatar' } });
sample(profiles.oembed, { query: { url: `http://localhost:3000/post/${NO_ID}` } });
sample(follows.follow, { body: { isFollowed: true } });
sample(media.updateMedia, { body: { title: 'Sample', tags: ['sample'], price: 5 } });
sample(media.updateMediaSettings, { body: { isWatermarked: true } });
sample(media.savePosition, { body: { seconds: 90 } });
sample(media.removeCaptions, { params: { language: 'en' } });
const post = { caption: 'Sample', price: 0, media: [{ id: NO_ID, alt: '' }] };
sample(posts.createPost, { body: post });
sample(posts.updatePost, { body: post });
sample(posts.pinPost, { body: { isPinned: true } });
sample(posts.likeUnlike, { body: { isLiked: true } });
sample(posts.unlockPost, { body: { price: 5 } });
sample(publishing.createDraft, { body: { caption: 'Sample' } });
sample(publishing.updateDraft, { body: { caption: 'Sample', version: 1 } });
sample(publishing.publishDraft, { body: { version: 1 } });
sample(payments.depositFunds, { body: { paymentProvider: 'ccbill', amount: 100 } });
sample(wallet.sendTip, { body: { amount: 5, type: 'profile', note: '' } });

const words = 'Good evening';
sample(chat.sendText, { body: { receiverId: NO_ID, text: words } });
sample(chat.sendMedia, { body: { receiverId: NO_ID, text: words, price: 0, isViewOnce: false, mediaIds: [NO_ID] } });
sample(chatTerms.conversationResponse, { body: { status: 'accept' } });
sample(chatTerms.blockUnblockCustomer, { body: { isBlocked: true } });
sample(chatTerms.blockUnblockCreator, { body: { isBlocked: true } });
sample(chatTerms.muteUnmute, { body: { isMuted: true } });
sample(chatTerms.saveNote, { body: { note: words } });
sample(chatTerms.updateChatSettings, { body: { rule: 'open' } });
sample(chat.purchaseChatMedia, { body: { price: 5 } });
sample(chat.updateMessageStatus, { body: { conversationId: NO_ID, msgIds: [NO_ID], status: 'read' } });
const many = { audience: 'followers' as const, excludeBuyers: false };
sample(broadcasts.broadcastText, { body: { ...many, text: words } });
sample(broadcasts.broadcastMedia, { body: { ...many, text: words, price: 5, isViewOnce: false, mediaIds: [NO_ID] } });
sample(broadcasts.rescheduleBroadcast, { body: { scheduledAt: null } });
sample(chat.searchMessages, { query: { q: words } });

/** The sample of a route: nothing special when it takes nothing special. */
export function sampleOf(route: RouteSpec): Sample {
  return SAMPLES.get(route) ?? {};
}

/** Whether a route that takes a body lacks a sample: the matrix could then not get past its validation. */
export function lacksSample(route: RouteSpec): boolean {
  return route.body !== undefined && !SAMPLES.has(route);
}

/** A route's address under `/api`: its parameters by `params`, then by its sample, else by an id that nothing has. */
export function addressOf(route: RouteSpec, params: Record<string, string> = {}): string {
  const known = { ...sampleOf(route).params, ...params };
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(known[name] ?? NO_ID)));
  const query = new URLSearchParams(
    Object.entries(Object(sampleOf(route).query)).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return `/api${path}${query.size > 0 ? `?${query}` : ''}`;
}
