/** Row types of every table. Generated from the migrated database by `npm run db:types`; do not edit. */
import type { ColumnType } from "kysely";

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[]
  ? U[]
  : ArrayTypeImpl<T>;

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S[], I[], U[]>
  : T[];

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface AccountDeletions {
  completed_at: Timestamp | null;
  due_at: Timestamp;
  notified_at: Timestamp | null;
  requested_at: Timestamp;
  started_at: Timestamp | null;
  user_id: string;
}

export interface AccountFingerprints {
  mac: Buffer;
  seen_at: Timestamp;
  user_id: string;
}

export interface AffiliateClaims {
  affiliate_id: string;
  amount_cents: number;
  created_at: Timestamp;
  customer_cents: number;
  fee_cents: number;
  id: string;
}

export interface AffiliateCodes {
  code: string;
  created_at: Timestamp;
  user_id: string;
}

export interface AffiliateSettings {
  creator_basis_points: Generated<number>;
  customer_basis_points: Generated<number>;
  id: Generated<boolean>;
  months: Generated<number>;
  move_fee_basis_points: Generated<number>;
  move_min_cents: Generated<number>;
}

export interface Announcements {
  audience: string;
  author_id: string;
  begins_at: Timestamp;
  ended_at: Timestamp | null;
  ends_at: Timestamp;
  id: string;
  is_dismissable: boolean;
  level: string;
  text: string;
  title: string;
  written_at: Timestamp;
}

export interface ApprovalRequests {
  amount_cents: number | null;
  at: Timestamp;
  ended_at: Timestamp | null;
  ended_by: string | null;
  id: string;
  kind: string;
  operator_id: string;
  outcome: string | null;
  payload: unknown;
  reason: string;
  subject_id: string;
  subject_label: string;
  xid: Generated<number>;
}

export interface AuditLog {
  action: string;
  at: Timestamp;
  details: Generated<unknown>;
  hash: Buffer;
  id: string;
  operator_id: string | null;
  position: number;
  previous_hash: Buffer;
  subject_id: string;
  subject_kind: string;
  xid: Generated<number>;
}

export interface Blocks {
  creator_id: string;
  fan_id: string;
  since: Timestamp;
}

export interface BroadcastCounts {
  broadcast_id: string;
  delivered: Generated<number>;
  earned_cents: Generated<number>;
  purchased: Generated<number>;
  read: Generated<number>;
  shard: number;
}

export interface BroadcastCursors {
  caught_up_at: Timestamp;
  fan_id: string;
}

export interface Broadcasters {
  creator_id: string;
  last_at: Timestamp;
  last_seq: number;
}

export interface BroadcastRecipients {
  broadcast_id: string;
  fan_id: string;
}

export interface Broadcasts {
  audience: string;
  author_id: string | null;
  client_id: string;
  created_at: Timestamp;
  creator_id: string;
  exclude_buyers: Generated<boolean>;
  fan_ids: Generated<ArrayType<string>>;
  id: string;
  is_view_once: Generated<boolean>;
  price_cents: Generated<number>;
  recipient_count: number | null;
  revision: Generated<number>;
  scheduled_at: Timestamp | null;
  sent_at: Timestamp | null;
  seq: number | null;
  state: string;
  taken_down_at: Timestamp | null;
  text: string;
  tier_id: string | null;
  type: string;
}

export interface CallEvents {
  at: Timestamp;
  by_side: string | null;
  call_id: string;
  connected_ms: number;
  event: string;
  seq: Generated<number>;
  transaction_id: string | null;
}

export interface CallHeartbeats {
  call_id: string;
  is_watched: boolean;
  last_seen_at: Timestamp;
  side: string;
}

export interface Calls {
  answered_at: Timestamp | null;
  callback_requested_at: Timestamp | null;
  charged_cents: Generated<number>;
  connected_ms: Generated<number>;
  created_at: Timestamp;
  creator_device: string | null;
  creator_id: string;
  ended_at: Timestamp | null;
  fan_device: string;
  fan_id: string;
  held_cents: Generated<number>;
  hold_id: string | null;
  id: string;
  interrupted_at: Timestamp | null;
  is_creator_connected: Generated<boolean>;
  is_fan_connected: Generated<boolean>;
  is_screened: Generated<boolean>;
  kind: string;
  net_cents: Generated<number>;
  next_due_at: Timestamp | null;
  operation_id: string;
  rate_cents: number;
  reason: string | null;
  running_since: Timestamp | null;
  seen_at: Timestamp | null;
  started_at: Timestamp | null;
  status: string;
  stop_reason: string | null;
  stopped_by: string | null;
  transaction_id: string | null;
  warned_seconds: number | null;
}

export interface CallSettings {
  audio_rate_cents: number | null;
  caller_rule: Generated<string>;
  caller_tier_id: string | null;
  creator_id: string;
  hours: Generated<unknown>;
  is_available: Generated<boolean>;
  min_minutes: Generated<number>;
  time_zone: Generated<string>;
  updated_at: Generated<Timestamp>;
  video_rate_cents: number | null;
}

export interface CannedResponses {
  at: Timestamp;
  body: string;
  id: string;
  title: string;
}

export interface CardSubscriptionOrders {
  created_at: Timestamp;
  creator_id: string;
  fan_id: string;
  id: string;
  price_cents: number;
  recurrence: string;
  recurrence_count: number;
  tier_id: string;
  time_zone: string;
}

export interface CaseDecisions {
  action: string;
  at: Timestamp;
  case_id: string;
  id: string;
  operator_id: string | null;
  reason: string;
  subject: string | null;
  subject_id: string | null;
  title: Generated<string>;
  undo: Generated<unknown>;
  undo_reason: string | null;
  undone_at: Timestamp | null;
  undone_by: string | null;
  until: Timestamp | null;
  user_id: string | null;
}

export interface CaseEntries {
  at: Timestamp;
  body: string;
  by_id: string | null;
  case_id: string;
  id: string;
  kind: string;
  member_id: string | null;
}

