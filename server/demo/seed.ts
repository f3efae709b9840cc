/** Creates the demo data on the first start. Every step is idempotent, so that an interrupted start continues. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { depositFromReferrals } from '@stagedoor/contract/affiliates.ts';
import { hashPassword } from '../features/accounts/index.ts';
import { clearDue } from '../features/ledger/index.ts';
import { type BooksOf, reconcile } from '../features/payments/index.ts';
import type { Context } from '../kernel/context.ts';
import { createLogger } from '../kernel/log.ts';
import { catchUp, liveOn } from './alerts.ts';
import { readTalks } from './chats.ts';
import { exportOf } from './deposit.ts';
import { speakUp } from './heard.ts';
import { EVERY_FAN, hasJustJoined, joinedAt, PICTURES_DAYS_AGO, tellHistory } from './history.ts';
import { announceThings, moveDisks, sayWhoRunsIt, tryOtherTerms } from './house.ts';
import { letIn, waitAtTheDoor } from './papers.ts';
import { openPast } from './past.ts';
import { perform } from './perform.ts';
import { POSTS } from './posts.ts';
import { hang, join, type Stage } from './studio.ts';
import { getHelp } from './team.ts';
import { dressWindows } from './windows.ts';
import { CREATORS, DEBTOR, DEMO_PASSWORD, FANS, HELPER, NEWCOMER, OPERATOR, OPERATORS } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;
const ART = fileURLToPath(new URL('./art/', import.meta.url));
const LOCK = 7_203_114_911;
const SETTING = 'demo';

export type SeedOptions = {
  ctx: Context;
  databaseUrl: string;
  print: (line: string) => void;
  readArt?: (name: string) => Promise<Buffer>;
  signal?: AbortSignal;
};
/** `foreign`: the database contains other users. */
export type Seeded = 'made' | 'present' | 'foreign';

/** `isLived`: the history is complete and must not run again, because later changes would interfere. */
type Marker = { epoch: string; isDone: boolean; isLived?: boolean };

function isMarker(value: unknown): value is Marker {
  return typeof value === 'object' && value !== null && 'epoch' in value && 'isDone' in value;
}

async function readMarker({ db }: Context): Promise<Marker | undefined> {
  const row = await db.query.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  return isMarker(row?.value) ? row.value : undefined;
}

async function writeMarker({ db, clock }: Context, marker: Marker): Promise<void> {
  const row = { key: SETTING, value: JSON.stringify(marker), updated_at: clock.now() };
  await db.query
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}

function counter({ print, signal }: SeedOptions, words: string, total: number): () => void {
  const step = Math.max(1, Math.ceil(total / 12));
  let done = 0;
  return () => {
    signal?.throwIfAborted();
    done += 1;
    if (done % step === 0 || done === total) print(`  ${words} ${done}/${total}`);
  };
}

async function letTimePass(stage: Stage, pictures: Map<string, string>, options: SeedOptions): Promise<void> {
  const { past, epoch } = stage;
  const acts = tellHistory(epoch);
  const tick = counter(options, 'Letting eight weeks pass…', acts.length);
  const posts = new Map<number, string>();
  let night = 0;
  for (const act of acts) {
    const day = Math.floor(act.at.getTime() / DAY_MS);
    if (day !== night) {
      // Events are delivered before new users join who would also receive them.
      await past.settle();
      await clearDue(past.ctx.db, new Date(day * DAY_MS));
    }
    night = day;
    await perform(stage, act, pictures, posts);
    tick();
  }
  past.moveTo(epoch);
  await dressWindows(stage, posts);
  await past.settle();
}

/** Adds accounts that joined during the completed history and logs in all users. */
async function logInAgain(stage: Stage): Promise<void> {
  const { past, epoch } = stage;
  past.moveTo(epoch);
  for (const { username, name } of EVERY_FAN) {
    await join(stage, { type: 'customer', username, name });
    await past.logIn(username);
  }
  for (const { username, profile } of CREATORS) {
    await join(stage, { type: 'creator', username, name: profile.name });
    await past.logIn(username);
  }
}

/** The export contains one more payment than was credited. */
async function compareBooks({ past, epoch }: Stage): Promise<void> {
  past.moveTo(epoch);
  const rows = exportOf(past, tellHistory(epoch));
  const exportRows: BooksOf['exportRows'] = async (from, to) => ({
    rows: rows.filter(({ at }) => at !== undefined && at >= from && at <= to),
    unreadable: [],
    isSilent: false,
  });
  // The difference must not be logged as an alarm.
  const log = createLogger({ level: 'silent', isPretty: false });
  await reconcile({ ...past.ctx, log }, { dataLink: { exportRows } });
}

