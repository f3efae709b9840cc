/** Push services that refuse our requests or fail. They are stored for the operator until they accept a push again. */

import type { listPushFaults } from '@stagedoor/contract/admin/push.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { getRetentionMs } from '../../../platform/retention.ts';
import type { PushResult } from './web-push.ts';

/** The result of one push. `kind` is undefined when it reveals nothing about the service. */
export type PushAttempt = {
  service: string;
  kind: 'accepted' | 'refused' | 'failing' | undefined;
  status: number | null;
};

/** A refusal points to a mistake of ours, no response or a 5xx to a failing service. 429 is neither. */
export function toPushAttempt(service: string, result: PushResult): PushAttempt {
  if (result.outcome === 'refused') return { service, kind: 'refused', status: result.status };
  if (result.outcome === 'later' || result.outcome === 'unknown') {
    const status = result.status ?? null;
    return { service, kind: status === 429 ? undefined : 'failing', status };
  }
  return { service, kind: result.outcome === 'unfit' ? undefined : 'accepted', status: null };
}

const SAVE_ERROR: SqlStatement = {
  name: 'push-fault-note',
  text: `insert into push_service_errors as f (service, kind, status, since, last_at, pushes) values ($1, $2, $3, $4, $4, $5)
    on conflict (service) do update set kind = case when f.kind = 'refused' then f.kind else excluded.kind end,
      status = coalesce(excluded.status, f.status), last_at = excluded.last_at, pushes = f.pushes + excluded.pushes`,
};
const DELETE_RECOVERED: SqlStatement = {
  name: 'push-fault-over',
  text: 'delete from push_service_errors where service = any ($1::text[])',
};
const LIST_SERVICES: SqlStatement = { name: 'push-faults-known', text: 'select service from push_service_errors' };
const IS_ALARM = "(kind = 'refused' or last_at - since >= interval '10 minutes')";
const LIST_ERRORS: SqlStatement = {
  name: 'push-faults-list',
  text: `select service, kind, status, since, last_at as "lastAt", pushes, ${IS_ALARM} as "isAlarm" from push_service_errors order by since, service`,
};
const COUNT_ALARMS: SqlStatement = {
  name: 'push-faults-count',
  text: `select count(*)::int as count, min(since) as since from push_service_errors where ${IS_ALARM}`,
};
const DELETE_OLD: SqlStatement = {
  name: 'push-faults-forget',
  text: 'delete from push_service_errors where last_at < $1',
};

export async function listFailingServices(db: Executor): Promise<Set<string>> {
  return new Set((await db.run<{ service: string }>(LIST_SERVICES, [])).map(({ service }) => service));
}

/** Stores the results of a round. A service that accepted any push works. `failingServices` is updated. */
export async function saveServiceErrors(
  db: Executor,
  attempts: readonly PushAttempt[],
  failingServices: Set<string>,
  now: Date,
): Promise<void> {
  const recovered: string[] = [];
  for (const [service, group] of Map.groupBy(attempts, (attempt) => attempt.service)) {
    const failures = group.filter(({ kind }) => kind === 'refused' || kind === 'failing');
    if (group.some(({ kind }) => kind === 'accepted')) {
      if (failingServices.delete(service)) recovered.push(service);
      continue;
    }
    if (failures.length === 0) continue;
    const worst = failures.find(({ kind }) => kind === 'refused') ?? failures[0];
    await db.run(SAVE_ERROR, [service, worst?.kind, worst?.status, now, failures.length]);
    failingServices.add(service);
  }
  if (recovered.length > 0) await db.run(DELETE_RECOVERED, [recovered]);
}

type ServiceErrorRow = {
  service: string;
  kind: 'refused' | 'failing';
  status: number | null;
  pushes: number;
  isAlarm: boolean;
};

export async function viewServiceErrors(db: Executor): Promise<ResponseInputOf<typeof listPushFaults>> {
  const rows = await db.run<ServiceErrorRow & { since: Date; lastAt: Date }>(LIST_ERRORS, []);
  const data = rows.map(({ since, lastAt, ...row }) => ({
    ...row,
    since: since.toISOString(),
    lastAt: lastAt.toISOString(),
  }));
  return { data };
}

export async function countPushServiceErrors(db: Executor): Promise<{ count: number; since: Date | null }> {
  const [row] = await db.run<{ count: number; since: Date | null }>(COUNT_ALARMS, []);
  return row ?? { count: 0, since: null };
}

/** A service that gets no more pushes cannot prove that it works again, so old errors are deleted. */
export async function purgeServiceErrors(db: Executor, now: Date): Promise<void> {
  await db.run(DELETE_OLD, [new Date(now.getTime() - getRetentionMs('pushes'))]);
}