export interface CasePictures {
  entry_id: string | null;
  file_key: string;
  height: number;
  id: string;
  owner_id: string;
  position: Generated<number>;
  uploaded_at: Timestamp;
  width: number;
}

export interface CaseProfileSnapshots {
  at: Timestamp;
  case_id: string;
  id: string;
  snapshot: unknown;
}

export interface Cases {
  assigned_to: string | null;
  changed_at: Timestamp;
  closed_at: Timestamp | null;
  content_address: Generated<string>;
  decision_id: string | null;
  due_at: Timestamp;
  from_email: Generated<string>;
  from_id: string | null;
  from_name: Generated<string>;
  id: string;
  is_sender_unverified: Generated<boolean>;
  kind: string;
  opened_at: Timestamp;
  outcome: string | null;
  queue: string;
  reference: string;
  report_count: Generated<number>;
  snapshot: Generated<unknown>;
  state: Generated<string>;
  subject: string | null;
  subject_id: string | null;
  title: string;
  user_id: string | null;
}

export interface ChatAttachments {
  file_id: string | null;
  holder_id: string;
  media_id: string | null;
  position: number;
}

export interface ChatFiles {
  byte_size: number;
  content_type: string;
  created_at: Timestamp;
  duration_seconds: number | null;
  file_name: string;
  id: string;
  kind: string;
  owner_id: string;
  taken_down_at: Timestamp | null;
  waveform: Generated<number[]>;
}

export interface ChatPurchases {
  creator_id: string;
  fan_id: string;
  hidden_at: Timestamp | null;
  message_id: string;
  net_cents: number;
  price_cents: number;
  purchased_at: Timestamp;
  revoked_at: Timestamp | null;
  transaction_id: string;
  type: string;
}

export interface CompanyDetails {
  address: Generated<string>;
  company: Generated<string>;
  contact_mail: Generated<string>;
  country: Generated<string>;
  custodian: Generated<string>;
  custodian_address: Generated<string>;
  custodian_hours: Generated<string>;
  dmca_address: Generated<string>;
  dmca_agent: Generated<string>;
  dmca_mail: Generated<string>;
  dmca_phone: Generated<string>;
  id: Generated<boolean>;
}

export interface Conversations {
  broadcast_seq: Generated<number>;
  created_at: Timestamp;
  creator_cleared_seq: Generated<number>;
  creator_delivered_seq: Generated<number>;
  creator_id: string;
  creator_listed_at: Timestamp | null;
  creator_note: Generated<string>;
  creator_read_seq: Generated<number>;
  creator_unread: Generated<number>;
  declined_at: Timestamp | null;
  fan_cleared_seq: Generated<number>;
  fan_delivered_seq: Generated<number>;
  fan_id: string;
  fan_listed_at: Timestamp | null;
  fan_note: Generated<string>;
  fan_read_seq: Generated<number>;
  fan_unread: Generated<number>;
  id: string;
  is_blocked_by_creator: Generated<boolean>;
  is_blocked_by_fan: Generated<boolean>;
  is_muted_by_creator: Generated<boolean>;
  is_muted_by_fan: Generated<boolean>;
  last_seq: Generated<number>;
  requested_at: Timestamp | null;
  revision: Generated<number>;
  state: string;
}

export interface CopyrightCounterNotices {
  address: string;
  at: Timestamp;
  case_id: string;
  name: string;
  notice_case_id: string;
  restore_from: Timestamp;
  signature: string;
  telephone: string;
  user_id: string;
}

export interface CopyrightNotices {
  address: string;
  at: Timestamp;
  case_id: string;
  email: string;
  name: string;
  notice_id: string;
  signature: string;
  telephone: string;
}

export interface CreatorOnlineNotifications {
  creator_id: string;
  event_id: string;
  notified_at: Timestamp;
}

export interface Creators {
  bio: Generated<string>;
  /**
   * the price a minute by the button that calls, while calls are taken
   */
  call_rate_cents: number | null;
  category: string | null;
  chat_rule: Generated<string>;
  chat_tier_id: string | null;
  city: Generated<string>;
  cover_focus_x: Generated<number>;
  cover_focus_y: Generated<number>;
  cover_height: number | null;
  cover_key: string | null;
  cover_thumbhash: string | null;
  cover_width: number | null;
  craft: Generated<string>;
  created_at: Generated<Timestamp>;
  custom_links: Generated<unknown>;
  follower_count: Generated<number>;
  format: Generated<string>;
  has_trial: Generated<boolean>;
  is_listed: Generated<boolean>;
  is_verified: Generated<boolean>;
  last_post_at: Timestamp | null;
  layout: Generated<string>;
  links: Generated<unknown>;
  media_count: Generated<number>;
  post_count: Generated<number>;
  search_text: Generated<string>;
  shape: Generated<string>;
  subscription_cents: number | null;
  user_id: string;
  verified_name: string | null;
  view_count: Generated<number>;
}

export interface CreatorSearchTerms {
  creator_id: string;
  rank: number;
  term: string;
}

export interface CreatorThemes {
  creator_id: string;
  draft: unknown | null;
  published: unknown | null;
  revision: number;
}

export interface DataExports {
  byte_size: number | null;
  expires_at: Timestamp | null;
  failed_at: Timestamp | null;
  id: string;
  ready_at: Timestamp | null;
  requested_at: Timestamp;
  unlocked_by: string | null;
  unlocked_until: Timestamp | null;
  user_id: string;
}

export interface DebtDecisions {
  actor_id: string | null;
  amount_cents: number;
  decided_at: Timestamp;
  decision: string;
  fan_id: string;
  id: Generated<string>;
  reason: string;
  xid: Generated<number>;
}

export interface DeletedMedia {
  deleted_at: Timestamp;
  id: string;
  medium: unknown;
  owner_id: string;
}

