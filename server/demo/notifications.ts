/** Additional demo notifications, and which are read. */
import { logout } from '@stagedoor/contract/identity/accounts.ts';
import { markReadUpTo } from '../modules/notifications/notifications/index.ts';
import { createLeastId } from '../platform/ids.ts';
import type { DemoContext } from './demo-context.ts';

const HOUR_MS = 60 * 60_000;
const READ_AFTER_HOURS = 20;

type LoginOrPresence = { hoursAgo: number } & ({ online: string } | { logIn: string });

const EVENTS: readonly LoginOrPresence[] = [
  { hoursAgo: 75, online: 'hana.sorby' },
  { hoursAgo: 52, logIn: 'demo.creator' },
  { hoursAgo: 49.5, logIn: 'demo.fan' },
  { hoursAgo: 48, online: 'ines.valadao' },
  { hoursAgo: 27, online: 'demo.creator' },
  { hoursAgo: 26, online: 'hana.sorby' },
  { hoursAgo: 3.2, online: 'ines.valadao' },
  { hoursAgo: 0.8, online: 'hana.sorby' },
];

export async function createRecentEvents({ pastApp, ids, epoch }: DemoContext): Promise<void> {
  for (const entry of EVENTS) {
    pastApp.moveTo(new Date(epoch.getTime() - entry.hoursAgo * HOUR_MS));
    if ('logIn' in entry) {
      await pastApp.call(logout, { as: entry.logIn });
      await pastApp.logIn(entry.logIn);
    } else {
      const creatorId = ids.get(entry.online) ?? '';
      await pastApp.ctx.db.transaction((tx) => tx.emit('creator.online', { creatorId }));
    }
    await pastApp.waitUntilIdle();
  }
  pastApp.moveTo(epoch);
}

/** Runs after all notifications were created. */
export async function markOldRead({ pastApp, ids, epoch }: DemoContext): Promise<void> {
  const upTo = createLeastId(new Date(epoch.getTime() - READ_AFTER_HOURS * HOUR_MS));
  for (const id of ids.values()) await markReadUpTo(pastApp.ctx, id, upTo);
}
