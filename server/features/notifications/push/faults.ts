/** Push services that refuse our requests or fail. They are stored for the operator until they accept a push again. */
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { listPushFaults } from '@stagedoor/contract/push-desk.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { keptMs } from '../../../kernel/retention.ts';
import type { Answer } from './wire.ts';

/** The result of one push. `kind` is undefined when it says nothing about the service. */
export type Tried = { service: string; kind: 'taken' | 'refused' | 'failing' | undefined; status: number | null };

/** A refusal points to a mistake of ours, no response or a 5xx to a failing service. 429 is neither. */
export function triedOf(service: string, answer: Answer): Tried {
  if (answer.is === 'refused') return { service, kind: 'refused', status: answer.status };
  if (answer.is === 'later' || answer.is === 'unknown') {
    const status = answer.status ?? null;
    return { service, kind: status === 429 ? undefined : 'failing', status };
  }
  return { service, kind: answer.is === 'unfit' ? undefined : 'taken', status: null };
}

const NOTE: Statement = {
  name: 'push-fault-note',
  text: `insert into push_faults as f (service, kind, status, since, last_at, pushes) values ($1, $2, $3, $4, $4, $5)
    on conflict (service) do update set kind = case when f.kind = 'refused' then f.kind else excluded.kind end,
      status = coalesce(excluded.status, f.status), last_at = excluded.last_at, pushes = f.pushes + excluded.pushes`,
};
const OVER: Statement = { name: 'push-fault-over', text: 'delete from push_faults where service = any ($1::text[])' };
const KNOWN: Statement = { name: 'push-faults-known', text: 'select service from push_faults' };
const IS_ALARM = "(kind = 'refused' or last_at - since >= interval '10 minutes')";
const LIST: Statement = {
  name: 'push-faults-list',
  text: `select service, kind, status, since, last_at as "lastAt", pushes, ${IS_ALARM} as "isAlarm" from push_faults order by since, service`,
};
const COUNT: Statement = {
  name: 'push-faults-count',
  text: `select count(*)::int as count, min(since) as since from push_faults where ${IS_ALARM}`,
};
const FORGET: Statement = { name: 'push-faults-forget', text: 'delete from push_faults where last_at < $1' };

export async function knownFaults(db: Executor): Promise<Set<string>> {
  return new Set((await db.run<{ service: string }>(KNOWN, [])).map(({ service }) => service));
}

/** Stores the results of a round. A service that accepted any push works. `known` is updated. */
export async function noteFaults(db: Executor, tried: readonly Tried[], known: Set<string>, now: Date): Promise<void> {
  const over: string[] = [];
  for (const [service, ones] of Map.groupBy(tried, (one) => one.service)) {
    const faults = ones.filter(({ kind }) => kind === 'refused' || kind === 'failing');
    if (ones.some(({ kind }) => kind === 'taken')) {
      if (known.delete(service)) over.push(service);
      continue;
    }
    if (faults.length === 0) continue;
    const worst = faults.find(({ kind }) => kind === 'refused') ?? faults[0];
    await db.run(NOTE, [service, worst?.kind, worst?.status, now, faults.length]);
    known.add(service);
  }
  if (over.length > 0) await db.run(OVER, [over]);
}

type Row = { service: string; kind: 'refused' | 'failing'; status: number | null; pushes: number; isAlarm: boolean };

export async function viewFaults(db: Executor): Promise<AnswerOf<typeof listPushFaults>> {
  const rows = await db.run<Row & { since: Date; lastAt: Date }>(LIST, []);
  const data = rows.map(({ since, lastAt, ...row }) => ({
    ...row,
    since: since.toISOString(),
    lastAt: lastAt.toISOString(),
  }));
  return { data };
}

export async function countPushFaults(db: Executor): Promise<{ count: number; since: Date | null }> {
  const [row] = await db.run<{ count: number; since: Date | null }>(COUNT, []);
  return row ?? { count: 0, since: null };
}

/** A service that gets no more pushes cannot prove that it works again, so old faults are deleted. */
export async function forgetFaults(db: Executor, now: Date): Promise<void> {
  await db.run(FORGET, [new Date(now.getTime() - keptMs('pushes'))]);
}