export interface Deposits {
  amount_cents: number;
  card_brand: string | null;
  card_last4: string | null;
  created_at: Timestamp;
  credits: number | null;
  currency_code: Generated<string>;
  debt_paid_cents: Generated<number>;
  expires_at: Timestamp;
  fan_id: string;
  fee_cents: number;
  id: Generated<string>;
  is_unused: Generated<boolean>;
  order_id: string;
  paid_at: Timestamp | null;
  payable_cents: number;
  processor_subscription_id: string | null;
  processor_transaction_id: string | null;
  provider: string;
  reason: string | null;
  recurring_payment_id: string | null;
  return_path: string | null;
  reversed_cents: Generated<number>;
  reversed_payable_cents: Generated<number>;
  status: Generated<string>;
  transaction_id: string | null;
  updated_at: Timestamp;
  xid: Generated<number>;
}

export interface DevelopmentMail {
  body: string;
  created_at: Generated<Timestamp>;
  id: Generated<string>;
  recipient: string;
  subject: string;
}

export interface DraftMedia {
  alt: Generated<string>;
  draft_id: string;
  media_id: string;
  position: number;
}

export interface Drafts {
  caption: Generated<string>;
  created_at: Generated<Timestamp>;
  creator_id: string;
  details: Generated<unknown>;
  failure: string | null;
  id: string;
  people: Generated<ArrayType<string>>;
  price_cents: Generated<number>;
  scheduled_at: Timestamp | null;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
}

export interface EmbedSettings {
  allowed: string;
  creator_id: string;
  origins: Generated<string[]>;
}

export interface EntitlementGrants {
  created_at: Timestamp;
  fan_id: string;
  granted_by: string;
  revoked_at: Timestamp | null;
  source: string;
  subject_id: string;
  until: Timestamp | null;
}

export interface ErrorStats {
  code: string;
  count: number;
  hour: Timestamp;
  last_at: Timestamp;
  refs: string[];
  route: string;
}

export interface EventJobs {
  attempts: Generated<number>;
  created_at: Timestamp;
  event_id: string;
  failure: string | null;
  handler: string;
  id: Generated<number>;
  not_before: Generated<Timestamp>;
  payload: unknown;
  queue: string;
  step: string | null;
  subject: string;
}

export interface EvidenceViews {
  item_id: string;
  operator_id: string;
  until: Timestamp;
}

export interface FanCreatorRelations {
  active_at: Timestamp | null;
  bought_at: Timestamp | null;
  creator_id: string;
  fan_id: string;
  since: Timestamp;
}

export interface FanOutOnReadCreators {
  creator_id: string;
  since: Generated<Timestamp>;
}

export interface Follows {
  created_at: Generated<Timestamp>;
  creator_id: string;
  fan_id: string;
  is_fan_out_on_read: Generated<boolean>;
  is_timeline_filled: Generated<boolean>;
}

export interface GeoBlockHits {
  code: string;
  count: number;
  creator_id: string;
  day: Timestamp;
}

export interface GeoBlocks {
  code: string;
  creator_id: string;
}

export interface IdempotencyKeys {
  actor_id: string;
  created_at: Generated<Timestamp>;
  operation_id: string;
  request_hash: Buffer;
  subject_id: string | null;
}

export interface KillSwitches {
  changed_at: Timestamp;
  is_disabled: boolean;
  message: string;
  name: string;
}

export interface KnownDevices {
  seen_at: Timestamp;
  token_hash: Buffer;
  user_id: string;
}

export interface LedgerAccounts {
  balance_cents: Generated<number>;
  code: string;
  created_at: Generated<Timestamp>;
  currency: Generated<string>;
  day_limit_cents: number | null;
  id: Generated<number>;
  is_frozen: Generated<boolean>;
  is_frozen_for_debt: Generated<boolean>;
  kind: string;
  last_line_at: Timestamp | null;
  lines: Generated<number>;
  max_late_ms: Generated<number>;
  month_spent_cents: Generated<number>;
  own_day_limit_cents: number | null;
  own_month_limit_cents: number | null;
  own_week_limit_cents: number | null;
  owner_id: string | null;
  paused_until: Timestamp | null;
  spendable: boolean;
  spent_cents: Generated<number>;
  spent_day: Timestamp | null;
  week_spent_cents: Generated<number>;
}

export interface LedgerClearings {
  account_id: number;
  amount_cents: number;
  clearing_id: string;
  transaction_id: string;
}

export interface LedgerDailyTotals {
  account_id: number;
  amount_cents: number;
  day: Timestamp;
  items: number;
  platform_cents: Generated<number>;
  tag: string;
}

export interface LedgerEntries {
  account_id: number | null;
  amount_cents: number | null;
  kind: string | null;
  leg: number | null;
  occurred_at: Timestamp | null;
  side: string | null;
  transaction_id: string | null;
  xid: number | null;
}

export interface LedgerExternalRefs {
  event_key: string;
  provider: string;
  ref: string | null;
  transaction_id: string;
}

export interface LedgerHolds {
  amount_cents: number;
  captured_cents: Generated<number>;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  fan_id: string;
  id: string;
  purpose: string;
  resolved_at: Timestamp | null;
  spent_cents: Generated<number>;
  spent_day: Timestamp;
  state: Generated<string>;
}

export interface LedgerInflows {
  account_id: number;
  amount_cents: number;
  day: Timestamp;
  due_at: Timestamp | null;
  items: number;
  platform_account_id: number | null;
  platform_cents: number | null;
  tag: string;
  transaction_id: string | null;
}

export interface LedgerKinds {
  can_debit_frozen: Generated<boolean>;
  credits: string[];
  debits: string[];
  fee_account: string | null;
  fee_account_id: number | null;
  is_once: Generated<boolean>;
  kind: string;
  statement_type: string;
  title: string;
}

export interface LedgerLimitIncreases {
  cents: number | null;
  effective_at: Timestamp;
  period: string;
  wallet_id: number;
}

export interface LedgerLines {
  account_id: number;
  amount_cents: number;
  balance_cents: number;
  kind: string;
  line: number;
  transaction_id: string;
}

export interface LedgerPendingClearings {
  account_id: number;
  amount_cents: number;
  due_at: Timestamp;
  transaction_id: string;
}

