/** Creates the demo data on the first start. Every step is idempotent, so that an interrupted start continues. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { depositReferralEarnings } from '@stagedoor/contract/finance/affiliates.ts';
import { type ExportSource, reconcile } from '../modules/commerce/reconciliation/index.ts';
import { renewDueSubscriptions } from '../modules/content/subscriptions/index.ts';
import {
  createStaffCode,
  createStaffCodeMail,
  hashPassword,
  hasStaffCode,
} from '../modules/identity/accounts/index.ts';
import { clearDue } from '../modules/ledger/ledger/index.ts';
import type { Context } from '../platform/context.ts';
import { createLogger } from '../platform/log.ts';
import { createCases } from './cases.ts';
import { markConversationsRead } from './chats.ts';
import { createUser, importPictures } from './creators.ts';
import type { DemoContext } from './demo-context.ts';
import { createExportRows } from './deposit.ts';
import { ALL_FANS, createHistory, getJoinTime, hasJustJoined, PICTURES_DAYS_AGO } from './history.ts';
import { createRecentEvents, markOldRead } from './notifications.ts';
import { openPastApp } from './past-app.ts';
import { performAction } from './perform-action.ts';
import { createAnnouncements, seedCompanyDetails, toggleUploads, trySettings } from './platform-settings.ts';
import { POSTS } from './posts.ts';
import { createTeamAndPrivacy } from './team.ts';
import { setGoalsAndPins } from './tip-goals.ts';
import { createPendingCreator, createVerifiedCreator } from './verifications.ts';
import { CREATORS, DEBTOR, DEMO_PASSWORD, FANS, HELPER, OPERATOR, OPERATORS, PENDING_CREATOR } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;
const ART = fileURLToPath(new URL('./art/', import.meta.url));
const LOCK = 7_203_114_911;
const SETTING_KEY = 'demo';

export type SeedOptions = {
  ctx: Context;
  databaseUrl: string;
  print: (line: string) => void;
  readArt?: (name: string) => Promise<Buffer>;
  signal?: AbortSignal;
};
/** `foreign`: the database contains other users. */
export type SeedResult = 'made' | 'present' | 'foreign';

/** `isHistoryDone`: the history is complete and must not run again, because later changes would interfere. */
type Marker = { epoch: string; isDone: boolean; isHistoryDone?: boolean };

function isMarker(value: unknown): value is Marker {
  return typeof value === 'object' && value !== null && 'epoch' in value && 'isDone' in value;
}

async function readMarker({ db }: Context): Promise<Marker | undefined> {
  const row = await db.query.selectFrom('settings').select('value').where('key', '=', SETTING_KEY).executeTakeFirst();
  return isMarker(row?.value) ? row.value : undefined;
}

async function writeMarker({ db, clock }: Context, marker: Marker): Promise<void> {
  const row = { key: SETTING_KEY, value: JSON.stringify(marker), updated_at: clock.now() };
  await db.query
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}

function createProgress({ print, signal }: SeedOptions, label: string, total: number): () => void {
  const step = Math.max(1, Math.ceil(total / 12));
  let done = 0;
  return () => {
    signal?.throwIfAborted();
    done += 1;
    if (done % step === 0 || done === total) print(`  ${label} ${done}/${total}`);
  };
}

async function performHistory(
  context: DemoContext,
  pictures: Map<string, string>,
  options: SeedOptions,
): Promise<void> {
  const { pastApp, epoch } = context;
  const actions = createHistory(epoch);
  const printProgress = createProgress(options, 'Creating eight weeks of activity…', actions.length);
  const posts = new Map<number, string>();
  let previousDay = 0;
  for (const action of actions) {
    const day = Math.floor(action.at.getTime() / DAY_MS);
    if (day !== previousDay) {
      // Events are delivered before new users join who would also receive them.
      await pastApp.waitUntilIdle();
      await clearDue(pastApp.ctx.db, new Date(day * DAY_MS));
      pastApp.moveTo(new Date(day * DAY_MS));
      await renewDueSubscriptions(pastApp.ctx);
    }
    previousDay = day;
    await performAction(context, action, pictures, posts);
    printProgress();
  }
  pastApp.moveTo(epoch);
  await renewDueSubscriptions(pastApp.ctx);
  await setGoalsAndPins(context, posts);
  await pastApp.waitUntilIdle();
}

/** Adds accounts that joined during the completed history and logs in all users. */
async function logInAgain(context: DemoContext): Promise<void> {
  const { pastApp, epoch } = context;
  pastApp.moveTo(epoch);
  for (const { username, name } of ALL_FANS) {
    await createUser(context, { type: 'customer', username, name });
    await pastApp.logIn(username);
  }
  for (const { username, profile } of CREATORS) {
    await createUser(context, { type: 'creator', username, name: profile.name });
    await pastApp.logIn(username);
  }
}

/** The export contains one more payment than was credited. */
async function reconcilePayments({ pastApp, epoch }: DemoContext): Promise<void> {
  pastApp.moveTo(epoch);
  const rows = createExportRows(pastApp, createHistory(epoch));
  const exportRows: ExportSource['exportRows'] = async (from, to) => ({
    rows: rows.filter(({ at }) => at !== undefined && at >= from && at <= to),
    unreadable: [],
    isEmpty: false,
  });
  // The difference must not be logged as an alarm.
  const log = createLogger({ level: 'silent', isPretty: false });
  await reconcile({ ...pastApp.ctx, log }, { dataLink: { exportRows } });
}

async function moveEarningsToBalance({ pastApp, ids }: DemoContext): Promise<void> {
  const request = {
    as: 'demo.fan',
    key: 'take earnings',
    params: { id: ids.get('demo.fan') ?? '' },
    body: { amount: 5 },
  };
  await pastApp.call(depositReferralEarnings, request);
}

