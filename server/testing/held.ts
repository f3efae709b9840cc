/**
 * Every table that names an account: what is left there once it is closed, and where its owner finds it in the archive of all that
 * is theirs. A test holds it to the tables that there are, so that a new one cannot be forgotten.
 */
type Held = {
  /** Why rows remain after the closing; null where none do. */
  readonly left: string | null;
  /** The part of the archive, or after a dash why there is none. */
  readonly archive: string;
};

const BOOKS = 'the books are never rewritten; they name a number';
const MONEY = 'statements';
const OTHERS = '— of others, or of how things run; nothing that its owner said or did';
const DECIDED = 'proof of what was decided; what named its person is taken out';
const SENT = '— of others';

export const HELD: Readonly<Record<string, Held>> = {
  account_signals: { left: null, archive: '— hashes that nobody can read' },
  affiliate_claims: { left: BOOKS, archive: MONEY },
  affiliate_codes: { left: null, archive: 'referral-code' },
  announcements: { left: 'which operator wrote it', archive: '— of operators' },
  archives: { left: null, archive: '— the archive itself' },
  bells_off: { left: null, archive: 'notification-wishes' },
  blocks: { left: null, archive: 'conversations' },
  broadcasters: { left: 'a count of what was sent, without words', archive: OTHERS },
  broadcasts: { left: 'what somebody bought of it stays theirs; else without words', archive: 'messages' },
  call_terms: { left: null, archive: 'call-terms' },
  calls: { left: BOOKS, archive: 'calls' },
  case_decisions: { left: DECIDED, archive: 'notifications' },
  case_pictures: { left: null, archive: '— proof; copies of what they have' },
  cases: { left: DECIDED, archive: 'help' },
  chat_bonds: { left: 'sums of what two gave each other, by numbers', archive: MONEY },
  chat_catch_ups: { left: null, archive: OTHERS },
  chat_files: { left: 'what somebody bought stays theirs', archive: 'messages' },
  chat_purchases: { left: BOOKS, archive: MONEY },
  closings: { left: 'that it was closed', archive: '— ends with the account' },
  conversations: { left: 'the other side keeps theirs', archive: 'conversations' },
  copyright_counters: { left: DECIDED, archive: 'help' },
  creator_themes: { left: null, archive: 'theme' },
  creators: { left: 'a number by which the books know them, without words', archive: 'profile' },
  creators_online_told: { left: null, archive: OTHERS },
  debt_decisions: { left: BOOKS, archive: MONEY },
  deposits: { left: BOOKS, archive: MONEY },
  drafts: { left: null, archive: 'drafts' },
  embed_settings: { left: null, archive: 'profile' },
  entitlement_grants: { left: 'what was given to a number', archive: '— what others gave them, open where it hangs' },
  follows: { left: null, archive: 'follows' },
  known_devices: { left: null, archive: '— hashes that nobody can read' },
  ledger_accounts: { left: BOOKS, archive: MONEY },
  ledger_explanations: { left: BOOKS, archive: '— of operators' },
  ledger_holds: { left: BOOKS, archive: MONEY },
  ledger_transactions: { left: BOOKS, archive: MONEY },
  mail_tokens: { left: null, archive: '— proves who one is' },
  media: { left: 'what somebody bought stays theirs', archive: 'media' },
  media_counts: { left: 'how many, never what', archive: 'media' },
  media_deleted: { left: null, archive: '— was deleted' },
  media_positions: { left: null, archive: OTHERS },
  media_settings: { left: null, archive: 'media-settings' },
  messages: { left: 'what somebody bought stays theirs; else without words', archive: 'messages' },
  name_reviews: {
    left: 'that a name was looked at, without it',
    archive: '— of operators; the name is in the account',
  },
  notification_digests: { left: null, archive: OTHERS },
  notification_preferences: { left: null, archive: 'notification-wishes' },
  notifications: { left: null, archive: 'notifications' },
  operations: { left: BOOKS, archive: MONEY },
  payout_methods: { left: 'sealed, where something was paid to it', archive: 'payout-ways' },
  payout_notice_decisions: { left: BOOKS, archive: '— of operators' },
  payout_rules: { left: null, archive: 'payout-ways' },
  payouts: { left: BOOKS, archive: 'payouts' },
  policy_agreements: { left: null, archive: 'agreements' },
  post_likes: { left: null, archive: 'likes' },
  post_people: { left: null, archive: '— said by others, on their posts' },
  post_purchases: { left: BOOKS, archive: 'bought-posts' },
  posts: { left: 'what somebody bought stays theirs; else without words', archive: 'posts' },
  processor_decisions: { left: BOOKS, archive: '— of operators' },
  profile_views: { left: 'hashes that are forgotten by the day', archive: 'profile' },
  push_devices: { left: null, archive: '— keys by which a push service knows a device' },
  push_devices_removed: { left: null, archive: OTHERS },
  push_settings: { left: null, archive: 'notification-wishes' },
  pushes: { left: 'forgotten by the day; nothing can be sent any more', archive: 'notifications' },
  recovery_codes: { left: null, archive: '— proves who one is' },
  referrals: { left: BOOKS, archive: 'referrals' },
  region_blocks: { left: null, archive: 'regions' },
  region_refusals: { left: null, archive: 'regions' },
  sales: { left: BOOKS, archive: MONEY },
  sales_affiliates: { left: BOOKS, archive: 'referral-code' },
  sales_commissions: { left: BOOKS, archive: MONEY },
  sales_fees: { left: BOOKS, archive: MONEY },
  sales_hold_terms: { left: BOOKS, archive: MONEY },
  sales_owned: { left: BOOKS, archive: 'bought-posts' },
  security_log: {
    left: 'forgotten by the day; it protects others',
    archive: '— what protects accounts, for operators alone',
  },
  sessions: { left: null, archive: 'sessions' },
  share_pictures: { left: null, archive: OTHERS },
  team_acts: { left: 'who did what for whom, by numbers', archive: 'team' },
  team_invitations: { left: null, archive: 'team' },
  team_members: { left: null, archive: 'team' },
  timelines: { left: null, archive: SENT },
  tip_goals: { left: 'that there was one, without words', archive: 'goals' },
  users: { left: 'a number by which the books know them', archive: 'account' },
  verification_documents: { left: 'sealed for as long as the law asks', archive: '— proves who one is' },
  verifications: { left: 'sealed for as long as the law asks', archive: '— proves who one is' },
  wide_creators: { left: 'that many followed once', archive: OTHERS },
};