export interface LedgerPeriodTotals {
  account_id: number;
  amount_cents: number;
  first: Timestamp;
  items: number;
  platform_cents: number;
  span: string;
  tag: string;
}

export interface LedgerReversals {
  reverses_id: string;
  transaction_id: string;
}

export interface LedgerTransactions {
  account_ids: ArrayType<number>;
  actor_id: string | null;
  amounts: ArrayType<number>;
  id: string;
  kind: string;
  metadata: unknown | null;
  occurred_at: Timestamp;
  operation_id: string | null;
  request_hash: Buffer | null;
  xid: Generated<number>;
}

export interface LedgerVerifiedBalances {
  account_id: number;
  cents: number;
}

export interface LoginAttempts {
  count: number;
  subject: Buffer;
  window_ends_at: Timestamp;
}

export interface MailTokens {
  created_at: Generated<Timestamp>;
  email: string;
  expires_at: Timestamp;
  next_path: string | null;
  purpose: string;
  token_hash: Buffer;
  used_at: Timestamp | null;
  user_id: string;
}

export interface Media {
  avif_serial: Generated<number>;
  avif_widths: Generated<number[]>;
  byte_size: number;
  captions: Generated<unknown>;
  content_hash: Buffer | null;
  content_type: string | null;
  created_at: Generated<Timestamp>;
  duration_seconds: number | null;
  failure: string | null;
  file_name: Generated<string>;
  finished_at: Timestamp | null;
  height: number | null;
  id: string;
  is_in_set: Generated<boolean>;
  is_public: Generated<boolean>;
  jpeg_width: number | null;
  kind: Generated<string>;
  metadata: Generated<string>;
  owner_id: string;
  picture_serial: Generated<number>;
  poster_second: number | null;
  preview_height: number | null;
  preview_thumbhash: string | null;
  price_cents: Generated<number>;
  progress: Generated<number>;
  search_text: Generated<string>;
  serial: Generated<number>;
  source: unknown | null;
  stage: Generated<string>;
  status: string;
  stream: unknown | null;
  tags: Generated<string[]>;
  taken_down_at: Timestamp | null;
  teaser_end: number | null;
  teaser_seconds: number | null;
  teaser_serial: Generated<number>;
  teaser_start: number | null;
  thumbhash: string | null;
  title: Generated<string>;
  used_at: Timestamp | null;
  webp_widths: Generated<number[]>;
  width: number | null;
}

export interface MediaAudits {
  bytes: number;
  files: number;
  finished_at: Timestamp;
  id: Generated<number>;
  media: number;
  missing: number;
  orphans: number;
  removed: number;
  started_at: Timestamp;
}

export interface MediaCounts {
  counts: Generated<unknown>;
  owner_id: string;
}

export interface MediaFindings {
  audited_at: Timestamp;
  key: string;
  kind: string;
  seen_at: Timestamp;
}

export interface MediaPositions {
  media_id: string;
  seconds: number;
  updated_at: Generated<Timestamp>;
  user_id: string;
}

export interface MediaSettings {
  is_watermarked: Generated<boolean>;
  owner_id: string;
}

export interface Messages {
  author_id: string | null;
  broadcast_id: string | null;
  client_id: string;
  conversation_id: string;
  created_at: Timestamp;
  details: unknown | null;
  id: string;
  is_from_creator: boolean;
  is_hidden_from_creator: Generated<boolean>;
  is_hidden_from_fan: Generated<boolean>;
  is_view_once: Generated<boolean>;
  price_cents: Generated<number>;
  purchased_at: Timestamp | null;
  removed_at: Timestamp | null;
  revision: Generated<number>;
  sender_id: string;
  seq: number;
  taken_down_at: Timestamp | null;
  text: Generated<string>;
  type: string;
  unsent_at: Timestamp | null;
  viewable_until: Timestamp | null;
  viewed_at: Timestamp | null;
}

export interface MutedCreators {
  creator_id: string;
  fan_id: string;
}

export interface NameReviews {
  creator_id: string;
  decided_at: Timestamp | null;
  decision: string | null;
  id: string;
  name: string;
  reason: Generated<string>;
  requested_at: Timestamp;
  verified_name: string;
}

export interface NotificationDigests {
  sent_at: Timestamp;
  user_id: string;
}

export interface NotificationPreferences {
  email: boolean;
  in_app: boolean;
  key: string;
  push: boolean;
  user_id: string;
}

export interface Notifications {
  by_id: string | null;
  cents: number | null;
  digested_at: Timestamp | null;
  id: string;
  is_listed: Generated<boolean>;
  kind: string;
  note: Generated<string>;
  read_at: Timestamp | null;
  subject_id: string | null;
  user_id: string;
}

export interface OgImages {
  creator_id: string;
  kind: string;
  made_at: Timestamp;
  subject_id: string;
  version: string;
}

export interface Outbox {
  attempts: Generated<number>;
  created_at: Generated<Timestamp>;
  done: string[] | null;
  event_id: Generated<string>;
  failure: string | null;
  id: Generated<number>;
  not_before: Generated<Timestamp>;
  payload: unknown;
  type: string;
}

export interface OwnedPurchases {
  fan_id: string;
  sale_id: string;
  subject_id: string;
}

export interface PayoutApprovals {
  at: Timestamp;
  operator_id: string;
  payout_id: string;
}

export interface PayoutBatches {
  created_at: Timestamp;
  created_by: string;
  detail: string | null;
  encrypted_file: Buffer | null;
  file_name: string | null;
  id: string;
  item_count: number;
  net_cents: number;
  provider_ref: string | null;
  rail: string;
  state: string;
  tried_at: Timestamp | null;
  unanswered_count: Generated<number>;
}

export interface PayoutEvents {
  at: Timestamp;
  by_id: string | null;
  event: string;
  payout_id: string;
  reason: Generated<string>;
  seq: Generated<number>;
  transaction_id: string | null;
}

