/** Sending: who is due is decided at the last moment, begun in that transaction, sent after it, and never twice. */
import { DEFAULT_PUSH_SETTINGS } from '@stagedoor/contract/push.ts';
import type { Context } from '../../../kernel/context.ts';
import { presenceOf } from '../../presence/index.ts';
import { sendSoon } from './jobs.ts';
import { createVapid } from './keys.ts';
import { composePush } from './message.ts';
import { isQuiet } from './settings.ts';
import * as store from './store.ts';
import { type Rank, wayOf } from './ways.ts';
import { type Answer, post } from './wire.ts';

const AT_ONCE = 100;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

const expiryOf = ({ kind, createdAt }: store.Ready) => createdAt.getTime() + wayOf(kind).ttlSeconds * 1000;
/** They would hear of it twice. */
const isInFront = (ctx: Context, id: string) => ['online', 'busy'].includes(presenceOf(ctx, id));

/** Why somebody is not pushed now; `inHour` counts what goes in this round, too. */
function reasonAgainst(ctx: Context, push: store.Ready, inHour: number): string | undefined {
  const { isForAll, passes } = wayOf(push.kind);
  const now = ctx.clock.now();
  if (!push.isIn) return 'left';
  if (expiryOf(push) <= now.getTime()) return 'late';
  if (!isForAll && isInFront(ctx, push.userId)) return 'seen';
  if (passes) return undefined;
  if (isQuiet(push, now)) return 'quiet';
  return inHour >= push.pushesPerHour ? 'capped' : undefined;
}

/** Those that go, of which this round has others of the same person. */
function decide(ctx: Context, ready: readonly store.Ready[]) {
  const going: store.Ready[] = [];
  const ended: (store.Ready & { outcome: string })[] = [];
  const counted = new Map<string, Set<string>>();
  for (const push of ready) {
    const events = counted.get(push.userId) ?? new Set();
    counted.set(push.userId, events);
    // What went in a round before, to another device, is in the count of this one.
    const inHour = push.inHour + [...events].filter((id) => id !== push.eventId).length;
    const outcome = reasonAgainst(ctx, push, inHour);
    if (outcome) ended.push({ ...push, outcome });
    else going.push(push);
    if (!outcome && !wayOf(push.kind).passes) events.add(push.eventId);
  }
  return { going, ended };
}

function claim(ctx: Context, rank: Rank): Promise<{ isOver: boolean; going: store.Ready[] }> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const ready = await store.readReady(tx, { rank, now, most: AT_ONCE, usual: DEFAULT_PUSH_SETTINGS });
    const { going, ended } = decide(ctx, ready);
    await store.begin(tx, going, now);
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

async function conclude(ctx: Context, push: store.Ready, answer: Answer): Promise<void> {
  if (answer.is === 'gone') return store.forgetDevice(ctx.db, push.deviceId);
  if (answer.is === 'later') {
    const at = nextAttempt(ctx, push, answer.afterMs);
    return at ? store.putOff(ctx.db, push, at) : store.end(ctx.db, [{ ...push, outcome: 'late' }]);
  }
  if (answer.is === 'refused')
    ctx.log.error(
      { service: new URL(push.endpoint).host, status: answer.status },
      'a push service refuses what we send: is VAPID_PRIVATE_KEY the one that devices subscribed with?',
    );
  return store.end(ctx.db, [{ ...push, outcome: answer.is }]);
}

/** Sends what is due of a rank. Several may run at once. */
async function sendDue(ctx: Context, rank: Rank, vapid: (origin: string) => string): Promise<void> {
  const sendOne = async (push: store.Ready): Promise<void> => {
    const { payload, smaller } = await composePush(ctx, push);
    const authorization = vapid(new URL(push.endpoint).origin);
    const how = { kind: push.kind, tag: push.tag, authorization, now: ctx.clock.now() };
    const first = await post(push, { ...how, payload });
    await conclude(ctx, push, first.is === 'tooLarge' ? await post(push, { ...how, payload: smaller }) : first);
  };
  for (;;) {
    const { going, isOver } = await claim(ctx, rank);
    await Promise.all(
      going.map((push) =>
        sendOne(push).catch((error: unknown) => ctx.log.error({ err: error, kind: push.kind }, 'a push was not sent')),
      ),
    );
    if (isOver) break;
  }
  const next = await store.nextDue(ctx.db, rank);
  if (next) await sendSoon(ctx, ctx.db, rank, next);
}

/** One round after another in this process: what comes while one goes on is in the next. */
export function createSending(ctx: Context, rank: Rank): () => Promise<void> {
  const vapid = createVapid(ctx);
  let isSending = false;
  let isAskedAgain = false;
  return async () => {
    isAskedAgain = true;
    if (isSending) return;
    isSending = true;
    try {
      while (isAskedAgain) {
        isAskedAgain = false;
        await sendDue(ctx, rank, vapid);
      }
    } finally {
      isSending = false;
    }
  };
}
