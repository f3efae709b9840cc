import { embedSettings, setEmbedSettings } from '@stagedoor/contract/embed-settings.ts';
import { newcomersDraw } from '@stagedoor/contract/newcomers-desk.ts';
import * as contract from '@stagedoor/contract/profiles.ts';
import type { Server } from '../../kernel/bind.ts';
import { isEmbed } from '../../kernel/http.ts';
import { hides } from '../../kernel/places.ts';
import { readPictureForm } from '../media/index.ts';
import { registerProfilePart } from './archive.ts';
import { presentProfile } from './card.ts';
import { registerProfileClosing } from './closing.ts';
import { findCrafts } from './crafts.ts';
import { countFollowed, findCreators, findFollowed } from './discover.ts';
import { changeEmbeds, viewEmbeds } from './embeds.ts';
import { viewDraw } from './newcomers.ts';
import { answerOembed } from './oembed.ts';
import * as service from './service.ts';
import { countProfileView, startCounting } from './views.ts';

export function register({ app, ctx, bind }: Server): void {
  registerProfileClosing(ctx);
  registerProfilePart(ctx);
  startCounting(ctx, (close) => void app.addHook('onClose', close));

  const ofCreator = {
    lane: 'quick',
    subject: ({ creatorId }: { creatorId: string }) => `profile:${creatorId}`,
  } as const;
  ctx.events.do('call.termsChanged', 'profiles.rate', ofCreator, ({ payload }) => service.setCallRate(ctx, payload));

  bind(contract.listCreators, ({ actor, query }) => findCreators(ctx, actor, query));
  bind(newcomersDraw, () => viewDraw(ctx));
  bind(contract.listCrafts, ({ actor }) => findCrafts(ctx, actor));
  bind(contract.getProfile, async ({ actor, params, request }) => {
    const row = await service.accessProfile(ctx, actor, params.id);
    // An embedded card is not a view. Neither is a page cached for everyone, if the creator is hidden in the caller's
    // region.
    const here = ctx.places.hereOf(request, actor);
    if (!isEmbed(request.url) && !(here && hides(here, row.id)))
      countProfileView(ctx, { whose: row.id, actor, ip: request.ip, userAgent: request.headers['user-agent'] });
    return presentProfile(ctx, row, actor?.userId ?? null);
  });
  bind(contract.getProfileFollow, async ({ actor, params }) => {
    const row = await service.accessProfile(ctx, actor, params.id);
    return { isFollowed: row.is_followed, totalFollowersCount: row.follower_count };
  });
  bind(contract.listFollowing, ({ actor, query }) => findFollowed(ctx, actor, query));
  bind(contract.followingCounts, ({ actor }) => countFollowed(ctx, actor));

  bind(contract.getOwnProfile, ({ actor }) => service.getOwn(ctx, actor));
  bind(contract.updateOwnProfile, ({ actor, body }) => service.updateOwn(ctx, actor, body));
  bind(embedSettings, ({ actor }) => viewEmbeds(ctx, actor.userId));
  bind(setEmbedSettings, ({ actor, body }) => changeEmbeds(ctx, actor, body));
  bind(contract.oembed, ({ query }) => answerOembed(ctx, query));
  bind(contract.removeOwnPicture, ({ actor, params }) => service.removePicture(ctx, actor, params.which));
  bind(contract.updateOwnPicture, async ({ actor, params, request }) =>
    service.replacePicture(ctx, actor, params.which, await readPictureForm(ctx, request)),
  );
  bind(contract.updateCustomerProfile, async ({ actor, request }) =>
    service.updateSelf(ctx, actor, await readPictureForm(ctx, request)),
  );
}
