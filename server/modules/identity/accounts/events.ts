import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { LinkPurpose } from './store.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /**
     * `referralCode` is not validated yet. `browserAccountIds` is set with a referral code only and lists the
     * accounts that this browser was logged in to before. `themeCode`, not validated yet either, is the theme that a
     * creator has tried before the sign-up.
     */
    'account.created': {
      userId: string;
      type: UserType;
      username: string;
      referralCode: string | null;
      browserAccountIds?: string[];
      themeCode?: string;
    };
    'account.blocked': { userId: string; type: UserType; username: string; reason: string };
    'account.unblocked': { userId: string; type: UserType; username: string };
    /** `device` is set for log-ins from an unknown browser only. */
    'account.secured': {
      userId: string;
      change: 'newDevice' | 'passwordChanged' | 'twoFactorOn' | 'twoFactorOff';
      device: string;
    };
    /** The account may not exist. */
    'account.mailRequested': { purpose: LinkPurpose; name: string };
  }
}