async function createDemo(options: SeedOptions, { epoch: at, isHistoryDone }: Marker): Promise<void> {
  const epoch = new Date(at);
  const { ctx, databaseUrl, readArt = (name) => readFile(path.join(ART, `${name}.webp`)) } = options;
  const pastApp = await openPastApp(ctx, databaseUrl, getJoinTime({ joinedDaysAgo: 60 }, epoch));
  try {
    const creators = CREATORS.filter((creator) => !hasJustJoined(creator));
    const visiblePosts = POSTS.filter((post) => creators.some(({ key }) => key === post.creator));
    const pictures = visiblePosts.reduce((sum, post) => sum + post.pictures.length, 2 * creators.length);
    const printProgress = createProgress(options, 'Processing the pictures…', pictures);
    const passwordHash = await hashPassword(DEMO_PASSWORD);
    const context: DemoContext = { pastApp, epoch, passwordHash, readArt, printProgress, ids: new Map() };
    await seedCompanyDetails(pastApp.ctx);
    for (const operator of OPERATORS) await createUser(context, { type: 'operator', ...operator });
    for (const creator of creators.toSorted((a, b) => b.joinedDaysAgo - a.joinedDaysAgo))
      await createVerifiedCreator(context, creator);
    const operatorId = context.ids.get(OPERATOR.username) ?? '';
    const uploadsDisabledAt = getJoinTime({ joinedDaysAgo: PICTURES_DAYS_AGO + 1 }, epoch);
    await createAnnouncements(pastApp, operatorId, uploadsDisabledAt, epoch);
    await toggleUploads(pastApp, operatorId, uploadsDisabledAt);
    await trySettings(pastApp, operatorId, new Date(uploadsDisabledAt.getTime() + 4 * 60 * 60_000));
    pastApp.moveTo(new Date(epoch.getTime() - PICTURES_DAYS_AGO * DAY_MS));
    // Affiliates earn from their creators from now on.
    await pastApp.waitUntilIdle();
    if (isHistoryDone) await logInAgain(context);
    else {
      await performHistory(context, await importPictures(context, creators), options);
      await writeMarker(ctx, { epoch: at, isDone: false, isHistoryDone: true });
    }
    await createPendingCreator(context);
    await moveEarningsToBalance(context);
    await createCases(context);
    options.print('  Preparing the admin console and the chats…');
    await reconcilePayments(context);
    await pastApp.waitUntilIdle();
    await markConversationsRead(context);
    await createTeamAndPrivacy(context);
    await pastApp.waitUntilIdle();
    await createRecentEvents(context);
    await markOldRead(context);
  } finally {
    await pastApp.close();
  }
}

function printAccounts(print: (line: string) => void): void {
  const printLine = (username: string, label: string) => print(`    ${username.padEnd(18)} ${label}`);
  print('');
  print(`  The demo world is ready. The password of every account is ${DEMO_PASSWORD}`);
  for (const { username, profile } of CREATORS)
    printLine(username, `creator: ${profile.name}, ${profile.craft}, ${profile.city}`);
  for (const { username, name } of FANS) printLine(username, `fan: ${name}`);
  printLine(HELPER, 'fan, who also acts for Mirele Okonkwo as one of her team');
  printLine(DEBTOR.username, `fan: ${DEBTOR.name}, who owes since a chargeback`);
  printLine(PENDING_CREATOR.username, `creator: ${PENDING_CREATOR.name}, who waits to be verified`);
  for (const { username, roles } of OPERATORS)
    printLine(
      username,
      `operator (${roles.join(', ')}), who sets up two-factor authentication with a code from /dev/mailbox`,
    );
}

/** Operators without a factor need a valid code, which is in the development mailbox. */
export async function mailDemoStaffCodes(ctx: Context): Promise<void> {
  const rows = await ctx.db.query
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .where(
      'username',
      'in',
      OPERATORS.map(({ username }) => username),
    )
    .where('two_factor_enabled_at', 'is', null)
    .execute();
  await ctx.db.transaction(async (tx) => {
    for (const user of rows)
      if (!(await hasStaffCode(tx, user.id, ctx.clock.now())))
        await ctx.mailer.send(
          tx,
          createStaffCodeMail(user, ctx.config.publicUrl, await createStaffCode(ctx, tx, user)),
        );
  });
}

export const DEMO_REMINDER = `Demo world: log in as demo.creator, demo.fan or ${OPERATOR.username} with ${DEMO_PASSWORD}`;

/** One process at a time. Costs one query if the demo is complete. */
export async function seedDemo(options: SeedOptions): Promise<SeedResult> {
  const { ctx, print } = options;
  if ((await readMarker(ctx))?.isDone) return 'present';
  const lockClient = await ctx.db.pool.connect();
  try {
    // Another process may hold the lock for minutes.
    await lockClient.query('set lock_timeout = 0');
    await lockClient.query('select pg_advisory_lock($1)', [LOCK]);
    const marker = await readMarker(ctx);
    if (marker?.isDone) return 'present';
    if (!marker && (await ctx.db.query.selectFrom('users').select('id').limit(1).executeTakeFirst())) return 'foreign';
    const started = marker ?? { epoch: ctx.clock.now().toISOString(), isDone: false };
    if (!marker) await writeMarker(ctx, started);
    print(marker ? '  Finishing the demo world.' : '  First start: making the demo world.');
    await createDemo(options, started);
    await writeMarker(ctx, { ...started, isDone: true });
    printAccounts(print);
    return 'made';
  } finally {
    lockClient.release(true);
  }
}
