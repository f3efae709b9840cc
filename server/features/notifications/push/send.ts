/**
 * What is sent is decided at the last moment and marked as begun in that transaction. It is sent after the transaction
 * and never twice.
 */
import { DEFAULT_PUSH_SETTINGS, type PushMessage } from '@stagedoor/contract/push.ts';
import type { Context } from '../../../kernel/context.ts';
import { rest } from '../../../kernel/rest.ts';
import { hasPageInFront } from '../../presence/index.ts';
import { PAID } from '../kinds.ts';
import { type Apns, createApns } from './apns.ts';
import { knownFaults, noteFaults, type Tried, triedOf } from './faults.ts';
import { sendSoon } from './jobs.ts';
import { createVapid } from './keys.ts';
import { composePush } from './message.ts';
import { serviceOf } from './services.ts';
import { isQuiet, quietEnd } from './settings.ts';
import * as store from './store.ts';
import { OTHERS, type Rank, RINGS, wayOf } from './ways.ts';
import { type Answer, post } from './wire.ts';

const AT_ONCE = 100;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/**
 * A service that accepted nothing in a round and did not respond is paused, so that pushes to other services do not
 * wait for it again.
 */
const REST_MS = 15_000;

type Resting = Map<string, number>;

const expiryOf = ({ kind, createdAt }: store.Ready) => createdAt.getTime() + wayOf(kind).ttlSeconds * 1000;
/** A push to a user with a visible page waits this long, because they may read it there. */
const HELD_MS = 60_000;

const CAPPED_MS = 10 * 60_000;

type Against = { outcome: string } | { until: Date };

function reasonAgainst(ctx: Context, push: store.Ready, inHour: number): Against | undefined {
  const { isForAll, passes, waits } = wayOf(push.kind);
  const now = ctx.clock.now();
  const inMs = (ms: number) => ({ until: new Date(now.getTime() + ms) });
  if (!push.isIn) return { outcome: 'left' };
  if (expiryOf(push) <= now.getTime()) return { outcome: 'late' };
  if (push.isOver) return { outcome: 'over' };
  if (!isForAll && push.isRead) return { outcome: 'seen' };
  // Only what is listed in the app can be seen there. A page that is still visible after a while has shown it.
  if (!isForAll && push.isListed && hasPageInFront(ctx, push.userId))
    return now.getTime() - push.createdAt.getTime() < HELD_MS ? inMs(HELD_MS) : { outcome: 'seen' };
  if (passes) return undefined;
  if (isQuiet(push, now)) return waits ? { until: quietEnd(push, now) } : { outcome: 'quiet' };
  if (inHour < push.pushesPerHour) return undefined;
  return waits ? inMs(CAPPED_MS) : { outcome: 'capped' };
}

const originOf = ({ endpoint }: store.Ready) => new URL(endpoint).origin;

/** Rings are tried even during a pause, because they are useless after it. */
function restOf({ clock }: Context, push: store.Ready, resting: Resting): Against | undefined {
  const now = clock.now().getTime();
  const isResting = !wayOf(push.kind).isForNow && (resting.get(originOf(push)) ?? 0) > now;
  return isResting ? { until: new Date(now + REST_MS) } : undefined;
}

function decide(ctx: Context, ready: readonly store.Ready[], resting: Resting) {
  const going: store.Ready[] = [];
  const putOff: { push: store.Ready; until: Date }[] = [];
  const ended: (store.Ready & { outcome: string })[] = [];
  const counted = new Map<string, Set<string>>();
  for (const push of ready) {
    const events = counted.get(push.userId) ?? new Set();
    counted.set(push.userId, events);
    // An event counts once, however many devices it is pushed to.
    const inHour = push.inHour + [...events].filter((id) => id !== push.eventId).length;
    const against = reasonAgainst(ctx, push, inHour) ?? restOf(ctx, push, resting);
    if (against && 'until' in against) putOff.push({ push, until: against.until });
    else if (against) ended.push({ ...push, outcome: against.outcome });
    else {
      going.push(push);
      if (!wayOf(push.kind).passes) events.add(push.eventId);
    }
  }
  return { going, putOff, ended };
}

function claim(ctx: Context, rank: Rank, resting: Resting): Promise<{ isOver: boolean; going: store.Ready[] }> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const ready = await store.readReady(tx, { rank, now, most: AT_ONCE, usual: DEFAULT_PUSH_SETTINGS, paid: PAID });
    const { going, putOff, ended } = decide(ctx, ready, resting);
    await store.begin(tx, going, now);
    for (const [time, ones] of Map.groupBy(putOff, ({ until }) => until.getTime()))
      await store.wait(
        tx,
        ones.map(({ push }) => push),
        new Date(time),
      );
    await store.end(tx, ended);
    return { isOver: ready.length < AT_ONCE, going };
  });
}

function nextAttempt(ctx: Context, push: store.Ready, afterMs: number | undefined): Date | undefined {
  const usual = FIRST_PAUSE_MS * 2 ** Math.min(push.attempts, 10);
  const pause = Math.min(Math.max(afterMs ?? usual, 1_000), LONGEST_PAUSE_MS);
  const at = ctx.clock.now().getTime() + pause;
  return at < expiryOf(push) ? new Date(at) : undefined;
}

