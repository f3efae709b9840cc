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
  if (cents === 0) throw new AppError('NOT_FOUND', { message: 'No outstanding balance.' });
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
    if (owedCents === 0) throw new AppError('CONFLICT', { message: 'The debt is already settled.' });
    const wanted = z.parse(writeOffWish, wish).parts.split(' ');
    const open = await owedFor(tx, fanId);
    if (!open.some((part) => wanted.includes(part)))
      throw new AppError('CONFLICT', {
        message: 'The original debt is settled and there is a new one. Reject this and request it again.',
      });
    if (owedCents > cents || open.some((part) => !wanted.includes(part)))
      throw new AppError('CONFLICT', { message: 'The debt has grown. Reject this and request it again.' });
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
    if (isSo)
      throw new AppError('CONFLICT', {
        message: `Spending is already ${decision === 'block' ? 'blocked' : 'allowed'}.`,
      });
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
    subject: 'Spending is paused on your account',
    text: (cents) => `One of your payments was reversed and your balance didn’t cover it. You owe ${cents}.`,
  },
  workedOff: {
    subject: 'Part of your funds paid your outstanding balance',
    text: (cents) => `${cents} of the funds added to your balance was used to pay what you owed.`,
  },
  writtenOff: { subject: 'Your debt was canceled', text: (cents) => `We canceled the ${cents} you owed.` },
  won: {
    subject: 'A chargeback was reversed',
    text: (cents) => `Your bank reversed a chargeback, so ${cents} is back in your balance and nothing is owed for it.`,
  },
  notWon: {
    subject: 'A chargeback was reinstated',
    text: (cents) =>
      `We told you that a chargeback was reversed. That was our mistake. ${cents} was removed from your balance.`,
  },
  blocked: {
    subject: 'Spending is paused on your account',
    text: () => 'We paused spending on your account. Contact us to resolve this.',
  },
  unblocked: { subject: 'You can spend again', text: () => 'Spending is no longer paused on your account.' },
};

function standing({ change, owedCents, isBlocked }: Changed): string {
  const owed = formatCents(asCents(owedCents));
  if (owedCents > 0 && isBlocked)
    return `You owe ${owed} in total. You can’t spend until it’s paid. Add funds to pay it off, or contact us if this is a mistake.`;
  if (owedCents > 0) return `You still owe ${owed}. Funds you add pay this off first.`;
  return isBlocked || change === 'unblocked' ? '' : 'You don’t owe anything and can spend your balance.';
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
      `See your transactions: ${ctx.config.publicUrl}${PATHS.fanWallet}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n')
      .concat('\n'),
  });
}
