/** Sending: who is due is decided at the last moment, begun in that transaction, sent after it, and never twice. */
import { DEFAULT_PUSH_SETTINGS, type PushMessage } from '@stagedoor/contract/push.ts';
import type { Context } from '../../../kernel/context.ts';
import { hasPageInFront } from '../../presence/index.ts';
import { PAID } from '../kinds.ts';
import { type Apns, createApns } from './apns.ts';
import { knownFaults, noteFaults, type Tried, triedOf } from './faults.ts';
import { sendSoon } from './jobs.ts';
import { createVapid } from './keys.ts';
import { composePush } from './message.ts';
import { serviceOf } from './services.ts';
import { isQuiet } from './settings.ts';
import * as store from './store.ts';
import { type Rank, wayOf } from './ways.ts';
import { type Answer, post } from './wire.ts';

const AT_ONCE = 100;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** A service that took nothing of a round and answered nothing is left alone so long: what goes to others does not wait for it again. */
const REST_MS = 15_000;

/** Until when services rest, by their origins. */
type Resting = Map<string, number>;

const expiryOf = ({ kind, createdAt }: store.Ready) => createdAt.getTime() + wayOf(kind).ttlSeconds * 1000;
/** Of somebody with a page in front of them it is waited for so long whether they see it there. */
const HELD_MS = 60_000;

/** What `held` is told of later, once; the page that is still in front of them then has shown it. */
const HELD = 'held';

/** Why somebody is not pushed now; `inHour` counts what goes in this round, too. */
function reasonAgainst(ctx: Context, push: store.Ready, inHour: number): string | undefined {
  const { isForAll, passes } = wayOf(push.kind);
  const now = ctx.clock.now();
  if (!push.isIn) return 'left';
  if (expiryOf(push) <= now.getTime()) return 'late';
  if (push.isOver) return 'over';
  if (!isForAll && push.isRead) return 'seen';
  // What does not stand in the app is not seen there.
  if (!isForAll && push.isListed && hasPageInFront(ctx, push.userId))
    return now.getTime() - push.createdAt.getTime() < HELD_MS ? HELD : 'seen';
  if (passes) return undefined;
  if (isQuiet(push, now)) return 'quiet';
  return inHour >= push.pushesPerHour ? 'capped' : undefined;
}

const originOf = ({ endpoint }: store.Ready) => new URL(endpoint).origin;

/** What rings is tried all the same: it is not worth anything any more when a service has rested. */
const isKeptWaiting = (ctx: Context, push: store.Ready, resting: Resting): boolean =>
  !wayOf(push.kind).isForNow && (resting.get(originOf(push)) ?? 0) > ctx.clock.now().getTime();

/** Those that go, of which this round has others of the same person; those whose service rests wait until it has, those held until they were seen. */
function decide(ctx: Context, ready: readonly store.Ready[], resting: Resting) {
  const going: store.Ready[] = [];
  const waiting: store.Ready[] = [];
  const held: store.Ready[] = [];
  const ended: (store.Ready & { outcome: string })[] = [];
  const counted = new Map<string, Set<string>>();
  for (const push of ready) {
    const events = counted.get(push.userId) ?? new Set();
    counted.set(push.userId, events);
    // What went in a round before, to another device, is in the count of this one.
    const inHour = push.inHour + [...events].filter((id) => id !== push.eventId).length;
    const outcome = reasonAgainst(ctx, push, inHour);
    if (outcome === HELD) held.push(push);
    else if (outcome) ended.push({ ...push, outcome });
    else if (isKeptWaiting(ctx, push, resting)) waiting.push(push);
    else going.push(push);
    if (going.at(-1) === push && !wayOf(push.kind).passes) events.add(push.eventId);
  }
  return { going, waiting, held, ended };
}

function claim(ctx: Context, rank: Rank, resting: Resting): Promise<{ isOver: boolean; going: store.Ready[] }> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const ready = await store.readReady(tx, { rank, now, most: AT_ONCE, usual: DEFAULT_PUSH_SETTINGS, paid: PAID });
    const { going, waiting, held, ended } = decide(ctx, ready, resting);
    await store.begin(tx, going, now);
    await store.wait(tx, waiting, new Date(now.getTime() + REST_MS));
    await store.wait(tx, held, new Date(now.getTime() + HELD_MS));
    await store.end(tx, ended);
    return { isOver: ready.length < AT_ONCE, going };
  });
}

/** Answers when it is due again, where the service does not take it now. */
function nextAttempt(ctx: Context, push: store.Ready, afterMs: number | undefined): Date | undefined {
  const usual = FIRST_PAUSE_MS * 2 ** Math.min(push.attempts, 10);
  const pause = Math.min(Math.max(afterMs ?? usual, 1_000), LONGEST_PAUSE_MS);
  const at = ctx.clock.now().getTime() + pause;
  return at < expiryOf(push) ? new Date(at) : undefined;
}

/** Services that are silent rest; those that answer something do no longer. */
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

/** Told of every push that was tried. */
type Counted = (service: string, outcome: string) => void;
type Means = { vapid: (origin: string) => string; apns: Apns | undefined };

/** By the protocol of its service. Safari's older push takes nothing away that it showed: the end of a ring is nothing for it. */
function deliver({ vapid, apns }: Means, push: store.Ready, message: PushMessage, now: Date): Promise<Answer> | Answer {
  const { endpoint, p256dh, auth, kind, tag } = push;
  const how = { kind, tag, now };
  if (p256dh !== null && auth !== null) {
    const authorization = vapid(originOf(push));
    return post({ endpoint, p256dh, auth }, { ...how, authorization, payload: JSON.stringify(message) });
  }
  if (!apns || message.notification.data?.close) return { is: 'unfit' };
  return apns.send({ ...how, endpoint, message });
}

/** Sends what is due of a rank. Several may run at once. */
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
    // Nothing has left: it is due again.
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
  }
  const next = await store.nextDue(ctx.db, rank);
  if (next) await sendSoon(ctx, ctx.db, rank, next);
}

/** One round after another in this process: what comes while one goes on is in the next. */
export function createSending(ctx: Context, rank: Rank, counted: Counted = () => undefined): () => Promise<void> {
  const { safari } = ctx.config.push;
  const apns = safari && createApns(safari);
  if (apns) ctx.realtime.onClose(apns.close);
  const how = { rank, vapid: createVapid(ctx), apns, counted, resting: new Map() };
  let isSending = false;
  let isAskedAgain = false;
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