export interface PayoutFailureClaims {
  at: Timestamp;
  has_arrived: boolean;
  id: string;
  operator_id: string;
  payout_id: string;
  reason: string;
  sent_transaction_id: string;
  step: string;
}

export interface PayoutMethods {
  created_at: Timestamp;
  encrypted_details: Buffer;
  id: string;
  invalid_at: Timestamp | null;
  invalid_code: string | null;
  kind: string;
  label: string;
  network: string | null;
  rail: string;
  removed_at: Timestamp | null;
  usable_at: Timestamp;
  user_id: string;
}

export interface Payouts {
  amount_cents: number;
  approvals_needed: Generated<number>;
  batch_id: string | null;
  created_at: Timestamp;
  fee_cents: number;
  id: string;
  is_automatic: Generated<boolean>;
  method_id: string;
  number: Generated<number>;
  paid_transaction_id: string | null;
  reason: string | null;
  reference: string | null;
  refused_batch_id: string | null;
  sent_transaction_id: string | null;
  source: string;
  status: string;
  transaction_id: string;
  transfer: string | null;
  updated_at: Timestamp;
  user_id: string;
  xid: Generated<number>;
}

export interface PayoutSchedules {
  checked_on: Timestamp;
  method_id: string;
  recurrence: string | null;
  refusal_reason: string | null;
  refused_on: Timestamp | null;
  since: Timestamp;
  source: string;
  threshold_cents: number | null;
  user_id: string;
}

export interface PayoutSettings {
  cooling_hours: Generated<number>;
  crypto_minimum_cents: Generated<number>;
  id: Generated<boolean>;
  minimum_cents: Generated<number>;
  referrals_fee_basis_points: Generated<number>;
  referrals_minimum_cents: Generated<number>;
  second_approver_cents: Generated<number>;
}

export interface PayoutWebhookDecisions {
  actor_id: string;
  decided_at: Timestamp;
  decision: string;
  id: Generated<string>;
  reason: string;
  webhook_id: string;
}

export interface PayoutWebhooks {
  batch_ref: string | null;
  event_type: string;
  id: string;
  item_ref: string | null;
  payout_ref: string | null;
  reason: string | null;
  received_at: Timestamp;
  received_count: Generated<number>;
  state: string;
}

export interface PolicyAgreements {
  agreed_at: Timestamp;
  policy: string;
  source: string;
  text_hash: string | null;
  user_id: string;
  version: Timestamp;
}

export interface PolicyNoticeRuns {
  done_at: Timestamp | null;
  last_id: Generated<string>;
  notified_count: Generated<number>;
  policy: string;
  started_at: Timestamp;
  version: Timestamp;
}

export interface PolicyTexts {
  agreed_since: Timestamp;
  hash: string;
  policy: string;
  sections: unknown;
  version: Timestamp;
}

export interface PostLikes {
  created_at: Generated<Timestamp>;
  post_id: string;
  user_id: string;
}

export interface PostMedia {
  alt: Generated<string>;
  media_id: string;
  position: number;
  post_id: string;
}

export interface PostPeople {
  left_at: Timestamp | null;
  position: number;
  post_id: string;
  user_id: string;
}

export interface PostPurchases {
  fan_id: string;
  hidden_at: Timestamp | null;
  net_cents: number;
  post_id: string;
  price_cents: number;
  purchased_at: Generated<Timestamp>;
  revoked_at: Timestamp | null;
  transaction_id: string;
}

export interface Posts {
  caption: Generated<string>;
  container_id: string | null;
  created_at: Generated<Timestamp>;
  creator_id: string;
  deleted_at: Timestamp | null;
  details: Generated<unknown>;
  edited_at: Timestamp | null;
  files_revision: Generated<number>;
  has_people: Generated<boolean>;
  hidden_at: Timestamp | null;
  id: Generated<string>;
  in_timelines: Generated<boolean>;
  is_taken_down: Generated<boolean>;
  like_count: Generated<number>;
  media_count: number;
  media_metadata: string;
  pin_place: number | null;
  price_cents: Generated<number>;
  removed_at: Timestamp | null;
  type: string;
}

export interface Processes {
  clock_offset_ms: number | null;
  id: string;
  memory_bytes: number;
  role: string;
  seen_at: Timestamp;
  started_at: Timestamp;
  version: string;
}

export interface ProcessorExportDays {
  changed_at: Timestamp;
  day: Timestamp;
  provider: string;
  requested_at: Timestamp;
}

export interface ProcessorExports {
  amount_cents: number | null;
  day: Timestamp;
  line: number;
  provider: string;
  subscription_id: string | null;
  type: string | null;
}

export interface ProcessorPauses {
  paused_until: Timestamp | null;
  provider: string;
  reason: string;
}

export interface ProcessorSettlements {
  at: Timestamp;
  bank_cents: number;
  chargeback_fee_cents: number;
  day: Timestamp;
  fee_cents: number;
  id: string;
  operator_id: string;
  provider: string;
  reference: string;
  reversal_reason: string | null;
  reversal_transaction_id: string | null;
  reversed_at: Timestamp | null;
  reversed_by: string | null;
  transaction_id: string;
  xid: Generated<number>;
}

export interface ProcessorWebhookDecisions {
  actor_id: string | null;
  decided_at: Timestamp;
  decision: string;
  detail: string | null;
  id: Generated<string>;
  outcome: string | null;
  reason: string;
  requested_at: Timestamp | null;
  webhook_id: string;
  xid: Generated<number>;
}

export interface ProcessorWebhooks {
  body_hash: Buffer;
  confirmed_at: Timestamp | null;
  content_type: string;
  deposit_id: string | null;
  event_type: string | null;
  fields: unknown;
  id: Generated<string>;
  is_conflicting: Generated<boolean>;
  peer: string;
  processed_at: Timestamp | null;
  processor_subscription_id: string | null;
  processor_transaction_id: string | null;
  provider: string;
  query: unknown;
  raw: string | null;
  reason: string | null;
  received_at: Timestamp;
  received_count: Generated<number>;
  reported_at: Generated<string>;
  state: string;
  xid: Generated<number>;
}

