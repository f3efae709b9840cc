/** Views are collected in memory and written every few seconds, once per viewer and day (row B5). */
import { hash } from 'node:crypto';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { RETENTION_DAYS } from '../../../platform/retention.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { addViewCounts } from '../../identity/accounts/index.ts';

const FLUSH_MS = 5_000;
const MAX_BUFFERED = 5_000;
const MAX_SEEN = 200_000;
const VIEW_RETENTION_DAYS = RETENTION_DAYS.profileViews;
const ROBOTS =
  /bot\b|bot[/;_-]|crawl|spider|slurp|archiver|facebookexternalhit|embedly|preview|headless|lighthouse|pingdom|monitor|curl|wget|python|java\/|go-http|node-fetch|axios|okhttp/i;

const WRITE: SqlStatement = {
  name: 'profiles-write-views',
  text: `with fresh as (
      insert into profile_views (day, creator_id, viewer) select $1::date, c.user_id, v.viewer
        from unnest($2::uuid[], $3::text[], $4::bytea[]) as v (id, username, viewer)
          left join users u on u.username = v.username::citext join creators c on c.user_id = coalesce(v.id, u.id)
        on conflict do nothing returning creator_id
    ) select creator_id as "creatorId", count(*) as count from fresh group by creator_id`,
};

export type ProfileVisit = {
  idOrName: string;
  actor: Actor | undefined;
  ip: string;
  userAgent: string | undefined;
};

type ViewCounter = { count(view: ProfileVisit): void; flush(): Promise<void> };

const counters = new WeakMap<Context, ViewCounter>();

export function countProfileView(ctx: Context, view: ProfileVisit): void {
  counters.get(ctx)?.count(view);
}

export async function flushProfileViews(ctx: Context): Promise<void> {
  await counters.get(ctx)?.flush();
}

function createCounter(ctx: Context): ViewCounter {
  const key = ctx.config.deriveKey('profile-views').toString('hex');
  let buffered: { idOrName: string; viewer: Buffer; day: string }[] = [];
  let seen = new Set<string>();
  let seenDay = '';

  const write = async () => {
    const batch = buffered;
    buffered = [];
    try {
      for (const [day, views = []] of Object.entries(Object.groupBy(batch, (view) => view.day))) {
        const ids = views.map(({ idOrName }) => (isId(idOrName) ? idOrName : null));
        const names = views.map(({ idOrName }) => (isId(idOrName) ? null : idOrName));
        const viewers = views.map(({ viewer }) => viewer);
        await ctx.db.transaction(async (tx) => {
          await addViewCounts(tx, await tx.run(WRITE, [day, ids, names, viewers]));
        });
      }
    } catch (error) {
      // A view that is written twice still counts once.
      buffered.unshift(...batch);
      throw error;
    }
  };
  let writing = Promise.resolve();
  return {
    // Runs after a write that is in progress, so that a process that shuts down knows that everything is written.
    flush: () => {
      const next = writing.then(write);
      writing = next.catch(() => undefined);
      return next;
    },
    count: ({ idOrName, actor, ip, userAgent }) => {
      const isOwn =
        actor !== undefined && (actor.userId === idOrName || actor.username.toLowerCase() === idOrName.toLowerCase());
      if (isOwn || !userAgent || ROBOTS.test(userAgent)) return;
      const day = ctx.clock.now().toISOString().slice(0, 10);
      if (day !== seenDay || seen.size >= MAX_SEEN) {
        seen = new Set();
        seenDay = day;
      }
      // Privacy: neither IP address nor browser is stored, only a hash that changes every day.
      const viewerText = actor ? `user ${actor.userId}` : `visitor ${ip} ${userAgent}`;
      // The hash is not used as a proof, so a key before the text is enough. An HMAC takes a third of the time of a
      // cached page.
      const viewer = hash('sha256', `${key} ${day} ${viewerText}`).slice(0, 32);
      const seenKey = `${idOrName} ${viewer}`;
      if (seen.has(seenKey) || buffered.length >= MAX_BUFFERED) return;
      seen.add(seenKey);
      buffered.push({ idOrName, viewer: Buffer.from(viewer, 'hex'), day });
    },
  };
}

export function registerViewCounter(ctx: Context, onClose: (close: () => Promise<void>) => void): void {
  const counter = createCounter(ctx);
  counters.set(ctx, counter);
  const timer = setInterval(
    () =>
      void counter
        .flush()
        .catch((error: unknown) => ctx.log.error({ err: error }, 'profile views could not be written')),
    FLUSH_MS,
  );
  timer.unref();
  onClose(async () => {
    clearInterval(timer);
    await counter.flush().catch((error: unknown) => ctx.log.warn({ err: error }, 'the last profile views are lost'));
  });
  ctx.jobs.schedule('profiles.purgeViews', '7 0 * * *', async () => {
    const before = new Date(ctx.clock.now().getTime() - VIEW_RETENTION_DAYS * 86_400_000);
    await ctx.db.query.deleteFrom('profile_views').where('day', '<', before).execute();
  });
}
