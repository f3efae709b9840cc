import type { UserType } from '@stagedoor/contract/accounts.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import { CLOSING_DAYS, UNCLAIMED_DAYS } from '@stagedoor/contract/closing.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { type Attempt, job } from '../../kernel/jobs.ts';
import { afterId } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { beginClosing, beginErasing, eraseAccount, findUser, proveAgain } from '../accounts/index.ts';
import { closingMail, unclaimedMail } from './mails.ts';
import { closingSteps, type Leaver, type Moment } from './steps.ts';

const DAY_MS = 24 * 60 * 60_000;
const AT_ONCE = 100;

export const eraseJob = job('closing.erase', z.object({ userId: z.string() }));

const FOR_ALL = [
  'You’re logged out everywhere. Your account is hidden for 14 days; log in to restore it.',
  'After that, your name, email, profile, photo, devices, notifications and messages are deleted.',
  'We keep transaction records without your name, as the law requires.',
  'No one can use your username for a year.',
] as const;
const FOR_CREATORS = [
  'Your posts, media and drafts are deleted. Fans keep what they’ve unlocked.',
  'Identity documents are kept encrypted for as long as the law requires.',
] as const;
const FOR_FANS = ['You’ll lose access to your purchases. Download your data and receipts first.'] as const;

function consequencesFor(type: UserType): string[] {
  return [...FOR_ALL, ...(type === 'creator' ? FOR_CREATORS : FOR_FANS)];
}

async function hindrancesOf(ctx: Context, db: Executor, leaver: Leaver, moment: Moment): Promise<string[]> {
  const found: string[] = [];
  for (const { hindrances } of closingSteps(ctx)) found.push(...((await hindrances?.(db, leaver, moment)) ?? []));
  return found;
}

function leaverOf({ userId, type, username }: Actor): Leaver {
  // Operator accounts are removed by other operators.
  if (type === 'operator') throw new AppError('FORBIDDEN');
  return { userId, type, username };
}

/** Returns what prevents the closing and its consequences. Throws FORBIDDEN for operators. */
export async function viewClosing(ctx: Context, actor: Actor) {
  const leaver = leaverOf(actor);
  const given: string[] = [];
  for (const { consequences } of closingSteps(ctx)) given.push(...((await consequences?.(ctx.db, leaver)) ?? []));
  return {
    hindrances: await hindrancesOf(ctx, ctx.db, leaver, 'asked'),
    consequences: [...consequencesFor(leaver.type), ...given],
  };
}

const ASK: Statement = {
  name: 'closings-ask',
  text: `insert into closings as c (user_id, asked_at, due_at) values ($1, $2, $3)
    on conflict (user_id) do update set asked_at = excluded.asked_at, due_at = excluded.due_at, begun_at = null,
      told_at = null where c.closed_at is null`,
};

/**
 * Closes the account in 14 days and suspends it until then. Throws CONFLICT while something prevents it, FORBIDDEN for
 * operators, and as proveAgain.
 */
export async function close(
  ctx: Context,
  actor: Actor,
  proof: { currentPassword: string; code?: string | undefined },
): Promise<{ dueAt: string; info: string }> {
  const leaver = leaverOf(actor);
  const prove = await proveAgain(ctx, actor, proof);
  const now = ctx.clock.now();
  const dueAt = new Date(now.getTime() + CLOSING_DAYS * DAY_MS);
  const end = await ctx.db.transaction(async (tx) => {
    const user = await prove(tx);
    const [hindrance] = await hindrancesOf(ctx, tx, leaver, 'asked');
    if (hindrance) throw new AppError('CONFLICT', { message: hindrance });
    await tx.run(ASK, [user.id, now, dueAt]);
    await ctx.mailer.send(tx, closingMail(user, ctx.config.publicUrl, dueAt));
    return beginClosing(ctx, tx, user);
  });
  end();
  ctx.security.note({ kind: 'closingAsked', userId: actor.userId });
  return {
    dueAt: dueAt.toISOString(),
    info: `Your account will be deleted on ${minuteText(dueAt)}. Log in before then to keep your account.`,
  };
}

