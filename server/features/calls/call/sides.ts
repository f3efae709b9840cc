import type { CallKind, CallReason, CallStatus } from '@stagedoor/contract/call-states.ts';

export type Call = {
  readonly id: string;
  readonly fanId: string;
  readonly creatorId: string;
  readonly kind: CallKind;
  readonly rateCents: number;
  readonly createdAt: Date;
  status: CallStatus;
  reason: CallReason | null;
  holdId: string | null;
  heldCents: number;
  fanDevice: string;
  creatorDevice: string | null;
  isFanConnected: boolean;
  isCreatorConnected: boolean;
  answeredAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  talkedMs: number;
  runningSince: Date | null;
  lostAt: Date | null;
  warnedSeconds: number | null;
  nextDueAt: Date | null;
  chargedCents: number;
  netCents: number;
  transactionId: string | null;
  callBackAskedAt: Date | null;
  seenAt: Date | null;
  /** The creator had blocked the fan, so the call does not exist for the creator. */
  isScreened: boolean;
};

export const COLUMNS = `c.id, c.fan_id as "fanId", c.creator_id as "creatorId", c.kind, c.rate_cents as "rateCents", c.created_at as "createdAt",
  c.status, c.reason, c.hold_id as "holdId", c.held_cents as "heldCents", c.fan_device as "fanDevice", c.creator_device as "creatorDevice",
  c.is_fan_connected as "isFanConnected", c.is_creator_connected as "isCreatorConnected", c.answered_at as "answeredAt",
  c.started_at as "startedAt", c.ended_at as "endedAt", c.talked_ms as "talkedMs", c.running_since as "runningSince", c.lost_at as "lostAt",
  c.warned_seconds as "warnedSeconds", c.next_due_at as "nextDueAt", c.charged_cents as "chargedCents", c.net_cents as "netCents",
  c.transaction_id as "transactionId", c.call_back_asked_at as "callBackAskedAt", c.seen_at as "seenAt",
  c.is_screened as "isScreened"`;

export const SIDES = ['fan', 'creator'] as const;
export type Side = (typeof SIDES)[number];

export const DEVICE = { fan: 'fanDevice', creator: 'creatorDevice' } as const;
export const CONNECTED = { fan: 'isFanConnected', creator: 'isCreatorConnected' } as const;

type Sides = Pick<Call, 'fanId' | 'creatorId'>;

export function sideOf({ fanId, creatorId }: Sides, userId: string): Side | undefined {
  if (userId === fanId) return 'fan';
  return userId === creatorId ? 'creator' : undefined;
}

/** To the fan a declined call looks busy. */
export function reasonFor({ reason }: Pick<Call, 'reason'>, side: Side): CallReason | null {
  return side === 'fan' && reason === 'declined' ? 'busy' : reason;
}

export function otherSide(side: Side): Side {
  return side === 'fan' ? 'creator' : 'fan';
}

export function userOf({ fanId, creatorId }: Sides, side: Side): string {
  return side === 'fan' ? fanId : creatorId;
}