async function takeEarnings({ past, ids }: Stage): Promise<void> {
  const request = {
    as: 'demo.fan',
    key: 'take earnings',
    params: { id: ids.get('demo.fan') ?? '' },
    body: { amount: 5 },
  };
  await past.call(depositFromReferrals, request);
}

async function make(options: SeedOptions, { epoch: at, isLived }: Marker): Promise<void> {
  const epoch = new Date(at);
  const { ctx, databaseUrl, readArt = (name) => readFile(path.join(ART, `${name}.webp`)) } = options;
  const past = await openPast(ctx, databaseUrl, joinedAt({ joinedDaysAgo: 60 }, epoch));
  try {
    const creators = CREATORS.filter((creator) => !hasJustJoined(creator));
    const hung = POSTS.filter((post) => creators.some(({ key }) => key === post.creator));
    const pictures = hung.reduce((sum, post) => sum + post.pictures.length, 2 * creators.length);
    const tick = counter(options, 'Hanging the pictures…', pictures);
    const passwordHash = await hashPassword(DEMO_PASSWORD);
    const stage: Stage = { past, epoch, passwordHash, readArt, tick, ids: new Map() };
    await sayWhoRunsIt(past.ctx);
    for (const operator of OPERATORS) await join(stage, { type: 'operator', ...operator });
    for (const creator of creators.toSorted((a, b) => b.joinedDaysAgo - a.joinedDaysAgo)) await letIn(stage, creator);
    const operatorId = stage.ids.get(OPERATOR.username) ?? '';
    const moving = joinedAt({ joinedDaysAgo: PICTURES_DAYS_AGO + 1 }, epoch);
    await announceThings(past, operatorId, moving, epoch);
    await moveDisks(past, operatorId, moving);
    await tryOtherTerms(past, operatorId, new Date(moving.getTime() + 4 * 60 * 60_000));
    past.moveTo(new Date(epoch.getTime() - PICTURES_DAYS_AGO * DAY_MS));
    // Affiliates earn from their creators from now on.
    await past.settle();
    if (isLived) await logInAgain(stage);
    else {
      await letTimePass(stage, await hang(stage, creators), options);
      await writeMarker(ctx, { epoch: at, isDone: false, isLived: true });
    }
    await waitAtTheDoor(stage);
    await takeEarnings(stage);
    await speakUp(stage);
    options.print('  Opening the desk, the chats and the doors…');
    await compareBooks(stage);
    await past.settle();
    await readTalks(stage);
    await getHelp(stage);
    await past.settle();
    await liveOn(stage);
    await catchUp(stage);
  } finally {
    await past.close();
  }
}

function tellWhoIsThere(print: (line: string) => void): void {
  const line = (username: string, words: string) => print(`    ${username.padEnd(18)} ${words}`);
  print('');
  print(`  The demo world is ready. Everybody's password is ${DEMO_PASSWORD}`);
  for (const { username, profile } of CREATORS)
    line(username, `creator: ${profile.name}, ${profile.craft}, ${profile.city}`);
  for (const { username, name } of FANS) line(username, `fan: ${name}`);
  line(HELPER, 'fan, who also acts for Mirele Okonkwo as one of her team');
  line(DEBTOR.username, `fan: ${DEBTOR.name}, who owes since a chargeback`);
  line(NEWCOMER.username, `creator: ${NEWCOMER.name}, who waits to be verified`);
  for (const { username, roles } of OPERATORS)
    line(username, `operator (${roles.join(', ')}), who can act once two-factor authentication is set up`);
}

export const DEMO_REMINDER = `Demo world: log in as demo.creator, demo.fan or ${OPERATOR.username} with ${DEMO_PASSWORD}`;

/** One process at a time. Costs one query if the demo is complete. */
export async function seedDemo(options: SeedOptions): Promise<Seeded> {
  const { ctx, print } = options;
  if ((await readMarker(ctx))?.isDone) return 'present';
  const guard = await ctx.db.pool.connect();
  try {
    // Another process may hold the lock for minutes.
    await guard.query('set lock_timeout = 0');
    await guard.query('select pg_advisory_lock($1)', [LOCK]);
    const marker = await readMarker(ctx);
    if (marker?.isDone) return 'present';
    if (!marker && (await ctx.db.query.selectFrom('users').select('id').limit(1).executeTakeFirst())) return 'foreign';
    const begun = marker ?? { epoch: ctx.clock.now().toISOString(), isDone: false };
    if (!marker) await writeMarker(ctx, begun);
    print(marker ? '  Finishing the demo world.' : '  First start: making the demo world.');
    await make(options, begun);
    await writeMarker(ctx, { ...begun, isDone: true });
    tellWhoIsThere(print);
    return 'made';
  } finally {
    guard.release(true);
  }
}
