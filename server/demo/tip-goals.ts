import { pinPost } from '@stagedoor/contract/content/posts.ts';
import { createTipGoal, getTipGoal } from '@stagedoor/contract/finance/tip-goals.ts';
import type { DemoContext } from './demo-context.ts';
import { POSTS } from './posts.ts';
import { CREATORS } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;

type DemoGoal = { title: string; target: number; daysAgo: number; days: number | null };

/** The goal of 40 is always reached, the others are in progress. */
const GOALS: Readonly<Record<string, DemoGoal>> = {
  'demo.creator': { title: 'A second shelf for the kiln', target: 420, daysAgo: 21, days: 60 },
  'ines.valadao': { title: 'Gut strings for the winter season', target: 300, daysAgo: 30, days: null },
  'hana.sorby': { title: 'A filter that the sea may have', target: 40, daysAgo: 30, days: 90 },
  'yuki.tanabe': { title: 'Washi for five hundred chrysanthemums', target: 120, daysAgo: 25, days: 60 },
};

/** The first tip creates the goal. */
export async function ensureTipGoal(
  { pastApp, epoch, ids }: DemoContext,
  username: string,
): Promise<string | undefined> {
  const plan = GOALS[username];
  if (!plan || pastApp.ctx.clock.now().getTime() < epoch.getTime() - plan.daysAgo * DAY_MS) return undefined;
  const { goal } = await pastApp.call(getTipGoal, { as: username, params: { creatorId: ids.get(username) ?? '' } });
  if (goal) return goal.id;
  const { title, target, days } = plan;
  return (await pastApp.call(createTipGoal, { as: username, body: { title, target, days } })).goal?.id;
}

/** The newest posts are not pinned because they are visible anyway. */
const PINNED: Readonly<Record<string, number>> = { mirele: 3, ines: 1, hana: 2, yuki: 2, dede: 1 };

/** Idempotent. */
export async function setGoalsAndPins(context: DemoContext, posts: ReadonlyMap<number, string>): Promise<void> {
  for (const { key, username } of CREATORS) {
    await ensureTipGoal(context, username);
    const ownPosts = POSTS.flatMap((post, index) => (post.creator === key ? [posts.get(index) ?? ''] : []));
    for (const id of ownPosts.slice(1, 1 + (PINNED[key] ?? 0)))
      await context.pastApp.call(pinPost, { as: username, params: { id }, body: { isPinned: true } });
  }
}