export interface ProfileViews {
  creator_id: string;
  day: Timestamp;
  viewer: Buffer;
}

export interface PushDeliveries {
  attempts: Generated<number>;
  by_id: string | null;
  cents: number | null;
  created_at: Timestamp;
  device_id: string;
  event_id: string;
  kind: string;
  not_before: Timestamp;
  note: Generated<string>;
  outcome: string | null;
  rank: number;
  started_at: Timestamp | null;
  subject_id: string | null;
  tag: string;
  user_id: string;
}

export interface PushDevices {
  auth: string | null;
  endpoint: string;
  id: string;
  last_notified_at: Timestamp | null;
  p256dh: string | null;
  session_id: string;
  subscribed_at: Timestamp;
  user_id: string;
}

export interface PushServiceErrors {
  kind: string;
  last_at: Timestamp;
  pushes: number;
  service: string;
  since: Timestamp;
  status: number | null;
}

export interface PushSettings {
  is_discreet: boolean;
  pushes_per_hour: number;
  quiet_from: string | null;
  quiet_until: string | null;
  time_zone: string;
  user_id: string;
}

export interface ReconciliationDifferences {
  comparison: string;
  details: unknown;
  explained_at: Timestamp | null;
  id: Generated<string>;
  key: string;
  kind: string;
  occurred_at: Timestamp | null;
  opened_at: Timestamp;
  ours_cents: number | null;
  resolved_at: Timestamp | null;
  seen_at: Timestamp;
  theirs_cents: number | null;
}

export interface ReconciliationExplanations {
  actor_id: string | null;
  difference_id: string;
  explained_at: Timestamp;
  id: Generated<string>;
  reason: string;
  xid: Generated<number>;
}

export interface ReconciliationRuns {
  checked_count: number;
  comparison: string;
  day: Timestamp;
  detail: string | null;
  ended_at: Timestamp;
  id: Generated<string>;
  is_full: boolean;
  outcome: string;
  started_at: Timestamp;
  system_identifier: string | null;
  tries: Generated<number>;
  watermark: number | null;
}

export interface RecoveryCodes {
  code_hash: Buffer;
  used_at: Timestamp | null;
  user_id: string;
}

export interface RecurringPayments {
  amount_cents: number;
  cancel_attempted_at: Timestamp | null;
  cancel_attempts: Generated<number>;
  cancel_problem: string | null;
  cancel_requested_at: Timestamp | null;
  canceled_at: Timestamp | null;
  confirmed_renewals: Generated<number>;
  created_at: Timestamp;
  currency_code: Generated<string>;
  date_changed_at: Timestamp | null;
  fan_id: string;
  fee_cents: number;
  id: string;
  last_charged_at: Timestamp | null;
  payable_cents: number;
  period_days: number;
  processor_subscription_id: string | null;
  provider: string;
  status_changed_at: Timestamp | null;
}

export interface Referrals {
  affiliate_id: string;
  approved_at: Timestamp | null;
  ends_at: Timestamp | null;
  invited_at: Timestamp;
  referred_id: string;
  referred_type: string;
  status: Generated<string>;
}

export interface RelayLease {
  holder: string | null;
  id: Generated<boolean>;
  until: Generated<Timestamp>;
}

export interface RemovedPushDevices {
  endpoint_hash: Buffer;
  removed_at: Timestamp;
  user_id: string;
}

export interface RenewalPauses {
  ended_at: Timestamp | null;
  is_waived: Generated<boolean>;
  started_at: Timestamp;
}

export interface ReservedUsernames {
  name_hash: Buffer;
  until: Timestamp;
}

export interface Sales {
  clears_at: Timestamp;
  created_at: Timestamp;
  creator_id: string;
  fan_id: string;
  fee_basis_points: number;
  fee_cents: number;
  gross_cents: number;
  id: string;
  kind: string;
  net_cents: Generated<number | null>;
  note: string;
  refunded_at: Timestamp | null;
  reversed_cents: Generated<number>;
  reversed_fee_cents: Generated<number>;
  subject_id: string | null;
  tip_type: string | null;
}

export interface SalesAffiliates {
  affiliate_id: string;
  basis_points: number;
  ended_at: Timestamp | null;
  from_at: Timestamp;
  pending_account_id: number;
  until_at: Timestamp;
  user_id: string;
}

export interface SalesCommissions {
  affiliate_id: string;
  basis_points: number;
  cents: number;
  clears_at: Timestamp;
  created_at: Timestamp;
  fan_id: string;
  id: string;
  referred_id: string;
  reversed_cents: Generated<number>;
  sale_id: string;
  side: Generated<string>;
  unpaid_cents: Generated<number>;
}

export interface SalesFees {
  creator_id: string;
  general_basis_points: number | null;
  offer_basis_points: number | null;
  offer_from: Timestamp | null;
  offer_until: Timestamp | null;
  pending_account_id: number;
  signed_up_at: Timestamp;
}

export interface SalesHoldFees {
  creator_id: string;
  fee_basis_points: number;
  hold_id: string;
}

export interface SalesPriceLimits {
  kind: string;
  max_cents: number;
  min_cents: number;
}

export interface SalesSettings {
  clearing_days: Generated<number>;
  daily_limit_cents: Generated<number>;
  general_basis_points: Generated<number>;
  id: Generated<boolean>;
  longest_clearing_days: Generated<number>;
  offer_basis_points: Generated<number>;
  offer_days: Generated<number>;
  was_clearing_shortened: Generated<boolean>;
}

export interface SearchTerms {
  best_rank: number;
  deletion_variants: string[];
  term: string;
}

export interface SearchTermSuffixes {
  suffix: string;
  term: string;
}

export interface SecurityLog {
  at: Timestamp;
  count: Generated<number>;
  detail: Generated<string>;
  id: Generated<number>;
  kind: string;
  network: string | null;
  session_id: string | null;
  user_id: string | null;
}

