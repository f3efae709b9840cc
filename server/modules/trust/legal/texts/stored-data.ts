/** Each database table names its row in the manifest of its module (`inPrivacyPolicyAs`). */

import { ACCOUNT_DELETION_DAYS, USERNAME_RESERVED_DAYS } from '@stagedoor/contract/identity/account-deletion.ts';
import { DATA_EXPORT_DAYS } from '@stagedoor/contract/identity/data-export.ts';
import { TEAM_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { PrivacyPolicyGroup } from '../../../../platform/personal-data.ts';
import { RETENTION_DAYS } from '../../../../platform/retention.ts';

type StoredData = {
  readonly what: string;
  readonly why: string;
  readonly retention: string;
  readonly seenBy: string;
};

const formatDays = (key: keyof typeof RETENTION_DAYS) => `${RETENTION_DAYS[key]} days`;
const ACCOUNT = 'As long as your account exists';
const PERMANENT = 'For good: the books are never rewritten, and name you by a number';

export const STORED: Readonly<Record<PrivacyPolicyGroup, StoredData>> = {
  account: {
    what: 'Your account: username, email, name, picture, password as a hash that cannot be turned back, two-factor authentication',
    why: 'To know that it is you, and to show who you are',
    retention: ACCOUNT,
    seenBy: 'Name, username and picture by everybody; the rest by you and the operator',
  },
  logins: {
    what: 'Where you are logged in: browser, network address, when',
    why: 'To keep you logged in, and to tell you of a log-in that was not you',
    retention: `A session ends after ${formatDays('idleSession')} without use, at the latest after ${formatDays('session')}; a browser is known for ${formatDays('knownDevice')}`,
    seenBy: 'You, in your settings',
  },
  deviceAndCardHashes: {
    what: 'Of fans, the browsers they logged in from and the cards they paid with, as keyed hashes',
    why: 'So that a creator is warned when an account made after a block seems to be the person they blocked',
    retention: `${formatDays('accountFingerprints')} after the last log-in or payment by them, and no longer than your account`,
    seenBy: 'No one; a creator reads that somebody “seems to be someone you blocked”, and never why',
  },
  securityLog: {
    what: 'A log of what protects accounts: log-ins, refusals, changed passwords, with the network they came from',
    why: 'To find out what happened when something did',
    retention: formatDays('securityLog'),
    seenBy: 'The operator',
  },
  creatorProfile: {
    what: 'Your profile as a creator: craft, city, words, links, cover, prices, when you can be called, how your page is drawn, marks in copies, sites that may show your work, where you are not to be seen and how often that held, what you gather tips for',
    why: 'To show it',
    retention: `${ACCOUNT}; how often somebody was turned away ${formatDays('geoBlockHits')}, as a number a day`,
    seenBy: 'Everybody; where you are not to be seen, you alone',
  },
  publishedContent: {
    what: 'What you publish or upload: posts, drafts, pictures, films, sound, captions',
    why: 'To show it to those it is for',
    retention: `Until you delete it, then ${formatDays('deletedMedia')} more; the file as you uploaded it ${formatDays('originals')} after it was made ready; copies marked for one buyer ${formatDays('markedCopies')}. What somebody bought stays theirs`,
    seenBy: 'Those it is for: everybody, or who opened it',
  },
  fanActivity: {
    what: 'What you do here: whom you follow, what you like, what you opened, how far you watched',
    why: 'Your feed, your library, going on where you were',
    retention: ACCOUNT,
    seenBy: 'You; a creator sees who follows them and what they sold',
  },
  profileViews: {
    what: 'That somebody looked at a profile, as a hash that is another every day',
    why: 'To count each person once',
    retention: formatDays('profileViews'),
    seenBy: 'No one; the creator sees a number',
  },
  messaging: {
    what: 'Messages, chat media, notes to yourself about somebody, broadcasts',
    why: 'To deliver them, and to show them again',
    retention: ACCOUNT,
    seenBy:
      'You and the other side, and who is in a creator’s team for chat; where a message is reported, operators see it and those around it, and each look is noted; a note only whoever wrote it',
  },
  calls: {
    what: 'Calls: with whom, when, and the seconds in which both sides were connected. Never picture or sound',
    why: 'To charge what was talked, and to prove it',
    retention: PERMANENT,
    seenBy: 'Both sides, and the operator where a call is disputed',
  },
  money: {
    what: 'Your money: deposits, purchases, subscriptions, tips, earnings, payouts, what is owed',
    why: 'Bookkeeping, and the law that asks for it',
    retention: PERMANENT,
    seenBy: 'You and the operator; a creator sees what you paid them',
  },
  spendingLimits: {
    what: 'Limits that you set yourself, and breaks',
    why: 'To enforce them',
    retention: ACCOUNT,
    seenBy: 'You',
  },
  blockedUsers: {
    what: 'Whom you blocked',
    why: 'So that neither of you meets the other',
    retention: 'Until you take it back, or one of you is gone',
    seenBy: 'You. The other side is told nothing',
  },
  supportAndReports: {
    what: 'What you wrote to us, what was said of you, pictures sent along, who of us looked, what was decided and why',
    why: 'To answer, to decide fairly, and to show later why',
    retention:
      'The words for good, as proof of what was decided; your name, your address and pictures as long as your account exists; a picture that was never sent along, a day',
    seenBy: 'The operator; what was decided about you, you as well; who reported you, never you',
  },
  reportedProfiles: {
    what: 'What your profile showed when somebody reported it: names, words, links, picture and cover',
    why: 'To decide by what was reported, and to give back what was taken away by mistake',
    retention: `${formatDays('reportedProfile')} after the decision, also without an account`,
    seenBy: 'Those operators who decide, and each look is noted',
  },
  copyrightNotices: {
    what: 'Notices of copyright and counter-notices: name, signature, postal address, telephone, email',
    why: 'To handle them as the law says (17 U.S.C. 512)',
    retention: `Name and signature for good, as proof; how to reach you ${formatDays('copyrightContact')} after the end, also without an account`,
    seenBy:
      'The operator; your name, the work and where it is by whoever posted it; all of a counter-notice by whoever sent the notice',
  },
  dataExport: {
    what: 'The archive of what is yours, when you ask for one',
    why: 'To hand it to you',
    retention: `${DATA_EXPORT_DAYS} days`,
    seenBy: 'You, after proving who you are',
  },
  accountDeletion: {
    what: 'That you close your account, and afterwards your username',
    why: 'To let you change your mind, and so that nobody takes your name',
    retention: `${ACCOUNT_DELETION_DAYS} days until it is closed, or until what waits for you is taken; the username ${USERNAME_RESERVED_DAYS} days more`,
    seenBy: 'No one',
  },
  cardPayments: {
    what: 'What the card processor tells of a payment: ids, sums, times, the card’s brand and last four digits. Never your card number, and not your name or address',
    why: 'To credit what was paid, once',
    retention: `With the books; a message that cannot be read ${formatDays('unreadableEvents')}`,
    seenBy: 'The operator',
  },
  payoutMethods: {
    what: 'Where you want to be paid out to: account numbers, encrypted',
    why: 'To pay you',
    retention: 'Until you remove it and nothing is under way; what was paid to it stays in the books',
    seenBy: 'You, shortened; the operator when a payout is sent, and each look is noted',
  },
  identityVerification: {
    what: 'Who you are as a creator: legal name, date of birth, document, photograph of you, signed agreement, encrypted',
    why: 'Required by law and card networks before you can sell',
    retention: `The photograph and whatever was refused ${formatDays('documents')} after the decision; the rest as long as the law asks`,
    seenBy: 'Who reviews it, and each look is noted; never fans',
  },
  referrals: {
    what: 'Who brought you in, and until when they earn by it',
    why: 'To pay them out of our fee',
    retention: 'With the books',
    seenBy: 'You; whoever brought you in sees your name',
  },
  notifications: {
    what: 'What you were told, how you like to be told, and the devices that you are told on',
    why: 'To tell you, once, in your way',
    retention: `Notifications ${formatDays('notifications')}, what was sent to a device ${formatDays('pushes')}, a device until you remove it`,
    seenBy: 'You; a push service carries it, encrypted but to Safaris that have no Web Push',
  },
  teams: {
    what: 'Who is in a creator’s team, who was asked into it, and what each did in the creator’s name',
    why: 'So that a creator can have help, and can see who did what',
    retention: `A membership until either ends it, an invitation ${TEAM_LIMITS.invitationDays} days; what was done for good, once an account is closed by its number alone`,
    seenBy: 'The creator and whoever is in the team; fans read that somebody of the team wrote, and not who',
  },
  operatorActions: {
    what: 'What operators did about you or your money, with their reasons',
    why: 'So that it can be looked at later, also by you through us',
    retention: 'For good',
    seenBy: 'The operator',
  },
  announcements: {
    what: 'What was announced to everybody, and which operator wrote it',
    why: 'So that it can be looked at later',
    retention: 'For good',
    seenBy: 'The words by whom they were for; who wrote them by the operator',
  },
};