function noteServices(
  ctx: Context,
  answered: readonly { origin: string; isSilent: boolean }[],
  resting: Resting,
): void {
  for (const [origin, answers] of Map.groupBy(answered, (one) => one.origin))
    if (answers.every(({ isSilent }) => isSilent)) resting.set(origin, ctx.clock.now().getTime() + REST_MS);
    else resting.delete(origin);
}

async function conclude(ctx: Context, push: store.Ready, answer: Answer): Promise<void> {
  if (answer.is === 'gone') return store.forgetDevice(ctx.db, push.deviceId);
  if (answer.is === 'later') {
    const at = nextAttempt(ctx, push, answer.afterMs);
    return at ? store.putOff(ctx.db, push, at) : store.end(ctx.db, [{ ...push, outcome: 'late' }]);
  }
  if (answer.is === 'refused')
    ctx.log.error(
      { service: new URL(push.endpoint).host, status: answer.status },
      push.p256dh === null
        ? 'Apple refuses what we send: is SAFARI_PUSH_CERTIFICATE the one of SAFARI_PUSH_ID, and not over?'
        : 'a push service refuses what we send: is VAPID_PRIVATE_KEY the one that devices subscribed with?',
    );
  return store.end(ctx.db, [{ ...push, outcome: answer.is }]);
}

type Counted = (service: string, outcome: string) => void;
type Means = { vapid: (origin: string) => Promise<string>; apns: Apns | undefined; timeoutMs: number };

/** Safari's legacy push cannot remove what it showed, so the end of a ring is not sent to it. */
async function deliver(
  { vapid, apns, timeoutMs }: Means,
  push: store.Ready,
  message: PushMessage,
  now: Date,
): Promise<Answer> {
  const { endpoint, p256dh, auth, kind, tag } = push;
  const how = { kind, tag, now };
  if (p256dh !== null && auth !== null) {
    const authorization = await vapid(originOf(push));
    return post({ endpoint, p256dh, auth }, { ...how, authorization, payload: JSON.stringify(message), timeoutMs });
  }
  if (!apns || message.notification.data?.close) return { is: 'unfit' };
  return apns.send({ ...how, endpoint, message });
}

async function sendDue(
  ctx: Context,
  { rank, resting, counted, ...means }: Means & { rank: Rank; resting: Resting; counted: Counted },
): Promise<void> {
  const faulty = await knownFaults(ctx.db);
  const sendOne = async (push: store.Ready): Promise<{ origin: string; isSilent: boolean; tried?: Tried }> => {
    const origin = originOf(push);
    const composed = await composePush(ctx, push).catch((error: unknown) => {
      ctx.log.error({ err: error, kind: push.kind }, 'a push could not be written');
    });
    if (!composed) {
      await conclude(ctx, push, { is: 'later', afterMs: undefined });
      return { origin, isSilent: false };
    }
    const { message, smaller } = composed;
    const now = ctx.clock.now();
    const first = await deliver(means, push, message, now);
    const answer = first.is === 'tooLarge' ? await deliver(means, push, smaller, now) : first;
    const tried = triedOf(serviceOf(push), answer);
    counted(tried.service, answer.is);
    await conclude(ctx, push, answer);
    return { origin, isSilent: first.isSilent === true, tried };
  };
  for (;;) {
    const begun = performance.now();
    const { going, isOver } = await claim(ctx, rank, resting);
    const answered = await Promise.all(
      going.map((push) =>
        sendOne(push).catch((error: unknown) => {
          ctx.log.error({ err: error, kind: push.kind }, 'a push was not sent');
        }),
      ),
    );
    const came = answered.filter((one) => one !== undefined);
    noteServices(ctx, came, resting);
    const tried = came.flatMap((one) => one.tried ?? []);
    await noteFaults(ctx.db, tried, faulty, ctx.clock.now());
    if (isOver) break;
    if (rank === OTHERS) await rest(performance.now() - begun);
  }
  const next = await store.nextDue(ctx.db, rank);
  if (next) await sendSoon(ctx, ctx.db, rank, next);
}

/** A call during a round is handled by the next one. Rings do not wait for a round and start their own. */
export function createSending(ctx: Context, rank: Rank, counted: Counted = () => undefined): () => Promise<void> {
  const { safari, timeoutMs } = ctx.config.push;
  const apns = safari && createApns(safari, timeoutMs);
  if (apns) ctx.realtime.onClose(apns.close);
  const how = { rank, vapid: createVapid(ctx), apns, timeoutMs, counted, resting: new Map() };
  let isSending = false;
  let isAskedAgain = false;
  if (rank === RINGS) return () => sendDue(ctx, how);
  return async () => {
    isAskedAgain = true;
    if (isSending) return;
    isSending = true;
    try {
      while (isAskedAgain) {
        isAskedAgain = false;
        await sendDue(ctx, how);
      }
    } finally {
      isSending = false;
    }
  };
}
