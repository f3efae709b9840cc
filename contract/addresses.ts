/** Where pages are (rows W3, W4): browser and server, links, mails and payment returns take their addresses from here. */

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
  creatorVerification: '/creator/profile/verification',
  admin: '/admin',
  adminAccount: '/admin/account',
  devMailbox: '/dev/mailbox',
} as const;

export const profilePath = (username: string) => `/profile/${username}`;
/** The link by which somebody brings others in. */
export const referralPath = (code: string) => `/r/${code}`;
export const postPath = (id: string) => `/post/${id}`;
export const receiptPath = (transactionId: string) => `${PATHS.fanWallet}/receipt/${transactionId}`;
/** A call's receipt, over the list of one's calls. */
export const callReceiptPath = (side: 'fan' | 'creator', callLogId: string) =>
  `/${side}/chat?tab=callHistoryList&call=${callLogId}`;
export const depositReturnPath = (orderId: string) => `${PATHS.fanDepositReturn}?orderId=${orderId}`;
export const postEditPath = (id: string) => `/creator/post/${id}/edit`;
export const draftPath = (id: string) => `${PATHS.creatorNewPost}?draft=${id}`;
export const draftPreviewPath = (id: string, as: string) => `/creator/post/${id}/preview?as=${as}`;
export const mediaEditPath = (id: string) => `${PATHS.creatorMedia}/edit/${id}`;
/** A creator's conversation, or a thread by its key. */
export const creatorThreadPath = (key: string) => `${PATHS.creatorChat}/${key}`;
/** A fan's conversation with a creator, which may not have begun yet. */
export const chatWithPath = (creatorId: string) => `${PATHS.fanChat}?with=${creatorId}`;

/** Of one's own account: where a password is changed. */
export const passwordPath = (account: string) => `${account}#password`;
/** What reaches one, of a role's page of alerts. */
export const preferencesPath = (alerts: string) => `${alerts}?tab=preferences`;

/** What a visitor may have asked for that only a fan is let in to do. */
export const DOOR_ACTS = ['call', 'follow', 'like', 'message', 'tip', 'unlock'] as const;
export type DoorAct = (typeof DOOR_ACTS)[number];

/**
 * The door that a visitor comes to with what they asked for: sign-up as a fan first, log-in second. `next`, a path of ours,
 * is where it leads on to; what it opens and what that costs, the door reads from there.
 */
export function doorPath(act: DoorAct, next: string): string {
  return `${PATHS.signup}?${doorQuery(act, next)}`;
}

/** The same for whoever has an account. */
export function doorLoginPath(act: DoorAct, next: string): string {
  return `${PATHS.login}?${doorQuery(act, next)}`;
}

function doorQuery(act: DoorAct, next: string): string {
  return `for=${act}&next=${encodeURIComponent(next)}`;
}

/** The log-in, which leads on to `next`, a path of ours, afterwards. */
export function loginPath(next: string): string {
  return `${PATHS.login}?next=${encodeURIComponent(next)}`;
}