const DUE: Statement = {
  name: 'closings-due',
  text: `select c.user_id as "userId" from closings c where c.closed_at is null and c.due_at <= $1 and ${afterId('c.user_id', '$2')}
    order by c.user_id limit $3`,
};
const BEGIN: Statement = {
  name: 'closings-begin',
  text: 'update closings set begun_at = coalesce(begun_at, $2) where user_id = $1 and closed_at is null and due_at <= $2 returning user_id',
};
const PUT_OFF: Statement = {
  name: 'closings-put-off',
  text: 'update closings set due_at = $2 where user_id = $1 and begun_at is null and closed_at is null',
};
const FORGET: Statement = {
  name: 'closings-forget',
  text: 'delete from closings where user_id = $1 and begun_at is null and closed_at is null',
};
const CLOSED: Statement = {
  name: 'closings-closed',
  text: 'update closings set closed_at = coalesce(closed_at, $2) where user_id = $1 and begun_at is not null',
};

export async function closeDue(ctx: Context): Promise<void> {
  for (let after: string | null = null; ; ) {
    const due: { userId: string }[] = await ctx.db.run<{ userId: string }>(DUE, [ctx.clock.now(), after, AT_ONCE]);
    for (const { userId } of due) await ctx.jobs.add(ctx.db, eraseJob, { userId }, { key: `closing:${userId}` });
    after = due.at(-1)?.userId ?? null;
    if (due.length < AT_ONCE) return;
  }
}

type State = { begun: Date | null; asked: Date; told: Date | null };
const STATE: Statement = {
  name: 'closings-state',
  text: 'select begun_at as begun, asked_at as asked, told_at as told from closings where user_id = $1',
};
const TOLD: Statement = { name: 'closings-told', text: 'update closings set told_at = $2 where user_id = $1' };

async function isUnclaimed(ctx: Context, tx: Transaction, leaver: Leaver, { asked, told }: State): Promise<boolean> {
  const found: string[] = [];
  for (const { unclaimed } of closingSteps(ctx)) found.push(...((await unclaimed?.(tx, leaver)) ?? []));
  const now = ctx.clock.now();
  const until = new Date(asked.getTime() + (CLOSING_DAYS + UNCLAIMED_DAYS) * DAY_MS);
  if (found.length === 0 || now >= until) return false;
  if (told) return true;
  const user = await findUser(tx, leaver.userId);
  if (user) await ctx.mailer.send(tx, unclaimedMail(user, ctx.config.publicUrl, { found, until }));
  await tx.run(TOLD, [leaver.userId, now]);
  return true;
}

/** The `end` steps run even if the closing must wait. */
async function waits(ctx: Context, tx: Transaction, leaver: Leaver, state: State): Promise<boolean> {
  for (const { end } of closingSteps(ctx)) await end?.(tx, leaver);
  if ((await hindrancesOf(ctx, tx, leaver, 'due')).length > 0) return true;
  return isUnclaimed(ctx, tx, leaver, state);
}

/** Starts the erasure under the account's lock, so that a concurrent log-in either comes first or is refused. */
function begin(ctx: Context, userId: string): Promise<Leaver | undefined> {
  return ctx.db.transaction(async (tx) => {
    const user = await findUser(tx, userId, { isLocked: true });
    if (!user) return undefined;
    const leaver = { userId: user.id, type: user.type, username: user.username };
    const now = ctx.clock.now();
    // Nothing is erased while an operator has blocked the account. Reversing the block leaves the closing request in
    // place.
    if (user.is_closing_held) return undefined;
    const [state] = await tx.run<State>(STATE, [userId]);
    if (state?.begun === null && !user.is_closing) {
      await tx.run(FORGET, [userId]);
      return undefined;
    }
    if (state?.begun === null && (await waits(ctx, tx, leaver, state))) {
      await tx.run(PUT_OFF, [userId, new Date(now.getTime() + DAY_MS)]);
      return undefined;
    }
    if ((await tx.run(BEGIN, [userId, now])).length === 0) return undefined;
    await beginErasing(tx, userId);
    return leaver;
  });
}

/** Each module erases its data, and the account itself comes last. An interrupted run is continued. */
export async function erase(ctx: Context, userId: string, { signal }: Pick<Attempt, 'signal'>): Promise<void> {
  const leaver = await begin(ctx, userId);
  if (!leaver) return;
  for (const step of closingSteps(ctx)) {
    signal?.throwIfAborted();
    await step.erase?.(ctx, leaver, signal);
  }
  await ctx.db.transaction(async (tx) => {
    await eraseAccount(ctx, tx, userId);
    await tx.run(CLOSED, [userId, ctx.clock.now()]);
  });
  ctx.sessions.forget({ userIds: [userId] });
  ctx.realtime.disconnect({ userIds: [userId] });
  ctx.security.note({ kind: 'accountClosed', userId });
}