export interface Sessions {
  created_at: Generated<Timestamp>;
  device: string;
  display_mode: string;
  expires_at: Timestamp;
  id: Generated<string>;
  last_seen_at: Generated<Timestamp>;
  on_behalf_of_id: string | null;
  step_up_at: Timestamp | null;
  token_hash: Buffer;
  user_id: string;
}

export interface Settings {
  key: string;
  updated_at: Generated<Timestamp>;
  value: unknown;
}

export interface SubscriptionOffers {
  audience: string;
  closed_at: Timestamp | null;
  code: string;
  created_at: Timestamp;
  creator_id: string;
  ends_at: Timestamp;
  id: string;
  max_uses: number | null;
  percent_off: number;
  periods: number;
  tier_id: string | null;
  use_count: Generated<number>;
}

export interface SubscriptionPeriods {
  charged_at: Timestamp;
  deposit_id: string | null;
  ends_at: Timestamp;
  id: string;
  number: number;
  opened_at: Timestamp | null;
  price_cents: number;
  refunded_cents: Generated<number>;
  sale_id: string;
  starts_at: Timestamp;
  subscription_id: string;
}

export interface Subscriptions {
  agreed_price_cents: number | null;
  agreed_price_from: Timestamp | null;
  anchor_at: Timestamp;
  anchor_period: Generated<number>;
  canceled_at: Timestamp | null;
  creator_id: string;
  discount_percent: number | null;
  discount_periods_left: number | null;
  due_at: Timestamp | null;
  end_reason: string | null;
  ended_at: Timestamp | null;
  failed_at: Timestamp | null;
  failed_attempts: Generated<number>;
  fan_id: string;
  id: string;
  is_renewing: boolean;
  joined_at: Timestamp;
  new_price_cents: number | null;
  new_price_from: Timestamp | null;
  next_charge_at: Timestamp | null;
  offer_id: string | null;
  paid_until: Timestamp | null;
  payer_id: string | null;
  payment_source: Generated<string>;
  period_number: number;
  price_cents: number;
  recurrence: string;
  recurrence_count: number;
  recurring_payment_id: string | null;
  reminded_period: number | null;
  started_at: Timestamp;
  tier_id: string;
  time_zone: string;
}

export interface SubscriptionSettings {
  id: Generated<boolean>;
  refund_hours: Generated<number>;
  retry_hours: Generated<number[]>;
  trial_days_max: Generated<number>;
}

export interface SubscriptionTiers {
  benefits: Generated<string[]>;
  bundles: Generated<unknown>;
  created_at: Timestamp;
  creator_id: string;
  deleted_at: Timestamp | null;
  id: string;
  is_open: Generated<boolean>;
  monthly_cents: number | null;
  name: string;
  position: number | null;
  slots: number | null;
  subscriber_count: Generated<number>;
  trial_days: number | null;
  weekly_cents: number | null;
  welcome_message: Generated<string>;
  yearly_cents: number | null;
}

export interface TeamActions {
  action: string;
  at: Timestamp;
  creator_id: string;
  id: string;
  member_id: string;
  refused_action_id: string | null;
  subject: string;
}

export interface TeamInvitations {
  created_at: Timestamp;
  creator_id: string;
  email: string | null;
  expires_at: Timestamp;
  id: string;
  rights: string[];
  user_id: string | null;
}

export interface TeamMembers {
  creator_id: string;
  member_id: string;
  rights: string[];
  since: Timestamp;
}

export interface Timelines {
  creator_id: string;
  fan_id: string;
  post_id: string;
  type: string;
}

export interface TipGoals {
  closed_at: Timestamp | null;
  creator_id: string;
  ends_at: Timestamp | null;
  id: string;
  started_at: Timestamp;
  target_cents: number;
  title: string;
}

export interface TransparencyCheckpoints {
  checked_at: Timestamp | null;
  made_at: Timestamp;
  note: string;
  size: number;
  stored_at: Timestamp | null;
  system_identifier: string;
  watermark: number;
}

export interface TransparencyLeaves {
  hash: Buffer;
  position: number;
  row_id: string;
  salt: Buffer;
  type: string;
}

export interface TransparencyTiles {
  hashes: Buffer;
  index: number;
  level: number;
}

export interface Users {
  avatar_key: string | null;
  avatar_thumbhash: string | null;
  blocked_message: Generated<string>;
  blocked_until: Timestamp | null;
  break_until: Timestamp | null;
  consented_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  email: string;
  email_verified_at: Timestamp | null;
  id: Generated<string>;
  is_blocked: Generated<boolean>;
  is_deletion_held: Generated<boolean>;
  is_deletion_pending: Generated<boolean>;
  is_erasing: Generated<boolean>;
  last_seen_at: Timestamp | null;
  name: string;
  operator_roles: Generated<string[]>;
  password_hash: string;
  referral_code: string | null;
  restrictions: unknown | null;
  search_name: Generated<string>;
  two_factor_enabled_at: Timestamp | null;
  two_factor_last_step: number | null;
  two_factor_secret: Buffer | null;
  type: string;
  username: string;
}

export interface VerificationDocuments {
  creator_id: string;
  file_key: string | null;
  kind: string;
  reason: string | null;
  state: Generated<string>;
  taken_at: Timestamp;
}

export interface Verifications {
  agreement_version: string | null;
  answer_by: Timestamp | null;
  creator_id: string;
  decided_at: Timestamp | null;
  decided_by: string | null;
  details: Buffer | null;
  document_type: string | null;
  signature: Buffer | null;
  signed_at: Timestamp | null;
  status: Generated<string>;
  submitted_at: Timestamp | null;
}

