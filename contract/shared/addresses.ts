/** Page paths, shared by browser, server, mails and payment returns (rows W3, W4). */

export const PATHS = {
  home: '/',
  login: '/login',
  signup: '/signup',
  signupAsFan: '/signup?as=fan',
  signupAsCreator: '/signup?as=creator',
  forgotPassword: '/forgot-password',
  confirmMail: '/confirm-mail',
  successMail: '/success-mail',
  preferences: '/preferences',
  unsubscribe: '/unsubscribe',
  fanHome: '/fan',
  fanDashboard: '/fan/feed',
  fanChat: '/fan/chat',
  fanFollow: '/fan/follow',
  fanMedia: '/fan/media',
  fanWallet: '/fan/wallet',
  fanDepositReturn: '/fan/wallet/return',
  fanProfile: '/fan/profile',
  fanReferral: '/fan/referral',
  fanSubscriptions: '/fan/subscriptions',
  fanNotifications: '/fan/notifications',
  fanPayoutMethods: '/fan/payout-methods',
  creatorDashboard: '/creator',
  creatorChat: '/creator/chat',
  creatorFeed: '/creator/feed',
  creatorCalls: '/creator/calls',
  creatorEarning: '/creator/earning',
  creatorFees: '/creator/fees',
  creatorFollowers: '/creator/followers',
  creatorMedia: '/creator/media',
  creatorNewPost: '/creator/post/add',
  creatorNotifications: '/creator/notifications',
  creatorProfile: '/creator/profile',
  creatorCard: '/creator/profile/card',
  creatorReferral: '/creator/referral',
  creatorSettings: '/creator/profile/settings',
  creatorSubscribers: '/creator/subscribers',
  creatorSubscriptionTiers: '/creator/subscription-tiers',
  creatorVerification: '/creator/profile/verification',
  admin: '/admin',
  adminAccount: '/admin/account',
  devMailbox: '/dev/mailbox',
} as const;

export const profilePath = (username: string) => `/profile/${username}`;
/** The tiers on a creator's profile. */
export const subscribePath = (username: string) => `${profilePath(username)}#subscribe`;
/** The tiers with the discount of a code. */
export const offerPath = (username: string, code: string) => `${profilePath(username)}?offer=${code}#subscribe`;
export const referralPath = (code: string) => `/r/${code}`;
export const postPath = (id: string) => `/post/${id}`;
export const receiptPath = (transactionId: string) => `${PATHS.fanWallet}/receipt/${transactionId}`;
export const callReceiptPath = (side: 'fan' | 'creator', callLogId: string) =>
  `/${side}/chat?tab=callHistoryList&call=${callLogId}`;
export const depositReturnPath = (orderId: string) => `${PATHS.fanDepositReturn}?orderId=${orderId}`;
export const postEditPath = (id: string) => `/creator/post/${id}/edit`;
export const draftPath = (id: string) => `${PATHS.creatorNewPost}?draft=${id}`;
export const draftPreviewPath = (id: string, as: string) => `/creator/post/${id}/preview?as=${as}`;
export const mediaEditPath = (id: string) => `${PATHS.creatorMedia}/edit/${id}`;
export const creatorThreadPath = (key: string) => `${PATHS.creatorChat}/${key}`;
/** A new broadcast to a group of fans. */
export const broadcastPath = (audience: string) => `${creatorThreadPath('broadcast')}?audience=${audience}`;
export const chatWithPath = (creatorId: string) => `${PATHS.fanChat}?with=${creatorId}`;
export const creatorChatWithPath = (fanId: string) => `${PATHS.creatorChat}?with=${fanId}`;

/** The fan's spending limits and breaks. */
export const SPENDING_LIMITS_PATH = `${PATHS.fanProfile}#limits`;

export const passwordPath = (account: string) => `${account}#password`;
export const preferencesPath = (alerts: string) => `${alerts}?tab=preferences`;

/** Actions that need a fan account and lead visitors to the sign-up gate. */
export const GATE_INTENTS = ['call', 'follow', 'like', 'message', 'subscribe', 'tip', 'unlock'] as const;
export type GateIntent = (typeof GATE_INTENTS)[number];

/** Sign-up for a visitor who tried an action. It then continues to `next`, a path on this site. */
export function signupGatePath(intent: GateIntent, next: string): string {
  return `${PATHS.signup}?${toGateQuery(intent, next)}`;
}

export function loginGatePath(intent: GateIntent, next: string): string {
  return `${PATHS.login}?${toGateQuery(intent, next)}`;
}

function toGateQuery(intent: GateIntent, next: string): string {
  return `for=${intent}&next=${encodeURIComponent(next)}`;
}

/** Sign-up that then continues to `next`, a path on this site. */
export function signupPath(next: string): string {
  return `${PATHS.signup}?next=${encodeURIComponent(next)}`;
}

/** After an email address was confirmed. The log-in there continues to `next`, a path on this site. */
export function emailConfirmedPath(next: string | undefined): string {
  return `${PATHS.successMail}?confirmed${next === undefined ? '' : `&next=${encodeURIComponent(next)}`}`;
}

export function loginPath(next: string): string {
  return `${PATHS.login}?next=${encodeURIComponent(next)}`;
}
