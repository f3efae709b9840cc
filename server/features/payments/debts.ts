import { PATHS } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { userId } from '@stagedoor/contract/atoms/ids.ts';
import { asCents, formatCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  DEBT_DECISIONS,
  type debtor,
  type decideDebt as decideRoute,
  type listDebtors,
} from '@stagedoor/contract/debts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { EventPayload } from '../../kernel/events.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { findPeople, findUser } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import {
  debtParts,
  debtsOf,
  fansInDebt,
  lockWallet,
  setSpendingBlocked,
  standingOf,
  writeOffDebt,
} from '../ledger/index.ts';
import { letGo, lockMoneyActs, type MoneyActRoom, waitingOf } from '../operators/index.ts';
import type { Desk } from './desk.ts';
import { presentDebt } from './present.ts';

type View = z.input<typeof debtor>;

function decisionsOf(ctx: Desk, fanIds: readonly string[]) {
  return ctx.db.query.selectFrom('debt_decisions').selectAll().where('fan_id', 'in', fanIds).orderBy('id').execute();
}

async function present(ctx: Desk, fanIds: readonly string[]): Promise<View[]> {
  if (fanIds.length === 0) return [];
  const [decisions, debts, waiting] = await Promise.all([
    decisionsOf(ctx, fanIds),
    debtsOf(ctx.db, fanIds),
    waitingOf(ctx, 'writeOff', fanIds),
  ]);
  const people = await findPeople(ctx.db, [...fanIds, ...decisions.flatMap(({ actor_id: actorId }) => actorId ?? [])]);
  return fanIds.map((fanId) => {
    const [fan, debt] = [people.get(fanId), debts.find((one) => one.fanId === fanId)];
    if (!fan || !debt) throw new AppError('NOT_FOUND');
    return {
      fan: { id: z.parse(userId, fan.id), username: fan.username, name: fan.name },
      ...presentDebt(debt, debt.parts),
      waits: waiting.get(fanId) ?? null,
      decisions: decisions
        .filter(({ fan_id: id }) => id === fanId)
        .map((one) => ({
          decision: DEBT_DECISIONS.find((known) => known === one.decision) ?? 'block',
          ground: one.ground,
          amount: toUsd(asCents(one.amount_cents)),
          decidedAt: one.decided_at.toISOString(),
          operator: people.get(one.actor_id ?? '')?.username ?? null,
        })),
    };
  });
}

export async function viewDebtors(
  ctx: Desk,
  { limit, offset }: QueryOf<typeof listDebtors>,
): Promise<AnswerOf<typeof listDebtors>> {
  const skip = skipOf(offset);
  const { fanIds, total } = await fansInDebt(ctx.db, { limit, skip });
  return pageOf(await present(ctx, fanIds), { limit, skip, total });
}

type Decision = BodyOf<typeof decideRoute>;
type Decided = { actorId: string | null; fanId: string; decision: Decision['decision']; ground: string; cents: number };

async function keepDecision(
  ctx: Desk,
  tx: Transaction,
  { actorId, fanId, decision, ground, cents }: Decided,
  facts = {},
) {
  await tx.query
    .insertInto('debt_decisions')
    .values({
      ...{ fan_id: fanId, actor_id: actorId, decision, ground },
      ...{ amount_cents: cents, decided_at: ctx.clock.now() },
    })
    .execute();
  await noteAct(ctx, tx, {
    operatorId: actorId,
    act: `debt.${decision}`,
    subjectKind: 'account',
    subjectId: fanId,
    facts: { ground, cents, ...facts },
  });
}

const owedFor = async (tx: Transaction, fanId: string): Promise<string[]> =>
  (await debtParts(tx, fanId)).flatMap(({ reversalId, openCents }) => (openCents > 0 ? reversalId : []));

async function writeOff(
  ctx: Desk,
  tx: Transaction,
  actorId: string | null,
  fan: { id: string; username: string },
  ground: string,
): Promise<void> {
  const { owedCents: cents } = await standingOf(tx, fan.id);
  if (cents === 0) throw new AppError('NOT_FOUND', { message: 'Nothing is owed.' });
  const wish = { parts: (await owedFor(tx, fan.id)).join(' ') };
  const of = { kind: 'writeOff', subjectId: fan.id, about: `@${fan.username}`, wish, cents, ground } as const;
  const held = actorId === null ? undefined : await letGo(ctx, tx, { ...of, operatorId: actorId });
  if (!held?.waits) {
    await writeOffDebt(tx, fan.id, ctx.clock.now());
    await keepDecision(ctx, tx, { actorId, fanId: fan.id, decision: 'writeOff', ground, cents }, held?.facts);
  } else if (held.isNew)
    await noteAct(ctx, tx, {
      operatorId: actorId,
      act: 'debt.writeOffWanted',
      subjectKind: 'account',
      subjectId: fan.id,
      facts: { ground, cents },
    });
}

const writeOffWish = z.object({ parts: z._default(z.string(), '') });

