/** UUIDv7 ids, branded per entity. */
import * as z from 'zod/mini';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isId(text: string): boolean {
  return UUID.test(text);
}

const id = z.string().check(z.regex(UUID, 'Invalid id'));

/** Comma-separated, at most one page of ids. */
export const idList = z
  .string()
  .check(z.regex(new RegExp(`^${UUID.source.slice(1, -1)}(?:,${UUID.source.slice(1, -1)}){0,49}$`), 'Invalid ids'));

export function parseIdList(list: string): string[] {
  return [...new Set(list.split(','))];
}

export const userId = id.brand<'UserId'>();
export const postId = id.brand<'PostId'>();
export const mediaId = id.brand<'MediaId'>();
export const tipGoalId = id.brand<'TipGoalId'>();
export const draftId = id.brand<'DraftId'>();
export const conversationId = id.brand<'ConversationId'>();
export const messageId = id.brand<'MessageId'>();
export const broadcastId = id.brand<'BroadcastId'>();
export const callId = id.brand<'CallId'>();
export const depositId = id.brand<'DepositId'>();
export const transactionId = id.brand<'TransactionId'>();
export const withdrawalId = id.brand<'WithdrawalId'>();
export const sessionId = id.brand<'SessionId'>();
export const processorWebhookId = id.brand<'ProcessorWebhookId'>();
export const differenceId = id.brand<'DifferenceId'>();
export const approvalRequestId = id.brand<'ApprovalRequestId'>();
export const settlementId = id.brand<'SettlementId'>();
export const payoutId = id.brand<'PayoutId'>();
export const payoutMethodId = id.brand<'PayoutMethodId'>();
export const payoutBatchId = id.brand<'PayoutBatchId'>();
export const notificationId = id.brand<'NotificationId'>();
export const caseId = id.brand<'CaseId'>();
export const caseProfileId = id.brand<'CaseProfileId'>();
export const decisionId = id.brand<'DecisionId'>();
export const casePictureId = id.brand<'CasePictureId'>();
export const teamInvitationId = id.brand<'TeamInvitationId'>();
export const cannedResponseId = id.brand<'CannedResponseId'>();
export const announcementId = id.brand<'AnnouncementId'>();
export const pushDeviceId = id.brand<'PushDeviceId'>();
export const subscriptionTierId = id.brand<'SubscriptionTierId'>();
export const subscriptionOfferId = id.brand<'SubscriptionOfferId'>();
export const subscriptionId = id.brand<'SubscriptionId'>();

export type UserId = z.infer<typeof userId>;
export type PostId = z.infer<typeof postId>;
export type MediaId = z.infer<typeof mediaId>;
export type TipGoalId = z.infer<typeof tipGoalId>;
export type DraftId = z.infer<typeof draftId>;
export type ConversationId = z.infer<typeof conversationId>;
export type MessageId = z.infer<typeof messageId>;
export type BroadcastId = z.infer<typeof broadcastId>;
export type CallId = z.infer<typeof callId>;
export type DepositId = z.infer<typeof depositId>;
export type TeamInvitationId = z.infer<typeof teamInvitationId>;
export type TransactionId = z.infer<typeof transactionId>;
export type WithdrawalId = z.infer<typeof withdrawalId>;
export type SessionId = z.infer<typeof sessionId>;
export type SubscriptionTierId = z.infer<typeof subscriptionTierId>;
export type SubscriptionOfferId = z.infer<typeof subscriptionOfferId>;
export type SubscriptionId = z.infer<typeof subscriptionId>;

/** Header `Idempotency-Key`: preferably a UUID, otherwise visible ASCII characters. */
export const operationId = z.string().check(z.regex(/^[!-~]{1,200}$/, '1–200 visible characters'));

/** ISO 8601, UTC, milliseconds. */
export const instant = z.iso.datetime({ precision: 3 });
