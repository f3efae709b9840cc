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

export interface AccountSignals {
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

export interface Archives {
  asked_at: Timestamp;
  byte_size: number | null;
  expires_at: Timestamp | null;
  failed_at: Timestamp | null;
  id: string;
  opened_by: string | null;
  opened_until: Timestamp | null;
  ready_at: Timestamp | null;
  user_id: string;
}

export interface Attempts {
  count: number;
  subject: Buffer;
  window_ends_at: Timestamp;
}

export interface AuditLog {
  act: string;
  at: Timestamp;
  facts: Generated<unknown>;
  hash: Buffer;
  id: string;
  operator_id: string | null;
  place: number;
  previous_hash: Buffer;
  subject_id: string;
  subject_kind: string;
  xid: Generated<number>;
}

export interface BellsOff {
  creator_id: string;
  fan_id: string;
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

export interface Broadcasters {
  creator_id: string;
  last_at: Timestamp;
  last_seq: number;
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
  text: string;
  type: string;
  withheld_at: Timestamp | null;
}

export interface CallHearings {
  call_id: string;
  heard_at: Timestamp;
  is_watched: boolean;
  side: string;
}

export interface CallMoments {
  at: Timestamp;
  by_side: string | null;
  call_id: string;
  moment: string;
  n: Generated<number>;
  talked_ms: number;
  transaction_id: string | null;
}

export interface Calls {
  answered_at: Timestamp | null;
  call_back_asked_at: Timestamp | null;
  charged_cents: Generated<number>;
  created_at: Timestamp;
  creator_device: string | null;
  creator_id: string;
  ended_at: Timestamp | null;
  fan_device: string;
  fan_id: string;
  held_cents: Generated<number>;
  hold_id: string | null;
  id: string;
  is_creator_connected: Generated<boolean>;
  is_fan_connected: Generated<boolean>;
  is_screened: Generated<boolean>;
  kind: string;
  lost_at: Timestamp | null;
  net_cents: Generated<number>;
  next_due_at: Timestamp | null;
  operation_id: string;
  rate_cents: number;
  reason: string | null;
  running_since: Timestamp | null;
  seen_at: Timestamp | null;
  started_at: Timestamp | null;
  status: string;
  stop_ground: string | null;
  stopped_by: string | null;
  talked_ms: Generated<number>;
  transaction_id: string | null;
  warned_seconds: number | null;
}

export interface CallTerms {
  audio_rate_cents: number | null;
  creator_id: string;
  hours: Generated<unknown>;
  is_available: Generated<boolean>;
  shortest_minutes: Generated<number>;
  time_zone: Generated<string>;
  updated_at: Generated<Timestamp>;
  video_rate_cents: number | null;
}

export interface CaseDecisions {
  act: string;
  at: Timestamp;
  case_id: string;
  ground: string;
  id: string;
  operator_id: string | null;
  person_id: string | null;
  subject: string | null;
  subject_id: string | null;
  title: Generated<string>;
  undo: Generated<unknown>;
  undo_ground: string | null;
  undone_at: Timestamp | null;
  undone_by: string | null;
  until: Timestamp | null;
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

export interface CaseLooks {
  item_id: string;
  operator_id: string;
  until: Timestamp;
}

export interface CasePictures {
  entry_id: string | null;
  file_key: string;
  height: number;
  id: string;
  owner_id: string;
  position: Generated<number>;
  taken_at: Timestamp;
  width: number;
}

export interface CaseProfiles {
  at: Timestamp;
  case_id: string;
  id: string;
  shown: unknown;
}

export interface Cases {
  assigned_to: string | null;
  changed_at: Timestamp;
  closed_at: Timestamp | null;
  decision_id: string | null;
  due_at: Timestamp;
  from_email: Generated<string>;
  from_id: string | null;
  from_name: Generated<string>;
  id: string;
  is_unproven: Generated<boolean>;
  kind: string;
  opened_at: Timestamp;
  outcome: string | null;
  person_id: string | null;
  place: Generated<string>;
  queue: string;
  reference: string;
  report_count: Generated<number>;
  snapshot: Generated<unknown>;
  state: Generated<string>;
  subject: string | null;
  subject_id: string | null;
  title: string;
}

export interface ChatAttachments {
  file_id: string | null;
  holder_id: string;
  media_id: string | null;
  position: number;
}

export interface ChatBonds {
  active_at: Timestamp | null;
  bought_at: Timestamp | null;
  creator_id: string;
  fan_id: string;
  since: Timestamp;
}

export interface ChatCatchUps {
  caught_up_at: Timestamp;
  fan_id: string;
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
  waveform: Generated<number[]>;
  withheld_at: Timestamp | null;
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

export interface Closings {
  asked_at: Timestamp;
  begun_at: Timestamp | null;
  closed_at: Timestamp | null;
  due_at: Timestamp;
  told_at: Timestamp | null;
  user_id: string;
}

export interface Conversations {
  broadcast_seq: Generated<number>;
  created_at: Timestamp;
  creator_at: Timestamp | null;
  creator_cleared_seq: Generated<number>;
  creator_delivered_seq: Generated<number>;
  creator_id: string;
  creator_note: Generated<string>;
  creator_read_seq: Generated<number>;
  creator_unread: Generated<number>;
  declined_at: Timestamp | null;
  fan_at: Timestamp | null;
  fan_cleared_seq: Generated<number>;
  fan_delivered_seq: Generated<number>;
  fan_id: string;
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

export interface CopyrightCounters {
  address: string;
  at: Timestamp;
  case_id: string;
  name: string;
  notice_case_id: string;
  person_id: string;
  restore_from: Timestamp;
  signature: string;
  telephone: string;
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

export interface Creators {
  bio: Generated<string>;
  /**
   * the price a minute by the button that calls, while calls are taken
   */
  call_rate_cents: number | null;
  category: string | null;
  chat_rule: Generated<string>;
  city: Generated<string>;
  cover_focus_x: Generated<number>;
  cover_focus_y: Generated<number>;
  cover_height: number | null;
  cover_key: string | null;
  cover_thumbhash: string | null;
  cover_width: number | null;
  craft: Generated<string>;
  created_at: Generated<Timestamp>;
  follower_count: Generated<number>;
  format: Generated<string>;
  is_listed: Generated<boolean>;
  is_verified: Generated<boolean>;
  last_post_at: Timestamp | null;
  layout: Generated<string>;
  links: Generated<unknown>;
  media_count: Generated<number>;
  own_links: Generated<unknown>;
  post_count: Generated<number>;
  search_text: Generated<string>;
  shape: Generated<string>;
  user_id: string;
  verified_name: string | null;
  view_count: Generated<number>;
}

export interface CreatorsOnlineTold {
  creator_id: string;
  event_id: string;
  told_at: Timestamp;
}

export interface CreatorThemes {
  creator_id: string;
  draft: unknown | null;
  published: unknown | null;
  revision: number;
}

export interface CreatorWords {
  creator_id: string;
  standing: number;
  word: string;
}

export interface DebtDecisions {
  actor_id: string | null;
  amount_cents: number;
  decided_at: Timestamp;
  decision: string;
  fan_id: string;
  ground: string;
  id: Generated<string>;
  xid: Generated<number>;
}

export interface Deposits {
  amount_cents: number;
  card_brand: string | null;
  card_last4: string | null;
  created_at: Timestamp;
  credits: number | null;
  currency_code: Generated<string>;
  expires_at: Timestamp;
  fan_id: string;
  fee_cents: number;
  id: Generated<string>;
  kept_cents: Generated<number>;
  order_id: string;
  paid_at: Timestamp | null;
  payable_cents: number;
  processor_subscription_id: string | null;
  processor_transaction_id: string | null;
  provider: string;
  reason: string | null;
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
  failure: string | null;
  id: string;
  people: Generated<ArrayType<string>>;
  price_cents: Generated<number>;
  scheduled_at: Timestamp | null;
  tags: Generated<string[]>;
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

export interface Follows {
  created_at: Generated<Timestamp>;
  creator_id: string;
  fan_id: string;
  is_settled: Generated<boolean>;
  is_wide: Generated<boolean>;
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
  late_ms: Generated<number>;
  line_at: Timestamp | null;
  lines: Generated<number>;
  month_spent_cents: Generated<number>;
  own_day_cents: number | null;
  own_month_cents: number | null;
  own_week_cents: number | null;
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

export interface LedgerDays {
  account_id: number;
  amount_cents: number;
  day: Timestamp;
  items: number;
  platform_cents: Generated<number>;
  tag: string;
}

export interface LedgerDifferences {
  about_at: Timestamp | null;
  comparison: string;
  explained_at: Timestamp | null;
  facts: unknown;
  id: Generated<string>;
  key: string;
  kind: string;
  opened_at: Timestamp;
  ours_cents: number | null;
  resolved_at: Timestamp | null;
  seen_at: Timestamp;
  theirs_cents: number | null;
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

export interface LedgerExplanations {
  actor_id: string | null;
  difference_id: string;
  explained_at: Timestamp;
  ground: string;
  id: Generated<string>;
  xid: Generated<number>;
}

export interface LedgerExternals {
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
  credits: string[];
  debits: string[];
  fee_account: string | null;
  fee_account_id: number | null;
  is_once: Generated<boolean>;
  kind: string;
  statement_type: string;
  takes_frozen: Generated<boolean>;
  title: string;
}

export interface LedgerLines {
  account_id: number;
  amount_cents: number;
  balance_cents: number;
  kind: string;
  line: number;
  transaction_id: string;
}

export interface LedgerMaturities {
  account_id: number;
  amount_cents: number;
  due_at: Timestamp;
  transaction_id: string;
}

export interface LedgerProven {
  account_id: number;
  cents: number;
}

export interface LedgerRaises {
  cents: number | null;
  from_at: Timestamp;
  period: string;
  wallet_id: number;
}

export interface LedgerReversals {
  reverses_id: string;
  transaction_id: string;
}

export interface LedgerRuns {
  comparison: string;
  day: Timestamp;
  detail: string | null;
  ended_at: Timestamp;
  id: Generated<string>;
  is_full: boolean;
  looked_at: number;
  outcome: string;
  started_at: Timestamp;
  system_identifier: string | null;
  tries: Generated<number>;
  watermark: number | null;
}

export interface LedgerSums {
  account_id: number;
  amount_cents: number;
  first: Timestamp;
  items: number;
  platform_cents: number;
  span: string;
  tag: string;
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

export interface MailTokens {
  created_at: Generated<Timestamp>;
  email: string;
  expires_at: Timestamp;
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
  facts: Generated<string>;
  failure: string | null;
  file_name: Generated<string>;
  finished_at: Timestamp | null;
  height: number | null;
  id: string;
  is_in_set: Generated<boolean>;
  is_public: Generated<boolean>;
  jpeg_width: number | null;
  kind: Generated<string>;
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
  teaser_end: number | null;
  teaser_seconds: number | null;
  teaser_serial: Generated<number>;
  teaser_start: number | null;
  thumbhash: string | null;
  title: Generated<string>;
  used_at: Timestamp | null;
  webp_widths: Generated<number[]>;
  width: number | null;
  withheld_at: Timestamp | null;
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

export interface MediaDeleted {
  deleted_at: Timestamp;
  id: string;
  medium: unknown;
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
  text: Generated<string>;
  type: string;
  unsent_at: Timestamp | null;
  viewable_until: Timestamp | null;
  viewed_at: Timestamp | null;
  withheld_at: Timestamp | null;
}

export interface MoneyActs {
  about: string;
  at: Timestamp;
  cents: number;
  ended_at: Timestamp | null;
  ended_by: string | null;
  ground: string;
  id: string;
  kind: string;
  operator_id: string;
  outcome: string | null;
  subject_id: string;
  wish: unknown;
  xid: Generated<number>;
}

export interface NameReviews {
  asked_at: Timestamp;
  creator_id: string;
  decided_at: Timestamp | null;
  decision: string | null;
  ground: Generated<string>;
  id: string;
  name: string;
  verified_name: string;
}

export interface Nodes {
  id: string;
  memory_bytes: number;
  role: string;
  seen_at: Timestamp;
  started_at: Timestamp;
  version: string;
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

export interface Operations {
  actor_id: string;
  created_at: Generated<Timestamp>;
  operation_id: string;
  request_hash: Buffer;
  subject_id: string | null;
}

export interface OperatorFacts {
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

export interface PayoutApprovals {
  at: Timestamp;
  operator_id: string;
  payout_id: string;
}

export interface PayoutBatches {
  created_at: Timestamp;
  created_by: string;
  detail: string | null;
  file_name: string | null;
  id: string;
  item_count: number;
  net_cents: number;
  provider_ref: string | null;
  rail: string;
  sealed: Buffer | null;
  state: string;
  tried_at: Timestamp | null;
  unanswered_count: Generated<number>;
}

export interface PayoutClaims {
  at: Timestamp;
  ground: string;
  has_arrived: boolean;
  id: string;
  operator_id: string;
  payout_id: string;
  sent_id: string;
  step: string;
}

export interface PayoutMethods {
  created_at: Timestamp;
  id: string;
  invalid_at: Timestamp | null;
  invalid_code: string | null;
  kind: string;
  network: string | null;
  rail: string;
  removed_at: Timestamp | null;
  sealed: Buffer;
  usable_at: Timestamp;
  user_id: string;
  words: string;
}

export interface PayoutMoments {
  at: Timestamp;
  by_id: string | null;
  ground: Generated<string>;
  moment: string;
  n: Generated<number>;
  payout_id: string;
  transaction_id: string | null;
}

export interface PayoutNoticeDecisions {
  actor_id: string;
  decided_at: Timestamp;
  decision: string;
  ground: string;
  id: Generated<string>;
  notice_id: string;
}

export interface PayoutNotices {
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

export interface PayoutRules {
  above_cents: number | null;
  looked_on: Timestamp;
  method_id: string;
  recurrence: string | null;
  refused_on: Timestamp | null;
  refused_why: string | null;
  since: Timestamp;
  source: string;
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
  paid_id: string | null;
  reason: string | null;
  reference: string | null;
  refused_batch_id: string | null;
  sent_id: string | null;
  source: string;
  status: string;
  transaction_id: string;
  transfer: string | null;
  updated_at: Timestamp;
  user_id: string;
  xid: Generated<number>;
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

export interface PolicyAgreements {
  agreed_at: Timestamp;
  policy: string;
  text_hash: string | null;
  user_id: string;
  version: Timestamp;
  way: string;
}

export interface PolicyTellings {
  begun_at: Timestamp;
  done_at: Timestamp | null;
  last_id: Generated<string>;
  policy: string;
  told_count: Generated<number>;
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
  created_at: Generated<Timestamp>;
  creator_id: string;
  deleted_at: Timestamp | null;
  edited_at: Timestamp | null;
  files_revision: Generated<number>;
  has_people: Generated<boolean>;
  hidden_at: Timestamp | null;
  id: Generated<string>;
  in_timelines: Generated<boolean>;
  is_taken_down: Generated<boolean>;
  like_count: Generated<number>;
  media_count: number;
  media_facts: string;
  pin_place: number | null;
  price_cents: Generated<number>;
  removed_at: Timestamp | null;
  tags: Generated<string[]>;
  type: string;
}

export interface ProcessorDecisions {
  actor_id: string | null;
  asked_at: Timestamp | null;
  decided_at: Timestamp;
  decision: string;
  detail: string | null;
  event_id: string;
  ground: string;
  id: Generated<string>;
  outcome: string | null;
  xid: Generated<number>;
}

export interface ProcessorEvents {
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
  state: string;
  told_at: Generated<string>;
  xid: Generated<number>;
}

export interface ProcessorExportDays {
  asked_at: Timestamp;
  changed_at: Timestamp;
  day: Timestamp;
  provider: string;
}

export interface ProcessorExports {
  amount_cents: number | null;
  day: Timestamp;
  line: number;
  provider: string;
  subscription_id: string | null;
  type: string | null;
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
  taken_back_at: Timestamp | null;
  taken_back_by: string | null;
  taken_back_ground: string | null;
  taken_back_id: string | null;
  transaction_id: string;
  xid: Generated<number>;
}

export interface ProfileViews {
  creator_id: string;
  day: Timestamp;
  viewer: Buffer;
}

export interface PushDevices {
  auth: string | null;
  endpoint: string;
  id: string;
  p256dh: string | null;
  session_id: string;
  subscribed_at: Timestamp;
  told_at: Timestamp | null;
  user_id: string;
}

export interface PushDevicesRemoved {
  endpoint_hash: Buffer;
  removed_at: Timestamp;
  user_id: string;
}

export interface Pushes {
  attempts: Generated<number>;
  begun_at: Timestamp | null;
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
  subject_id: string | null;
  tag: string;
  user_id: string;
}

export interface PushFaults {
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

export interface ReactionsDone {
  done_at: Generated<Timestamp>;
  event_id: string;
  reaction: string;
}

export interface ReactionsDue {
  attempts: Generated<number>;
  created_at: Timestamp;
  event_id: string;
  failure: string | null;
  id: Generated<number>;
  lane: string;
  not_before: Generated<Timestamp>;
  payload: unknown;
  reaction: string;
  step: string | null;
  subject: string;
}

export interface RecoveryCodes {
  code_hash: Buffer;
  used_at: Timestamp | null;
  user_id: string;
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

export interface RegionBlocks {
  code: string;
  creator_id: string;
}

export interface RegionRefusals {
  code: string;
  count: number;
  creator_id: string;
  day: Timestamp;
}

export interface RelayLease {
  holder: string | null;
  id: Generated<boolean>;
  until: Generated<Timestamp>;
}

export interface RequestFaults {
  code: string;
  count: number;
  hour: Timestamp;
  last_at: Timestamp;
  refs: string[];
  route: string;
}

export interface RetiredNames {
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
  given_back_at: Timestamp | null;
  gross_cents: number;
  id: string;
  kind: string;
  net_cents: Generated<number | null>;
  note: string;
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

export interface SalesHoldTerms {
  creator_id: string;
  fee_basis_points: number;
  hold_id: string;
}

export interface SalesOwned {
  fan_id: string;
  sale_id: string;
  subject_id: string;
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
  was_shortened: Generated<boolean>;
}

export interface SavedAnswers {
  at: Timestamp;
  body: string;
  id: string;
  title: string;
}

export interface SearchWordParts {
  part: string;
  word: string;
}

export interface SearchWords {
  slips: string[];
  word: string;
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
  acting_for: string | null;
  created_at: Generated<Timestamp>;
  device: string;
  display_mode: string;
  expires_at: Timestamp;
  id: Generated<string>;
  last_seen_at: Generated<Timestamp>;
  proven_at: Timestamp | null;
  token_hash: Buffer;
  user_id: string;
}

export interface Settings {
  key: string;
  updated_at: Generated<Timestamp>;
  value: unknown;
}

export interface SharePictures {
  creator_id: string;
  kind: string;
  made_at: Timestamp;
  subject_id: string;
  version: string;
}

export interface Switches {
  changed_at: Timestamp;
  is_stopped: boolean;
  name: string;
  words: string;
}

export interface TeamActs {
  at: Timestamp;
  creator_id: string;
  id: string;
  member_id: string;
  refused: string | null;
  subject: string;
  what: string;
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
  away_until: Timestamp | null;
  blocked_until: Timestamp | null;
  blocked_words: Generated<string>;
  consented_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  email: string;
  email_verified_at: Timestamp | null;
  id: Generated<string>;
  is_blocked: Generated<boolean>;
  is_closing: Generated<boolean>;
  is_closing_held: Generated<boolean>;
  is_erasing: Generated<boolean>;
  last_seen_at: Timestamp | null;
  limited: unknown | null;
  name: string;
  operator_roles: Generated<string[]>;
  password_hash: string;
  referral_code: string | null;
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

export interface WantedSettings {
  at: Timestamp;
  ground: string;
  hundredths: number;
  name: string;
  operator_id: string;
}

export interface WideCreators {
  creator_id: string;
  since: Generated<Timestamp>;
}

export interface DB {
  account_signals: AccountSignals;
  affiliate_claims: AffiliateClaims;
  affiliate_codes: AffiliateCodes;
  affiliate_settings: AffiliateSettings;
  announcements: Announcements;
  archives: Archives;
  attempts: Attempts;
  audit_log: AuditLog;
  bells_off: BellsOff;
  blocks: Blocks;
  broadcast_counts: BroadcastCounts;
  broadcasters: Broadcasters;
  broadcasts: Broadcasts;
  call_hearings: CallHearings;
  call_moments: CallMoments;
  call_terms: CallTerms;
  calls: Calls;
  case_decisions: CaseDecisions;
  case_entries: CaseEntries;
  case_looks: CaseLooks;
  case_pictures: CasePictures;
  case_profiles: CaseProfiles;
  cases: Cases;
  chat_attachments: ChatAttachments;
  chat_bonds: ChatBonds;
  chat_catch_ups: ChatCatchUps;
  chat_files: ChatFiles;
  chat_purchases: ChatPurchases;
  closings: Closings;
  conversations: Conversations;
  copyright_counters: CopyrightCounters;
  copyright_notices: CopyrightNotices;
  creator_themes: CreatorThemes;
  creator_words: CreatorWords;
  creators: Creators;
  creators_online_told: CreatorsOnlineTold;
  debt_decisions: DebtDecisions;
  deposits: Deposits;
  development_mail: DevelopmentMail;
  draft_media: DraftMedia;
  drafts: Drafts;
  embed_settings: EmbedSettings;
  entitlement_grants: EntitlementGrants;
  follows: Follows;
  known_devices: KnownDevices;
  ledger_accounts: LedgerAccounts;
  ledger_clearings: LedgerClearings;
  ledger_days: LedgerDays;
  ledger_differences: LedgerDifferences;
  ledger_entries: LedgerEntries;
  ledger_explanations: LedgerExplanations;
  ledger_externals: LedgerExternals;
  ledger_holds: LedgerHolds;
  ledger_inflows: LedgerInflows;
  ledger_kinds: LedgerKinds;
  ledger_lines: LedgerLines;
  ledger_maturities: LedgerMaturities;
  ledger_proven: LedgerProven;
  ledger_raises: LedgerRaises;
  ledger_reversals: LedgerReversals;
  ledger_runs: LedgerRuns;
  ledger_sums: LedgerSums;
  ledger_transactions: LedgerTransactions;
  mail_tokens: MailTokens;
  media: Media;
  media_audits: MediaAudits;
  media_counts: MediaCounts;
  media_deleted: MediaDeleted;
  media_findings: MediaFindings;
  media_positions: MediaPositions;
  media_settings: MediaSettings;
  messages: Messages;
  money_acts: MoneyActs;
  name_reviews: NameReviews;
  nodes: Nodes;
  notification_digests: NotificationDigests;
  notification_preferences: NotificationPreferences;
  notifications: Notifications;
  operations: Operations;
  operator_facts: OperatorFacts;
  outbox: Outbox;
  payout_approvals: PayoutApprovals;
  payout_batches: PayoutBatches;
  payout_claims: PayoutClaims;
  payout_methods: PayoutMethods;
  payout_moments: PayoutMoments;
  payout_notice_decisions: PayoutNoticeDecisions;
  payout_notices: PayoutNotices;
  payout_rules: PayoutRules;
  payout_settings: PayoutSettings;
  payouts: Payouts;
  policy_agreements: PolicyAgreements;
  policy_tellings: PolicyTellings;
  policy_texts: PolicyTexts;
  post_likes: PostLikes;
  post_media: PostMedia;
  post_people: PostPeople;
  post_purchases: PostPurchases;
  posts: Posts;
  processor_decisions: ProcessorDecisions;
  processor_events: ProcessorEvents;
  processor_export_days: ProcessorExportDays;
  processor_exports: ProcessorExports;
  processor_settlements: ProcessorSettlements;
  profile_views: ProfileViews;
  push_devices: PushDevices;
  push_devices_removed: PushDevicesRemoved;
  push_faults: PushFaults;
  push_settings: PushSettings;
  pushes: Pushes;
  reactions_done: ReactionsDone;
  reactions_due: ReactionsDue;
  recovery_codes: RecoveryCodes;
  referrals: Referrals;
  region_blocks: RegionBlocks;
  region_refusals: RegionRefusals;
  relay_lease: RelayLease;
  request_faults: RequestFaults;
  retired_names: RetiredNames;
  sales: Sales;
  sales_affiliates: SalesAffiliates;
  sales_commissions: SalesCommissions;
  sales_fees: SalesFees;
  sales_hold_terms: SalesHoldTerms;
  sales_owned: SalesOwned;
  sales_price_limits: SalesPriceLimits;
  sales_settings: SalesSettings;
  saved_answers: SavedAnswers;
  search_word_parts: SearchWordParts;
  search_words: SearchWords;
  security_log: SecurityLog;
  sessions: Sessions;
  settings: Settings;
  share_pictures: SharePictures;
  switches: Switches;
  team_acts: TeamActs;
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
  wanted_settings: WantedSettings;
  wide_creators: WideCreators;
}