export const writeOffByTwo = (ctx: Context): MoneyActRoom => ({
  lock: (tx, fanId) => lockWallet(tx, fanId),
  perform: async (tx, { subjectId: fanId, cents, wish, ground, askedBy, confirmer }) => {
    const { owedCents } = await standingOf(tx, fanId);
    if (owedCents === 0) throw new AppError('CONFLICT', { message: 'Nothing is owed any more.' });
    const wanted = z.parse(writeOffWish, wish).parts.split(' ');
    const open = await owedFor(tx, fanId);
    if (!open.some((part) => wanted.includes(part)))
      throw new AppError('CONFLICT', {
        message: 'The debt that this is about is settled, and another is owed: refuse this, and let it be asked anew.',
      });
    if (owedCents > cents || open.some((part) => !wanted.includes(part)))
      throw new AppError('CONFLICT', { message: 'More is owed by now: refuse this, and let it be asked anew.' });
    await writeOffDebt(tx, fanId, ctx.clock.now());
    const decided = { actorId: askedBy, fanId, decision: 'writeOff', ground, cents: owedCents } as const;
    await keepDecision(ctx, tx, decided, { confirmedBy: confirmer.userId });
  },
});

/**
 * Decides about a fan. `actorId` is null for the command line. A block replaces the block for a debt and does not end
 * with the debt.
 * Throws NOT_FOUND (no such fan, or nothing to write off), CONFLICT (already blocked or unblocked).
 */
export async function decideDebt(
  ctx: Desk,
  actorId: string | null,
  fanId: string,
  { decision, ground }: Decision,
): Promise<View> {
  await ctx.db.transaction(async (tx) => {
    if (decision === 'writeOff' && actorId !== null) await lockMoneyActs(tx);
    const fan = await findUser(tx, fanId);
    if (fan?.type !== 'customer') throw new AppError('NOT_FOUND');
    await lockWallet(tx, fanId);
    if (decision === 'writeOff') return writeOff(ctx, tx, actorId, fan, ground);
    const { isBlocked, isForDebt, owedCents } = await standingOf(tx, fanId);
    const isSo = decision === 'block' ? isBlocked && !isForDebt : !isBlocked;
    if (isSo) throw new AppError('CONFLICT', { message: 'Spending is so already.' });
    await setSpendingBlocked(tx, fanId, decision === 'block');
    await keepDecision(ctx, tx, { actorId, fanId, decision, ground, cents: owedCents });
  });
  ctx.log.info({ fanId, actorId, decision }, 'a person decided on what a fan owes or may spend');
  const [view] = await present(ctx, [fanId]);
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}

type Changed = EventPayload<'debt.changed'>;

const MAILS: Readonly<Record<Changed['change'], { subject: string; text: (cents: string) => string }>> = {
  owed: {
    subject: 'Spending is blocked on your account',
    text: (cents) => `a payment of yours was taken back, and your balance did not cover all of it: ${cents} are owed.`,
  },
  workedOff: {
    subject: 'Part of your money went to what you owed',
    text: (cents) => `${cents} of what came into your balance were kept for what you owed.`,
  },
  writtenOff: { subject: 'You no longer owe us', text: (cents) => `we let go of the ${cents} that you owed.` },
  won: {
    subject: 'A chargeback was withdrawn',
    text: (cents) =>
      `the card’s bank has given a payment back to us, so its ${cents} of balance are yours again. What was still owed for it is settled by that.`,
  },
  notWon: {
    subject: 'A chargeback was not withdrawn',
    text: (cents) =>
      `we told you that a chargeback of yours was withdrawn. That was a mistake of ours, and its ${cents} of balance are taken back again.`,
  },
  blocked: {
    subject: 'Spending is blocked on your account',
    text: () => 'we have blocked spending on your account. Please write to us, so that we can look at it together.',
  },
  unblocked: { subject: 'You can spend again', text: () => 'spending is no longer blocked on your account.' },
};

function standing({ change, owedCents, isBlocked }: Changed): string {
  const owed = formatCents(asCents(owedCents));
  if (owedCents > 0 && isBlocked)
    return `You owe ${owed} in all. Until that is settled nothing can be bought with your balance. Add funds to settle it, or write to us if this is wrong.`;
  if (owedCents > 0) return `You still owe ${owed}. What you add to your balance goes there first.`;
  return isBlocked || change === 'unblocked' ? '' : 'You owe nothing, and can spend your balance.';
}

export async function debtMail(ctx: Pick<Context, 'config' | 'db' | 'mailer'>, changed: Changed): Promise<void> {
  const fan = await findUser(ctx.db, changed.fanId);
  if (!fan) return;
  const { subject, text } = MAILS[changed.change];
  await ctx.mailer.send(ctx.db, {
    to: fan.email,
    subject,
    text: [
      `Hello ${fan.username},`,
      text(formatCents(asCents(changed.cents))),
      standing(changed),
      `Your wallet shows every movement: ${ctx.config.publicUrl}${PATHS.fanWallet}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n')
      .concat('\n'),
  });
}
