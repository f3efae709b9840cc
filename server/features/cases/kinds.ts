/** A new kind is an entry here and a name in contract/case-kinds.ts. */

import { COPYRIGHT } from '@stagedoor/contract/atoms/room-limits.ts';
import { addBusinessDays } from '@stagedoor/contract/business-days.ts';
import type { CaseAct, CaseKind, CaseQueue, CaseState, Subject } from '@stagedoor/contract/case-kinds.ts';

export type Clock = { readonly hours: number } | { readonly businessDays: number };

export type Kind = {
  readonly queue: CaseQueue;
  /** ⚙ This is the deadline for a response. */
  readonly clock: Clock;
  /** `hasMeasures` adds the measures that fit the subject. */
  readonly acts: readonly CaseAct[];
  readonly hasMeasures: boolean;
  /** A kind can offer fewer actions on content than the default. */
  readonly ofThings?: readonly CaseAct[];
  readonly hasRefunds?: boolean;
  /** Reports of the same subject are merged while the case is open. */
  readonly isJoined?: boolean;
  readonly hasReplies?: boolean;
  readonly reopens?: boolean;
};

export const KINDS: Readonly<Record<CaseKind, Kind>> = {
  report: {
    queue: 'reports',
    clock: { hours: 24 },
    acts: ['dismiss'],
    hasMeasures: true,
    hasRefunds: true,
    isJoined: true,
    reopens: true,
  },
  complaint: {
    queue: 'complaints',
    clock: { businessDays: 7 },
    acts: ['dismiss', 'close'],
    hasMeasures: true,
    hasRefunds: true,
    hasReplies: true,
    reopens: true,
  },
  appeal: { queue: 'appeals', clock: { businessDays: 7 }, acts: ['uphold', 'overturn'], hasMeasures: false },
  contact: {
    queue: 'support',
    clock: { businessDays: 2 },
    acts: ['close', 'dismiss'],
    hasMeasures: false,
    hasRefunds: true,
    hasReplies: true,
    reopens: true,
  },
  ticket: {
    queue: 'support',
    clock: { businessDays: 2 },
    acts: ['close', 'dismiss'],
    hasMeasures: false,
    hasRefunds: true,
    hasReplies: true,
    reopens: true,
  },
  copyright: {
    queue: 'copyright',
    clock: { businessDays: COPYRIGHT.noticeDays },
    acts: ['dismiss', 'close'],
    hasMeasures: true,
    // Hidden content stays available to its buyers, which does not satisfy a notice.
    ofThings: ['remove'],
    hasReplies: true,
    reopens: true,
  },
  counter: {
    queue: 'copyright',
    clock: { businessDays: COPYRIGHT.restoreByDays },
    acts: ['restore', 'staysDown', 'dismiss'],
    hasMeasures: false,
  },
};

const OF_PERSONS: readonly CaseAct[] = ['warn', 'limitChat', 'limitPosting', 'limitPayouts', 'suspend', 'block'];
const OF_THINGS: readonly CaseAct[] = ['hide', 'remove'];

const HOUR_MS = 60 * 60_000;

/** These outcomes involve no measure. */
export const ENDS: readonly CaseAct[] = ['dismiss', 'close'];

function dueAt(clock: Clock, from: Date): Date {
  return 'hours' in clock
    ? new Date(from.getTime() + clock.hours * HOUR_MS)
    : addBusinessDays(from, clock.businessDays);
}

/**
 * An unproven appeal has the deadline of a contact message, so that its status does not reveal that the account of the
 * address is blocked.
 */
export function dueOf(kind: CaseKind, { isUnproven, at }: { isUnproven: boolean; at: Date }): Date {
  return dueAt(KINDS[isUnproven && kind === 'appeal' ? 'contact' : kind].clock, at);
}

export function actsOf(
  kind: CaseKind,
  of: { state: CaseState; subject: Subject | null; hasPerson: boolean; canGiveBack: boolean; hasParts: boolean },
): readonly CaseAct[] {
  const { hasMeasures, ofThings = OF_THINGS } = KINDS[kind];
  // A counter-notice cannot be restored while it waits for the claimant.
  const own = KINDS[kind].acts.filter((act) => act !== 'restore' || of.state === 'open');
  const acts: CaseAct[] = [...own, ...(of.canGiveBack ? (['refund'] as const) : [])];
  if (!hasMeasures || !of.hasPerson) return acts;
  const hasThing = of.subject === 'post' || of.subject === 'message';
  const canTake = of.subject === 'profile' && of.hasParts && ofThings.includes('remove');
  return [...acts, ...OF_PERSONS, ...(hasThing ? ofThings : []), ...(canTake ? (['remove'] as const) : [])];
}
