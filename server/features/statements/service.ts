/**
 * Statements are read in one database snapshot and checked to add up before they are delivered. A table is written to
 * an unlinked temporary file, so that a long one is not held in memory and a slow client holds no database connection.
 */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FileAnswer, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { PRINTED_LINES, type walletStatement } from '@stagedoor/contract/statements.ts';
import type { Context } from '../../kernel/context.ts';
import type { Database, Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { requireUser } from '../accounts/index.ts';
import type { Period } from '../sales/index.ts';
import { type Line, type Source, walk } from './model.ts';
import { print } from './print.ts';
import type { Owner } from './read.ts';
import { tableFoot, tableHead, tableLines } from './table.ts';

type Asked = QueryOf<typeof walletStatement>;
export type Read = (db: Executor, owner: Owner, period: Period) => Promise<Source>;

const DAY_MS = 86_400_000;
const AT_ONCE = 3;
const MOST_WAITING = 20;

const midnight = (day: string) => new Date(`${day}T00:00:00.000Z`);

function periodOf({ from, to }: Asked): Period {
  return { from: midnight(from), to: new Date(midnight(to).getTime() + DAY_MS) };
}

/** Opens a temporary file that is already unlinked. It disappears when it is closed or the process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'stagedoor-statement-'));
  try {
    return await open(join(folder, 'table'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeTable(source: Source, { from, to }: Asked): Promise<Omit<FileAnswer, 'name'>> {
  const file = await openUnnamed();
  try {
    await file.appendFile(tableHead(source, from));
    const summary = await walk(source, async (lines) => void (await file.appendFile(tableLines(lines))));
    await file.appendFile(tableFoot(source, to, summary));
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
  read: Read,
  owner: Owner,
  asked: Pick<Asked, 'from' | 'to' | 'format'>,
): Promise<Omit<FileAnswer, 'name'> & { side: string }> {
  return db.snapshot(async (snapshot) => {
    const source = await read(snapshot, owner, periodOf(asked));
    return { side: source.side, ...(await writeTable(source, asked)) };
  });
}

async function collect(source: Source) {
  const lines: Line[] = [];
  const summary = await walk(source, (page) => void lines.push(...page.slice(0, PRINTED_LINES - lines.length)));
  return { lines, summary };
}

/**
 * Limits how many statements are made at once, with one per user. Throws RATE_LIMITED for a second one and when too
 * many wait.
 */
export function createDesk({ db, clock, config }: Context) {
  let making = 0;
  const waiting: (() => void)[] = [];
  const people = new Set<string>();

  async function enter(): Promise<void> {
    if (making < AT_ONCE) making += 1;
    else if (waiting.length >= MOST_WAITING) throw new AppError('RATE_LIMITED');
    else await new Promise<void>((resolve) => void waiting.push(resolve));
  }
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else making -= 1;
  }

  async function printed(read: Read, actor: Actor, asked: Asked): Promise<Omit<FileAnswer, 'name'> & { side: string }> {
    const { person, source, ...collected } = await db.snapshot(async (snapshot) => {
      const own = await read(snapshot, actor, periodOf(asked));
      return { source: own, person: await requireUser(snapshot, actor.userId), ...(await collect(own)) };
    });
    const { side, opening, closing } = source;
    const bytes = await print({
      side,
      opening,
      closing,
      ...collected,
      ...asked,
      person: { name: person.name, username: person.username },
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

  async function made(read: Read, actor: Actor, asked: Asked): Promise<Omit<FileAnswer, 'name'> & { side: string }> {
    if (asked.format === 'pdf') return printed(read, actor, asked);
    return writeStatement(db, read, actor, asked);
  }

  return async (read: Read, actor: Actor, asked: Asked): Promise<FileAnswer> => {
    if (people.has(actor.userId)) throw new AppError('RATE_LIMITED', { message: 'Your statement is being generated.' });
    people.add(actor.userId);
    try {
      await enter();
      try {
        const { side, ...file } = await made(read, actor, asked);
        return { name: `stagedoor-${side}-${asked.from}-to-${asked.to}.${asked.format}`, ...file };
      } finally {
        leave();
      }
    } finally {
      people.delete(actor.userId);
    }
  };
}
