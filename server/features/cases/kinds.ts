/**
 * Every kind of case: its queue, its clock, what may be done about it. A later one (removals within 48 hours) is
 * an entry here and its name in contract/case-kinds.ts.
 */

import { COPYRIGHT } from '@stagedoor/contract/atoms/room-limits.ts';
import { addBusinessDays } from '@stagedoor/contract/business-days.ts';
import type { CaseAct, CaseKind, CaseQueue, CaseState, Subject } from '@stagedoor/contract/case-kinds.ts';

export type Clock = { readonly hours: number } | { readonly businessDays: number };

export type Kind = {
  readonly queue: CaseQueue;
  /** ⚙ How long an answer takes at most. */
  readonly clock: Clock;
  /** What may be done; `measures` are besides those that fit what it is about. */
  readonly acts: readonly CaseAct[];
  readonly hasMeasures: boolean;
  /** What may be done to a thing, where it is less than what is done to others. */
  readonly ofThings?: readonly CaseAct[];
  /** What who wrote bought can be given back. */
  readonly hasRefunds?: boolean;
  /** What the same people say of the same thing while it is open is one case. */
  readonly isJoined?: boolean;
  /** Who wrote is answered in words. */
  readonly hasReplies?: boolean;
  /** Its dismissal or closing can be taken back: it is open again. */
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
    // What is hidden stays with its buyers, which is not what a notice asks for.
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

/** What may be done to a person, and to what of theirs. */
const OF_PERSONS: readonly CaseAct[] = ['warn', 'limitChat', 'limitPosting', 'limitPayouts', 'suspend', 'block'];
const OF_THINGS: readonly CaseAct[] = ['hide', 'remove'];

const HOUR_MS = 60 * 60_000;

/** How a case ends where nothing was done to anybody, which can be taken back. */
export const ENDS: readonly CaseAct[] = ['dismiss', 'close'];

function dueAt(clock: Clock, from: Date): Date {
  return 'hours' in clock
    ? new Date(from.getTime() + clock.hours * HOUR_MS)
    : addBusinessDays(from, clock.businessDays);
}

/**
 * When a case is due. An appeal from an address that nobody proved is answered as soon as the letter that it looks like: how it stands
 * does not say what it became, and so not that the account of that address is blocked.
 */
export function dueOf(kind: CaseKind, { isUnproven, at }: { isUnproven: boolean; at: Date }): Date {
  return dueAt(KINDS[isUnproven && kind === 'appeal' ? 'contact' : kind].clock, at);
}

/**
 * Which acts a case offers, by what it is about. `canGiveBack`: something that who wrote bought can be; `hasParts`: something can be taken
 * from the profile.
 */
export function actsOf(
  kind: CaseKind,
  of: { state: CaseState; subject: Subject | null; hasPerson: boolean; canGiveBack: boolean; hasParts: boolean },
): readonly CaseAct[] {
  const { hasMeasures, ofThings = OF_THINGS } = KINDS[kind];
  // A counter-notice waits for whoever claims it until it is time.
  const own = KINDS[kind].acts.filter((act) => act !== 'restore' || of.state === 'open');
  const acts: CaseAct[] = [...own, ...(of.canGiveBack ? (['refund'] as const) : [])];
  if (!hasMeasures || !of.hasPerson) return acts;
  const hasThing = of.subject === 'post' || of.subject === 'message';
  const canTake = of.subject === 'profile' && of.hasParts && ofThings.includes('remove');
  return [...acts, ...OF_PERSONS, ...(hasThing ? ofThings : []), ...(canTake ? (['remove'] as const) : [])];
}
