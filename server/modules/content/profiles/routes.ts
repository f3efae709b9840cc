import { getNewCreatorSlots } from '@stagedoor/contract/admin/new-creator-slots.ts';
import { getEmbedSettings, updateEmbedSettings } from '@stagedoor/contract/content/embed-settings.ts';
import * as contract from '@stagedoor/contract/content/profiles.ts';
import { isBlockedIn } from '../../../platform/geo.ts';
import { isEmbed } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { readPictureForm } from '../media/index.ts';
import { registerProfileDeletionStep } from './account-deletion.ts';
import { presentProfile } from './card.ts';
import { listCategorySummaries } from './categories.ts';
import { registerProfileExportParts } from './data-export.ts';
import { countFollowedCreators, listCreatorCards, listFollowedCreators } from './discover.ts';
import { readEmbedSettings, saveEmbedSettings } from './embeds.ts';
import { getNewCreatorDraw } from './new-creator-slots.ts';
import { createOembed } from './oembed.ts';
import * as service from './service.ts';
import { countProfileView, registerViewCounter } from './view-counts.ts';

export function register({ app, ctx, bind }: ModuleHost): void {
  registerProfileDeletionStep(ctx);
  registerProfileExportParts(ctx);
  registerViewCounter(ctx, (close) => void app.addHook('onClose', close));

  const callRateOptions = {
    queue: 'quick',
    subject: ({ creatorId }: { creatorId: string }) => `profile:${creatorId}`,
  } as const;
  ctx.events.addJobHandler('call.settingsChanged', 'profiles.updateCallRate', callRateOptions, ({ payload }) =>
    service.setCallRate(ctx, payload),
  );

  bind(contract.listCreators, ({ actor, query }) => listCreatorCards(ctx, actor, query));
  bind(getNewCreatorSlots, () => getNewCreatorDraw(ctx));
  bind(contract.listCategories, ({ actor }) => listCategorySummaries(ctx, actor));
  bind(contract.getProfile, async ({ actor, params, request }) => {
    const row = await service.accessProfile(ctx, actor, params.id);
    // An embedded card is not a view. Neither is a page cached for everyone, if the creator is hidden in the caller's
    // region.
    const geoContext = ctx.geo.findContext(request, actor);
    if (!isEmbed(request.url) && !(geoContext && isBlockedIn(geoContext, row.id)))
      countProfileView(ctx, { idOrName: row.id, actor, ip: request.ip, userAgent: request.headers['user-agent'] });
    return presentProfile(ctx, row, actor?.userId ?? null);
  });
  bind(contract.getProfileFollow, async ({ actor, params }) => {
    const row = await service.accessProfile(ctx, actor, params.id);
    return { isFollowed: row.is_followed, totalFollowersCount: row.follower_count };
  });
  bind(contract.listFollowing, ({ actor, query }) => listFollowedCreators(ctx, actor, query));
  bind(contract.getFollowingCounts, ({ actor }) => countFollowedCreators(ctx, actor));

  bind(contract.getOwnProfile, ({ actor }) => service.getOwnProfile(ctx, actor));
  bind(contract.updateOwnProfile, ({ actor, body }) => service.saveOwnProfile(ctx, actor, body));
  bind(getEmbedSettings, ({ actor }) => readEmbedSettings(ctx, actor.userId));
  bind(updateEmbedSettings, ({ actor, body }) => saveEmbedSettings(ctx, actor, body));
  bind(contract.getOembed, ({ query }) => createOembed(ctx, query));
  bind(contract.deleteProfilePicture, ({ actor, params }) => service.removePicture(ctx, actor, params.pictureKind));
  bind(contract.uploadProfilePicture, async ({ actor, params, request }) =>
    service.replacePicture(ctx, actor, params.pictureKind, await readPictureForm(ctx, request)),
  );
  bind(contract.updateUserProfile, async ({ actor, request }) =>
    service.saveNameAndAvatar(ctx, actor, await readPictureForm(ctx, request)),
  );
}
