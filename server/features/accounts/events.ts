/** What the accounts room tells those above it. */
import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { MailPurpose } from './store.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    /**
     * Somebody signed up (or was seeded). `referralCode` is what they came with, unchecked; `browserOf`, of those who came with one,
     * the accounts that their browser was logged in to before.
     */
    'account.created': {
      userId: string;
      type: UserType;
      username: string;
      referralCode: string | null;
      browserOf?: string[];
    };
    /** An account was blocked: what it shows is to go, and nobody may pay it. */
    'account.blocked': { userId: string; type: UserType; username: string; reason: string };
    /** A block ended, or was wrong: the account is as any other again. */
    'account.unblocked': { userId: string; type: UserType; username: string };
    /** What protects an account changed, or it was logged in to from a browser that it did not know: `device`, of a log-in alone. */
    'account.secured': {
      userId: string;
      change: 'newDevice' | 'passwordChanged' | 'twoFactorOn' | 'twoFactorOff';
      device: string;
    };
    /** Somebody asked for a mail to the account of a name or an address, which may not exist. */
    'account.mailAsked': { purpose: MailPurpose; name: string };
  }
}
