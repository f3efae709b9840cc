/** A tip button in an iframe (row B11). It leads to the profile, where the tip is sent. */
import { getProfile } from '@stagedoor/contract/content/profiles.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { toProfileHref } from '../../modules/content/profiles/creator-card.tsx';
import { apiQuery } from '../../platform/query.ts';
import { AuthorAvatar, AuthorName, ExternalLink, renderEmbed } from './document.tsx';
import { EMBED_HANDLE } from './handle.ts';

export const handle = EMBED_HANDLE;

export const loader = (args: LoaderFunctionArgs) =>
  renderEmbed(args, async ({ params, client, origin }) => {
    const profile = await client.ensureQueryData(apiQuery(getProfile, { params: { id: params.id ?? '' } }));
    const href = `${origin}${toProfileHref(profile)}`;
    return {
      title: `Tip ${profile.name}`,
      body: (
        <main className="foot">
          <h1 className="sr-only">Tip {profile.name}</h1>
          <AuthorAvatar author={profile} />
          <ExternalLink href={href} className="who">
            <AuthorName author={profile} />
          </ExternalLink>
          <ExternalLink href={href} className="go go--main">
            Tip
          </ExternalLink>
        </main>
      ),
    };
  });
