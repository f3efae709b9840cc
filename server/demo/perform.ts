import { follow } from '@stagedoor/contract/follows.ts';
import { createPost, likeUnlike, unlockPost } from '@stagedoor/contract/posts.ts';
import { getProfile, updateCustomerProfile } from '@stagedoor/contract/profiles.ts';
import { sendTip } from '@stagedoor/contract/wallet.ts';
import { haveCall } from './calls.ts';
import { say } from './chats.ts';
import { deposit, takeBack } from './deposit.ts';
import { type Act, EVERY_FAN } from './history.ts';
import { letIn } from './papers.ts';
import { dealWithPayout } from './payouts.ts';
import { POSTS } from './posts.ts';
import { settle } from './settlements.ts';
import { hang, join, pictureForm, type Stage } from './studio.ts';
import { goalFor } from './windows.ts';
import { CREATORS } from './world.ts';

function mediaOf(post: number, pictures: ReadonlyMap<string, string>) {
  return (POSTS[post]?.pictures ?? []).map(({ file, alt }) => ({ id: pictures.get(`${file}.webp`) ?? '', alt }));
}

/** Adds ids to `posts`, and those of a new creator's pictures to `pictures`. */
export async function perform(
  stage: Stage,
  act: Act,
  pictures: Map<string, string>,
  posts: Map<number, string>,
): Promise<void> {
  const { past, ids } = stage;
  const idOf = (post: number | undefined) => posts.get(post ?? -1) ?? '';
  past.moveTo(act.at);
  switch (act.kind) {
    case 'join': {
      const fan = EVERY_FAN.find(({ username }) => username === act.who);
      await join(stage, { type: 'customer', username: act.who, name: fan?.name ?? act.who });
      await past.logIn(act.who);
      if (fan?.portrait) {
        const art = `${fan.portrait}-p`;
        await past.call(updateCustomerProfile, {
          as: act.who,
          form: pictureForm('avatar', art, await stage.readArt(art)),
        });
      }
      return;
    }
    case 'open': {
      const creators = CREATORS.filter(({ username }) => username === act.creator);
      // These pictures are not part of the progress counter.
      const quietly = { ...stage, tick: () => undefined };
      for (const creator of creators) await letIn(quietly, creator);
      for (const [file, id] of await hang(quietly, creators)) pictures.set(file, id);
      return;
    }
    case 'deposit':
      return deposit(past, act);
    case 'takeBack':
      return takeBack(past, act);
    case 'follow': {
      await past.call(getProfile, { as: act.who, params: { id: act.creator } });
      await past.call(follow, { as: act.who, params: { id: ids.get(act.creator) ?? '' }, body: { isFollowed: true } });
      return;
    }
    case 'post': {
      const post = POSTS[act.post];
      const as = CREATORS.find(({ key }) => key === post?.creator)?.username ?? '';
      const body = { caption: post?.caption, price: post?.price, media: mediaOf(act.post, pictures) };
      posts.set(act.post, (await past.call(createPost, { as, key: act.key, body })).id);
      return;
    }
    case 'like':
      await past.call(likeUnlike, { as: act.who, params: { id: idOf(act.post) }, body: { isLiked: true } });
      return;
    case 'unlock': {
      const body = { price: POSTS[act.post]?.price };
      await past.call(unlockPost, { as: act.who, key: act.key, params: { id: idOf(act.post) }, body });
      return;
    }
    case 'call':
      return haveCall(past, act, ids.get(act.creator) ?? '');
    case 'say':
      return say(stage, act);
    case 'payout':
      return dealWithPayout(stage, act);
    case 'settlement':
      return settle(stage, act);
    case 'tip': {
      const goalId = act.post === undefined ? await goalFor(stage, act.creator) : undefined;
      const where =
        act.post === undefined
          ? { type: 'profile', ...(goalId && { goalId }) }
          : { type: 'post', postId: idOf(act.post) };
      const params = { creatorId: ids.get(act.creator) ?? '' };
      await past.call(sendTip, {
        as: act.who,
        key: act.key,
        params,
        body: { amount: act.usd, note: act.note, ...where },
      });
    }
  }
}
