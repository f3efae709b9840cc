/**
 * Statements are read in one database snapshot and checked to add up before they are delivered. A table is written to
 * an unlinked temporary file, so that a long one is not held in memory and a slow client holds no database connection.
 */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type downloadWalletStatement, PRINTED_LINES_MAX } from '@stagedoor/contract/finance/statements.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FileResponse, QueryOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Database, Executor } from '../../../platform/database/db.ts';
import { createConcurrencyLimit } from '../../../platform/limits/concurrency-limit.ts';
import type { Actor } from '../../../platform/security/session.ts';
import type { UtcPeriod } from '../../commerce/sales/index.ts';
import { requireUser } from '../../identity/accounts/index.ts';
import { type PrintedLine, readVerified, type StatementSource } from './model.ts';
import { printStatement } from './print.ts';
import type { StatementOwner } from './read.ts';
import { formatTableFoot, formatTableHead, formatTableLines } from './table.ts';
import * as texts from './texts.ts';

type StatementQuery = QueryOf<typeof downloadWalletStatement>;
export type ReadStatement = (db: Executor, owner: StatementOwner, period: UtcPeriod) => Promise<StatementSource>;

const DAY_MS = 86_400_000;

const toMidnight = (day: string) => new Date(`${day}T00:00:00.000Z`);

function toPeriod({ from, to }: StatementQuery): UtcPeriod {
  return { from: toMidnight(from), to: new Date(toMidnight(to).getTime() + DAY_MS) };
}

/** Opens a temporary file that is already unlinked. It disappears when it is closed or the process ends. */
async function openTemporaryFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'stagedoor-statement-'));
  try {
    return await open(join(folder, 'table'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeTable(source: StatementSource, { from, to }: StatementQuery): Promise<Omit<FileResponse, 'name'>> {
  const file = await openTemporaryFile();
  try {
    await file.appendFile(formatTableHead(source, from));
    const summary = await readVerified(source, async (lines) => void (await file.appendFile(formatTableLines(lines))));
    await file.appendFile(formatTableFoot(source, to, summary));
    const { size } = await file.stat();
    return { type: 'text/csv; charset=utf-8', bytes: size, body: file.createReadStream({ start: 0 }) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Throws when the statement does not add up. */
export function writeStatement(
  db: Database,
  read: ReadStatement,
  owner: StatementOwner,
  query: Pick<StatementQuery, 'from' | 'to' | 'format'>,
): Promise<Omit<FileResponse, 'name'> & { side: string }> {
  return db.snapshot(async (snapshot) => {
    const source = await read(snapshot, owner, toPeriod(query));
    return { side: source.side, ...(await writeTable(source, query)) };
  });
}

async function collectLines(source: StatementSource) {
  const lines: PrintedLine[] = [];
  const summary = await readVerified(
    source,
    (page) => void lines.push(...page.slice(0, PRINTED_LINES_MAX - lines.length)),
  );
  return { lines, summary };
}

/**
 * Limits how many statements are made at once, with one per user. Throws RATE_LIMITED for a second one and when too
 * many wait.
 */
export function createStatementService({ db, clock, config }: Context) {
  const byUser = createConcurrencyLimit({
    max: 1,
    createError: () => new AppError('RATE_LIMITED', { message: texts.statementBeingGenerated }),
  });
  const all = createConcurrencyLimit({ max: 3, maxWaiting: 20, createError: () => new AppError('RATE_LIMITED') });

  async function printPdf(
    read: ReadStatement,
    actor: Actor,
    query: StatementQuery,
  ): Promise<Omit<FileResponse, 'name'> & { side: string }> {
    const { user, source, ...collected } = await db.snapshot(async (snapshot) => {
      const own = await read(snapshot, actor, toPeriod(query));
      return { source: own, user: await requireUser(snapshot, actor.userId), ...(await collectLines(own)) };
    });
    const { side, opening, closing } = source;
    const bytes = await printStatement({
      side,
      opening,
      closing,
      ...collected,
      ...query,
      user: { name: user.name, username: user.username },
      madeAt: clock.now(),
      publicUrl: config.publicUrl,
    });
    return {
      side,
      type: 'application/pdf',
      bytes: bytes.length,
      body: (async function* () {
        yield bytes;
      })(),
    };
  }

  async function writeFormat(
    read: ReadStatement,
    actor: Actor,
    query: StatementQuery,
  ): Promise<Omit<FileResponse, 'name'> & { side: string }> {
    if (query.format === 'pdf') return printPdf(read, actor, query);
    return writeStatement(db, read, actor, query);
  }

  return async (read: ReadStatement, actor: Actor, query: StatementQuery): Promise<FileResponse> => {
    const { side, ...file } = await byUser.run(() => all.run(() => writeFormat(read, actor, query)), actor.userId);
    return { name: `stagedoor-${side}-${query.from}-to-${query.to}.${query.format}`, ...file };
  };
}
