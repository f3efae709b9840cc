/** Additional demo notifications, and which are read. */
import { logout } from '@stagedoor/contract/accounts.ts';
import { readUpTo } from '../features/notifications/index.ts';
import { leastId } from '../kernel/ids.ts';
import type { Stage } from './studio.ts';

const HOUR_MS = 60 * 60_000;
const READ_HOURS_AGO = 20;

type Came = { hoursAgo: number } & ({ online: string } | { logIn: string });

const CAME: readonly Came[] = [
  { hoursAgo: 75, online: 'hana.sorby' },
  { hoursAgo: 52, logIn: 'demo.creator' },
  { hoursAgo: 49.5, logIn: 'demo.fan' },
  { hoursAgo: 48, online: 'ines.valadao' },
  { hoursAgo: 27, online: 'demo.creator' },
  { hoursAgo: 26, online: 'hana.sorby' },
  { hoursAgo: 3.2, online: 'ines.valadao' },
  { hoursAgo: 0.8, online: 'hana.sorby' },
];

export async function liveOn({ past, ids, epoch }: Stage): Promise<void> {
  for (const came of CAME) {
    past.moveTo(new Date(epoch.getTime() - came.hoursAgo * HOUR_MS));
    if ('logIn' in came) {
      await past.call(logout, { as: came.logIn });
      await past.logIn(came.logIn);
    } else {
      const creatorId = ids.get(came.online) ?? '';
      await past.ctx.db.transaction((tx) => tx.emit('creator.online', { creatorId }));
    }
    await past.settle();
  }
  past.moveTo(epoch);
}

/** Runs after all notifications were created. */
export async function catchUp({ past, ids, epoch }: Stage): Promise<void> {
  const upTo = leastId(new Date(epoch.getTime() - READ_HOURS_AGO * HOUR_MS));
  for (const id of ids.values()) await readUpTo(past.ctx, id, upTo);
}
