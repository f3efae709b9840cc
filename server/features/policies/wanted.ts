import { asCents, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { decideWantedSetting, GuardName, listWantedSettings } from '@stagedoor/contract/wanted-settings.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { decideWanted, wantedSettings } from '../operators/index.ts';
import { lockPayoutSettings, payoutSettings, setPayoutGuard } from '../payouts/index.ts';
import { changeSalesSettings, lockFees, salesSettings } from '../sales/index.ts';

type Guard = {
  of: 'fees' | 'payouts';
  read: (db: Executor) => Promise<number>;
  set: (tx: Transaction, value: number) => Promise<unknown>;
};
const GUARDS: Readonly<Record<GuardName, Guard>> = {
  secondApprover: {
    of: 'payouts',
    read: async (db) => toUsd(asCents((await payoutSettings(db)).secondApproverCents)),
    set: (tx, value) => setPayoutGuard(tx, { secondApproverCents: toCents(value) }),
  },
  coolingHours: {
    of: 'payouts',
    read: async (db) => (await payoutSettings(db)).coolingHours,
    set: (tx, value) => setPayoutGuard(tx, { coolingHours: value }),
  },
  clearingDays: {
    of: 'fees',
    read: async (db) => (await salesSettings(db)).clearingDays,
    set: (tx, value) => changeSalesSettings(tx, { clearingDays: value }),
  },
  dailySpend: {
    of: 'fees',
    read: async (db) => toUsd((await salesSettings(db)).dailyLimitCents),
    set: (tx, value) => changeSalesSettings(tx, { dailyLimitCents: toCents(value) }),
  },
};

export async function viewWanted({ db }: Pick<Context, 'db'>): Promise<AnswerOf<typeof listWantedSettings>> {
  const wanted = await wantedSettings(db);
  const people = await findPeople(
    db,
    wanted.map(({ operatorId }) => operatorId),
  );
  const data = wanted.map(async ({ name, value, operatorId, ground, at }) => ({
    name,
    from: await GUARDS[name].read(db),
    to: value,
    operator: people.get(operatorId)?.username ?? operatorId,
    ground,
    at: at.toISOString(),
  }));
  return { data: await Promise.all(data) };
}

/** Throws CONFLICT as `decideWanted` of the operators module. */
export async function decideSetting(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  name: GuardName,
  { decision, to, ground }: BodyOf<typeof decideWantedSetting>,
): Promise<AnswerOf<typeof decideWantedSetting>> {
  const { of, read, set } = GUARDS[name];
  await ctx.db.transaction(async (tx) => {
    // Setting them directly takes the same lock.
    await (of === 'fees' ? lockFees(tx) : lockPayoutSettings(tx));
    const before = await read(tx);
    const isConfirmed = decision === 'confirm';
    const wanted = await decideWanted(ctx, tx, { operatorId, name, value: to, isConfirmed });
    if (isConfirmed) {
      await set(tx, to);
      if (of === 'fees') await tx.emit('house.changed', {});
    }
    const changed = isConfirmed ? { [name]: to, [`${name}Before`]: before } : { [`${name}Refused`]: to };
    await noteAct(ctx, tx, {
      operatorId,
      act: `settings.${of}.${decision}`,
      subjectKind: 'settings',
      subjectId: of,
      facts: { ground, wantedBy: wanted.operatorId, ...changed },
    });
  });
  return viewWanted(ctx);
}
