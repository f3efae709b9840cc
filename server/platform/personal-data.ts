/** What a module's manifest declares about the personal data in each of its tables: account deletion, data export and privacy policy follow from it. */

/** The rows of the table "What is stored" in the privacy policy, in its order. Their texts are in modules/trust/legal/texts/stored-data.ts. */
export const PRIVACY_POLICY_GROUPS = [
  'account',
  'logins',
  'deviceAndCardHashes',
  'securityLog',
  'creatorProfile',
  'publishedContent',
  'fanActivity',
  'profileViews',
  'messaging',
  'calls',
  'money',
  'spendingLimits',
  'blockedUsers',
  'supportAndReports',
  'reportedProfiles',
  'copyrightNotices',
  'dataExport',
  'accountDeletion',
  'cardPayments',
  'payoutMethods',
  'identityVerification',
  'referrals',
  'notifications',
  'teams',
  'operatorActions',
  'announcements',
] as const;
export type PrivacyPolicyGroup = (typeof PRIVACY_POLICY_GROUPS)[number];

/** A table whose rows belong to an account, because a column names it. The boundaries check demands it for each such table. */
type AccountData = {
  readonly inPrivacyPolicyAs: PrivacyPolicyGroup;
  /** `remains` names the data that stay after the account is deleted, and why. */
  readonly onAccountDeletion: 'deleted' | { readonly remains: string };
  /** The name of a part of the data export, or the reason for leaving it out. */
  readonly inExportAs: string | { readonly notExported: string };
};

/** A table that is about users but has no column that names an account. */
type RelatedData = {
  readonly inPrivacyPolicyAs: PrivacyPolicyGroup;
  readonly onAccountDeletion?: never;
  readonly inExportAs?: never;
};

/** A table without personal data. `none` gives the reason. */
type NoPersonalData = {
  readonly none: string;
  readonly inPrivacyPolicyAs?: never;
  readonly onAccountDeletion?: never;
  readonly inExportAs?: never;
};

export type PersonalData = AccountData | RelatedData | NoPersonalData;

/** Names of `uuid` columns that refer to the account a row belongs to. */
export const ACCOUNT_COLUMNS = /^(?:user|creator|fan|owner|affiliate|referred|from|sender|author|member|actor)_id$/;

/** Columns that refer to the operator who did something to a row, and not to the account it belongs to. */
export const OPERATOR_COLUMNS = /^operator_id$|_by$/;

export const FINANCIAL_RECORD = {
  inPrivacyPolicyAs: 'money',
  onAccountDeletion: { remains: 'Financial records are never rewritten; they name the account by its id only.' },
  inExportAs: 'statements',
} as const satisfies PersonalData;

export const SET_BY_OPERATORS = { none: 'Set by operators.' } as const satisfies PersonalData;
