import type { CallEndReason, CallKind, CallStatus } from '@stagedoor/contract/messaging/call-states.ts';

export type Call = {
  readonly id: string;
  readonly fanId: string;
  readonly creatorId: string;
  readonly kind: CallKind;
  readonly rateCents: number;
  readonly createdAt: Date;
  status: CallStatus;
  reason: CallEndReason | null;
  holdId: string | null;
  heldCents: number;
  fanDevice: string;
  creatorDevice: string | null;
  isFanConnected: boolean;
  isCreatorConnected: boolean;
  answeredAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  connectedMs: number;
  runningSince: Date | null;
  interruptedAt: Date | null;
  warnedSeconds: number | null;
  nextDueAt: Date | null;
  chargedCents: number;
  netCents: number;
  transactionId: string | null;
  callbackRequestedAt: Date | null;
  seenAt: Date | null;
  /** The creator had blocked the fan or declined their request, so the call does not exist for the creator. */
  isScreened: boolean;
};

export const CALL_COLUMNS = `c.id, c.fan_id as "fanId", c.creator_id as "creatorId", c.kind, c.rate_cents as "rateCents", c.created_at as "createdAt",
  c.status, c.reason, c.hold_id as "holdId", c.held_cents as "heldCents", c.fan_device as "fanDevice", c.creator_device as "creatorDevice",
  c.is_fan_connected as "isFanConnected", c.is_creator_connected as "isCreatorConnected", c.answered_at as "answeredAt",
  c.started_at as "startedAt", c.ended_at as "endedAt", c.connected_ms as "connectedMs", c.running_since as "runningSince", c.interrupted_at as "interruptedAt",
  c.warned_seconds as "warnedSeconds", c.next_due_at as "nextDueAt", c.charged_cents as "chargedCents", c.net_cents as "netCents",
  c.transaction_id as "transactionId", c.callback_requested_at as "callbackRequestedAt", c.seen_at as "seenAt",
  c.is_screened as "isScreened"`;

export const SIDES = ['fan', 'creator'] as const;
export type CallSide = (typeof SIDES)[number];

export const DEVICE_FIELDS = { fan: 'fanDevice', creator: 'creatorDevice' } as const;
export const CONNECTED_FIELDS = { fan: 'isFanConnected', creator: 'isCreatorConnected' } as const;

type CallUsers = Pick<Call, 'fanId' | 'creatorId'>;

export function findCallSide({ fanId, creatorId }: CallUsers, userId: string): CallSide | undefined {
  if (userId === fanId) return 'fan';
  return userId === creatorId ? 'creator' : undefined;
}

/** To the fan a declined call looks busy. The creator does not learn of the fan's spending limits. */
export function getReasonFor({ reason }: Pick<Call, 'reason'>, side: CallSide): CallEndReason | null {
  if (side === 'creator' && reason === 'limit') return 'funds';
  return side === 'fan' && reason === 'declined' ? 'busy' : reason;
}

export function getOtherSide(side: CallSide): CallSide {
  return side === 'fan' ? 'creator' : 'fan';
}

export function getCallUserId({ fanId, creatorId }: CallUsers, side: CallSide): string {
  return side === 'fan' ? fanId : creatorId;
}
