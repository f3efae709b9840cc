import { listCreatorMedia } from '@stagedoor/contract/posts.ts';
import { type Category, type CreatorCard, getOwnProfile } from '@stagedoor/contract/profiles.ts';
import { getSharedTheme, publishTheme } from '@stagedoor/contract/themes.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type ActionFunctionArgs, redirect } from 'react-router';
import { creatorsQuery, filterWithCover } from '../../features/house/parts.tsx';
import { toProfileHref } from '../../features/profiles/creator-card.tsx';
import { ownThemeQuery } from '../../features/themes/apply.tsx';
import type { PreviewCreator } from '../../features/themes/miniature.tsx';
import { callApi } from '../../kernel/api.ts';
import { readFormValues, sendForm } from '../../kernel/form-action.ts';
import type { PageRequest } from '../../kernel/page-data.ts';
import { apiQuery } from '../../kernel/query.ts';
import { requestContextKey } from '../../kernel/request-context.ts';

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
  if (!result.ok) return { message: result.refusal.message ?? 'Couldn’t apply this theme.' };
  const me = await callApi(transport, getOwnProfile, {}, {});
  return redirect(toProfileHref(me), { status: 303 });
}