export interface DB {
  account_deletions: AccountDeletions;
  account_fingerprints: AccountFingerprints;
  affiliate_claims: AffiliateClaims;
  affiliate_codes: AffiliateCodes;
  affiliate_settings: AffiliateSettings;
  announcements: Announcements;
  approval_requests: ApprovalRequests;
  audit_log: AuditLog;
  blocks: Blocks;
  broadcast_counts: BroadcastCounts;
  broadcast_cursors: BroadcastCursors;
  broadcast_recipients: BroadcastRecipients;
  broadcasters: Broadcasters;
  broadcasts: Broadcasts;
  call_events: CallEvents;
  call_heartbeats: CallHeartbeats;
  call_settings: CallSettings;
  calls: Calls;
  canned_responses: CannedResponses;
  card_subscription_orders: CardSubscriptionOrders;
  case_decisions: CaseDecisions;
  case_entries: CaseEntries;
  case_pictures: CasePictures;
  case_profile_snapshots: CaseProfileSnapshots;
  cases: Cases;
  chat_attachments: ChatAttachments;
  chat_files: ChatFiles;
  chat_purchases: ChatPurchases;
  company_details: CompanyDetails;
  conversations: Conversations;
  copyright_counter_notices: CopyrightCounterNotices;
  copyright_notices: CopyrightNotices;
  creator_online_notifications: CreatorOnlineNotifications;
  creator_search_terms: CreatorSearchTerms;
  creator_themes: CreatorThemes;
  creators: Creators;
  data_exports: DataExports;
  debt_decisions: DebtDecisions;
  deleted_media: DeletedMedia;
  deposits: Deposits;
  development_mail: DevelopmentMail;
  draft_media: DraftMedia;
  drafts: Drafts;
  embed_settings: EmbedSettings;
  entitlement_grants: EntitlementGrants;
  error_stats: ErrorStats;
  event_jobs: EventJobs;
  evidence_views: EvidenceViews;
  fan_creator_relations: FanCreatorRelations;
  fan_out_on_read_creators: FanOutOnReadCreators;
  follows: Follows;
  geo_block_hits: GeoBlockHits;
  geo_blocks: GeoBlocks;
  idempotency_keys: IdempotencyKeys;
  kill_switches: KillSwitches;
  known_devices: KnownDevices;
  ledger_accounts: LedgerAccounts;
  ledger_clearings: LedgerClearings;
  ledger_daily_totals: LedgerDailyTotals;
  ledger_entries: LedgerEntries;
  ledger_external_refs: LedgerExternalRefs;
  ledger_holds: LedgerHolds;
  ledger_inflows: LedgerInflows;
  ledger_kinds: LedgerKinds;
  ledger_limit_increases: LedgerLimitIncreases;
  ledger_lines: LedgerLines;
  ledger_pending_clearings: LedgerPendingClearings;
  ledger_period_totals: LedgerPeriodTotals;
  ledger_reversals: LedgerReversals;
  ledger_transactions: LedgerTransactions;
  ledger_verified_balances: LedgerVerifiedBalances;
  login_attempts: LoginAttempts;
  mail_tokens: MailTokens;
  media: Media;
  media_audits: MediaAudits;
  media_counts: MediaCounts;
  media_findings: MediaFindings;
  media_positions: MediaPositions;
  media_settings: MediaSettings;
  messages: Messages;
  muted_creators: MutedCreators;
  name_reviews: NameReviews;
  notification_digests: NotificationDigests;
  notification_preferences: NotificationPreferences;
  notifications: Notifications;
  og_images: OgImages;
  outbox: Outbox;
  owned_purchases: OwnedPurchases;
  payout_approvals: PayoutApprovals;
  payout_batches: PayoutBatches;
  payout_events: PayoutEvents;
  payout_failure_claims: PayoutFailureClaims;
  payout_methods: PayoutMethods;
  payout_schedules: PayoutSchedules;
  payout_settings: PayoutSettings;
  payout_webhook_decisions: PayoutWebhookDecisions;
  payout_webhooks: PayoutWebhooks;
  payouts: Payouts;
  policy_agreements: PolicyAgreements;
  policy_notice_runs: PolicyNoticeRuns;
  policy_texts: PolicyTexts;
  post_likes: PostLikes;
  post_media: PostMedia;
  post_people: PostPeople;
  post_purchases: PostPurchases;
  posts: Posts;
  processes: Processes;
  processor_export_days: ProcessorExportDays;
  processor_exports: ProcessorExports;
  processor_pauses: ProcessorPauses;
  processor_settlements: ProcessorSettlements;
  processor_webhook_decisions: ProcessorWebhookDecisions;
  processor_webhooks: ProcessorWebhooks;
  profile_views: ProfileViews;
  push_deliveries: PushDeliveries;
  push_devices: PushDevices;
  push_service_errors: PushServiceErrors;
  push_settings: PushSettings;
  reconciliation_differences: ReconciliationDifferences;
  reconciliation_explanations: ReconciliationExplanations;
  reconciliation_runs: ReconciliationRuns;
  recovery_codes: RecoveryCodes;
  recurring_payments: RecurringPayments;
  referrals: Referrals;
  relay_lease: RelayLease;
  removed_push_devices: RemovedPushDevices;
  renewal_pauses: RenewalPauses;
  reserved_usernames: ReservedUsernames;
  sales: Sales;
  sales_affiliates: SalesAffiliates;
  sales_commissions: SalesCommissions;
  sales_fees: SalesFees;
  sales_hold_fees: SalesHoldFees;
  sales_price_limits: SalesPriceLimits;
  sales_settings: SalesSettings;
  search_term_suffixes: SearchTermSuffixes;
  search_terms: SearchTerms;
  security_log: SecurityLog;
  sessions: Sessions;
  settings: Settings;
  subscription_offers: SubscriptionOffers;
  subscription_periods: SubscriptionPeriods;
  subscription_settings: SubscriptionSettings;
  subscription_tiers: SubscriptionTiers;
  subscriptions: Subscriptions;
  team_actions: TeamActions;
  team_invitations: TeamInvitations;
  team_members: TeamMembers;
  timelines: Timelines;
  tip_goals: TipGoals;
  transparency_checkpoints: TransparencyCheckpoints;
  transparency_leaves: TransparencyLeaves;
  transparency_tiles: TransparencyTiles;
  users: Users;
  verification_documents: VerificationDocuments;
  verifications: Verifications;
}
