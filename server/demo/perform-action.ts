import { followCreator } from '@stagedoor/contract/content/follows.ts';
import { createPost, likeUnlikePost, unlockPost } from '@stagedoor/contract/content/posts.ts';
import { getProfile, updateUserProfile } from '@stagedoor/contract/content/profiles.ts';
import { sendTip } from '@stagedoor/contract/finance/wallet.ts';
import type { DemoAction } from './actions.ts';
import { performCall } from './calls.ts';
import { performMessage } from './chats.ts';
import { createPictureForm, createUser, importPictures } from './creators.ts';
import type { DemoContext } from './demo-context.ts';
import { performDeposit, performReversal } from './deposit.ts';
import { ALL_FANS } from './history.ts';
import { performPayoutStep } from './payouts.ts';
import { POSTS } from './posts.ts';
import { performSettlement } from './settlements.ts';
import { performOfferStep } from './subscription-offers.ts';
import { getTierId, performSubscriptionStep, performTierStep } from './subscriptions.ts';
import { ensureTipGoal } from './tip-goals.ts';
import { createVerifiedCreator } from './verifications.ts';
import { CREATORS } from './world.ts';

function toMediaInput(post: number, pictures: ReadonlyMap<string, string>) {
  return (POSTS[post]?.pictures ?? []).map(({ file, alt }) => ({ id: pictures.get(`${file}.webp`) ?? '', alt }));
}

/** Adds ids to `posts`, and those of a new creator's pictures to `pictures`. */
export async function performAction(
  context: DemoContext,
  action: DemoAction,
  pictures: Map<string, string>,
  posts: Map<number, string>,
): Promise<void> {
  const { pastApp, ids } = context;
  const getPostId = (post: number | undefined) => posts.get(post ?? -1) ?? '';
  pastApp.moveTo(action.at);
  switch (action.kind) {
    case 'join': {
      const fan = ALL_FANS.find(({ username }) => username === action.username);
      await createUser(context, { type: 'customer', username: action.username, name: fan?.name ?? action.username });
      await pastApp.logIn(action.username);
      if (fan?.portrait) {
        const art = `${fan.portrait}-p`;
        await pastApp.call(updateUserProfile, {
          as: action.username,
          form: createPictureForm('avatar', art, await context.readArt(art)),
        });
      }
      return;
    }
    case 'open': {
      const creators = CREATORS.filter(({ username }) => username === action.creator);
      // These pictures are not part of the progress counter.
      const silentContext: DemoContext = { ...context, printProgress: () => undefined };
      for (const creator of creators) await createVerifiedCreator(silentContext, creator);
      for (const [file, id] of await importPictures(silentContext, creators)) pictures.set(file, id);
      return;
    }
    case 'deposit':
      return performDeposit(pastApp, action);
    case 'reversal':
      return performReversal(pastApp, action);
    case 'follow': {
      await pastApp.call(getProfile, { as: action.username, params: { id: action.creator } });
      await pastApp.call(followCreator, {
        as: action.username,
        params: { id: ids.get(action.creator) ?? '' },
        body: { isFollowed: true },
      });
      return;
    }
    case 'post': {
      const post = POSTS[action.post];
      const as = CREATORS.find(({ key }) => key === post?.creator)?.username ?? '';
      const media = toMediaInput(action.post, pictures);
      const subscribers = post?.tier === undefined ? 'none' : await getTierId(pastApp, as, post.tier);
      const body = { ...post?.details, subscribers, caption: post?.caption, price: post?.price ?? 0, media };
      posts.set(action.post, (await pastApp.call(createPost, { as, key: action.key, body })).id);
      return;
    }
    case 'like':
      await pastApp.call(likeUnlikePost, {
        as: action.username,
        params: { id: getPostId(action.post) },
        body: { isLiked: true },
      });
      return;
    case 'unlock': {
      const body = { price: POSTS[action.post]?.price };
      await pastApp.call(unlockPost, {
        as: action.username,
        key: action.key,
        params: { id: getPostId(action.post) },
        body,
      });
      return;
    }
    case 'call':
      return performCall(pastApp, action, ids.get(action.creator) ?? '');
    case 'say':
      return performMessage(context, action);
    case 'payout':
      return performPayoutStep(context, action);
    case 'offer':
      return performOfferStep(context, action);
    case 'tier':
      return performTierStep(context, action);
    case 'subscription':
      return performSubscriptionStep(context, action);
    case 'settlement':
      return performSettlement(context, action);
    case 'tip': {
      const goalId = action.post === undefined ? await ensureTipGoal(context, action.creator) : undefined;
      const target =
        action.post === undefined
          ? { type: 'profile' as const, ...(goalId && { goalId }) }
          : { type: 'post' as const, postId: getPostId(action.post) };
      const params = { creatorId: ids.get(action.creator) ?? '' };
      await pastApp.call(sendTip, {
        as: action.username,
        key: action.key,
        params,
        body: { amount: action.usd, note: action.note, ...target },
      });
    }
  }
}
