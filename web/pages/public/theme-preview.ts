import { listCreatorMedia } from '@stagedoor/contract/content/posts.ts';
import { type Category, type CreatorCard, getOwnProfile } from '@stagedoor/contract/content/profiles.ts';
import { getSharedTheme, publishTheme } from '@stagedoor/contract/content/themes.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type ActionFunctionArgs, redirect } from 'react-router';
import { toProfileHref } from '../../modules/content/profiles/creator-card.tsx';
import { ownThemeQuery } from '../../modules/content/themes/apply.tsx';
import type { PreviewCreator } from '../../modules/content/themes/miniature.tsx';
import { callApi } from '../../platform/api.ts';
import { readFormValues, sendForm } from '../../platform/form-action.ts';
import type { PageRequest } from '../../platform/page-data.ts';
import { apiQuery } from '../../platform/query.ts';
import { requestContextKey } from '../../platform/request-context.ts';
import { creatorsQuery, filterWithCover } from './marketing-parts.tsx';
import * as texts from './texts.ts';

const mediaQuery = ({ id }: Pick<CreatorCard, 'id'>) =>
  apiQuery(listCreatorMedia, { params: { creatorId: id }, query: { limit: 8 } });

export function pickCreators(
  creators: readonly CreatorCard[],
  crafts: readonly (Category | undefined)[],
): CreatorCard[] {
  const matched = crafts.map((craft) => craft && creators.find(({ category }) => category === craft));
  const others = creators.filter((other) => !matched.includes(other));
  return matched.flatMap((guest, index) => guest ?? others.shift() ?? creators[index % creators.length] ?? []);
}

export async function loadPreviewCreators(
  { client, viewer }: Pick<PageRequest, 'client' | 'viewer'>,
  crafts: readonly (Category | undefined)[],
): Promise<PreviewCreator[]> {
  const isCreator = (await viewer())?.type === 'creator';
  if (isCreator) await client.ensureQueryData(ownThemeQuery());
  const creators = isCreator
    ? [await client.ensureQueryData(apiQuery(getOwnProfile, {}))]
    : pickCreators(filterWithCover(await client.ensureQueryData(creatorsQuery())), crafts);
  return Promise.all(creators.map((creator) => loadPreviewCreator(client, creator)));
}

async function loadPreviewCreator(client: QueryClient, creator: CreatorCard): Promise<PreviewCreator> {
  const { data } = await client.ensureQueryData(mediaQuery(creator));
  // One item per post, so that the preview shows two different works.
  const firsts = data.filter(({ postId }, index) => data.findIndex((one) => one.postId === postId) === index);
  return { creator, media: firsts.slice(0, 2) };
}

/** Handles the apply form without script: opens the page in its new theme, or returns the error message. */
export async function applyTheme(args: ActionFunctionArgs): Promise<Response | { message: string | undefined }> {
  const values = await readFormValues(args.request);
  const { transport } = args.context.get(requestContextKey);
  const { theme } = await callApi(transport, getSharedTheme, { params: { code: values.code ?? '' } }, {});
  const body = { revision: values.revision, theme };
  const result = await sendForm(args, publishTheme, { body }, values);
  if (!result.ok) return { message: result.refusal.message ?? texts.applyThemeError };
  const me = await callApi(transport, getOwnProfile, {}, {});
  return redirect(toProfileHref(me), { status: 303 });
}
