/** Each change is logged, and the log is the history of the switches. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { MAINTENANCE_WORDS, STOPPED_WORDS, SWITCHES } from '@stagedoor/contract/atoms/switches.ts';
import {
  type listSwitches,
  SETTINGS,
  type Setting,
  type Standing,
  type SwitchView,
  type setSwitch,
} from '@stagedoor/contract/switches-desk.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import type { House } from '../../kernel/switches.ts';
import { noteAct } from '../audit/index.ts';
import { changedPriceLimits } from '../sales/index.ts';
import { readAnnounced } from './announcements.ts';

type Row = { name: string; isStopped: boolean; words: string; changedAt: Date };

const COLUMNS = 'name, is_stopped as "isStopped", words, changed_at as "changedAt"';
const LIST: Statement = { name: 'switches-list', text: `select ${COLUMNS} from switches` };
/** Also serializes changes of a switch that was never set. */
const LOCK: Statement = {
  name: 'switch-lock',
  text: `insert into switches (name, is_stopped, words, changed_at) values ($1, false, '', $2)
    on conflict (name) do update set name = excluded.name returning ${COLUMNS}`,
};
const TURN: Statement = {
  name: 'switch-turn',
  text: 'update switches set is_stopped = $2, words = $3, changed_at = $4 where name = $1',
};

export async function readHouse({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<House> {
  const [rows, announced, prices] = await Promise.all([
    db.run<Row>(LIST, []),
    readAnnounced(db, clock.now()),
    changedPriceLimits(db),
  ]);
  const wordsOf = (name: Setting, usual: string) => {
    const row = rows.find((one) => one.name === name && one.isStopped);
    return row && (row.words || usual);
  };
  const stopped = SWITCHES.flatMap((name) => {
    const words = wordsOf(name, STOPPED_WORDS[name]);
    return words === undefined ? [] : [[name, words] as const];
  });
  return {
    stopped: Object.fromEntries(stopped),
    maintenance: wordsOf('maintenance', MAINTENANCE_WORDS),
    announced,
    prices,
  };
}

const present = (name: Setting, row: Row | undefined): SwitchView => ({
  name,
  isStopped: row?.isStopped ?? false,
  words: row?.words ?? '',
  changedAt: row?.changedAt.toISOString() ?? null,
});

export async function viewSwitches(db: Executor): Promise<AnswerOf<typeof listSwitches>> {
  const rows = await db.run<Row>(LIST, []);
  return {
    data: SETTINGS.map((name) =>
      present(
        name,
        rows.find((row) => row.name === name),
      ),
    ),
  };
}

const isAs = (one: Standing, other: Standing) => one.isStopped === other.isStopped && one.words === other.words;

async function write(ctx: Context, tx: Transaction, operatorId: string, change: Change): Promise<void> {
  const { name, before, to, ground } = change;
  await tx.run(TURN, [name, to.isStopped, to.words, ctx.clock.now()]);
  await tx.emit('switch.changed', { name });
  await noteAct(ctx, tx, {
    operatorId,
    act: 'switch.set',
    subjectKind: 'switch',
    subjectId: name,
    facts: {
      ...{ isStopped: to.isStopped, isStoppedBefore: before.isStopped, ground },
      ...(to.words !== before.words && { words: to.words, wordsBefore: before.words }),
    },
  });
}
type Change = { name: Setting; before: Row; to: Standing; ground: string };

/**
 * Sets a switch. Throws CONFLICT when it has changed since the operator loaded it. Setting the present state logs
 * nothing.
 */
export async function turn(
  ctx: Context,
  operatorId: string,
  name: Setting,
  { from, to, ground }: BodyOf<typeof setSwitch>,
): Promise<AnswerOf<typeof setSwitch>> {
  await ctx.db.transaction(async (tx) => {
    const [before] = await tx.run<Row>(LOCK, [name, ctx.clock.now()]);
    if (!before) throw new Error('an upsert always answers a row');
    if (isAs(before, to)) return;
    if (!isAs(before, from))
      throw new AppError('CONFLICT', { message: 'Someone else changed this. Showing the current state.' });
    await write(ctx, tx, operatorId, { name, before, to, ground });
  });
  ctx.switches.forget();
  const { data } = await viewSwitches(ctx.db);
  const view = data.find((one) => one.name === name);
  if (!view) throw new Error('each switch has a view');
  return view;
}
