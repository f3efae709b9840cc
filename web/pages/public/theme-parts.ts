import { listCreatorMedia } from '@stagedoor/contract/posts.ts';
import { type Category, type CreatorCard, getOwnProfile } from '@stagedoor/contract/profiles.ts';
import { publishTheme, sharedTheme } from '@stagedoor/contract/themes.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type ActionFunctionArgs, redirect } from 'react-router';
import { hungOf, peopleQuery } from '../../features/house/parts.tsx';
import { profileHref } from '../../features/profiles/creator-card.tsx';
import { ownThemeQuery } from '../../features/themes/apply.tsx';
import type { Sitter } from '../../features/themes/miniature.tsx';
import { callApi } from '../../kernel/api.ts';
import { formValues, sendForm } from '../../kernel/form-action.ts';
import type { PageRequest } from '../../kernel/page-data.ts';
import { apiQuery } from '../../kernel/query.ts';
import { visitContext } from '../../kernel/visit.ts';

const mediaOf = ({ id }: Pick<CreatorCard, 'id'>) =>
  apiQuery(listCreatorMedia, { params: { creatorId: id }, query: { limit: 8 } });

export function guestsOf(people: readonly CreatorCard[], crafts: readonly (Category | undefined)[]): CreatorCard[] {
  const fitting = crafts.map((craft) => craft && people.find(({ category }) => category === craft));
  const others = people.filter((person) => !fitting.includes(person));
  return fitting.flatMap((guest, index) => guest ?? others.shift() ?? people[index % people.length] ?? []);
}

export async function sittersOf(
  { client, viewer }: Pick<PageRequest, 'client' | 'viewer'>,
  crafts: readonly (Category | undefined)[],
): Promise<Sitter[]> {
  const isCreator = (await viewer())?.type === 'creator';
  if (isCreator) await client.ensureQueryData(ownThemeQuery());
  const people = isCreator
    ? [await client.ensureQueryData(apiQuery(getOwnProfile, {}))]
    : guestsOf(hungOf(await client.ensureQueryData(peopleQuery())), crafts);
  return Promise.all(people.map((creator) => sitterOf(client, creator)));
}

async function sitterOf(client: QueryClient, creator: CreatorCard): Promise<Sitter> {
  const { data } = await client.ensureQueryData(mediaOf(creator));
  // One item per post, so that the preview shows two different works.
  const firsts = data.filter(({ postId }, index) => data.findIndex((one) => one.postId === postId) === index);
  return { creator, media: firsts.slice(0, 2) };
}

/** Handles the apply form without script: opens the page in its new theme, or returns the error message. */
export async function applyTheme(args: ActionFunctionArgs): Promise<Response | { message: string | undefined }> {
  const values = await formValues(args.request);
  const { transport } = args.context.get(visitContext);
  const { theme } = await callApi(transport, sharedTheme, { params: { code: values.code ?? '' } }, {});
  const body = { revision: values.revision, theme };
  const result = await sendForm(args, publishTheme, { body }, values);
  if (!result.ok) return { message: result.refused.message ?? 'Couldn’t apply this theme.' };
  const me = await callApi(transport, getOwnProfile, {}, {});
  return redirect(profileHref(me), { status: 303 });
}
