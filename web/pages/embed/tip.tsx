/** A tip button in an iframe (row B11). It leads to the profile, where the tip is sent. */
import { getProfile } from '@stagedoor/contract/content/profiles.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { toProfileHref } from '../../modules/content/profiles/creator-card.tsx';
import { apiQuery } from '../../platform/query.ts';
import { AuthorAvatar, AuthorName, ExternalLink, renderEmbed } from './document.tsx';
import { EMBED_HANDLE } from './handle.ts';
import * as texts from './texts.ts';

export const handle = EMBED_HANDLE;

export const loader = (args: LoaderFunctionArgs) =>
  renderEmbed(args, async ({ params, client, origin }) => {
    const profile = await client.ensureQueryData(apiQuery(getProfile, { params: { id: params.id ?? '' } }));
    const href = `${origin}${toProfileHref(profile)}`;
    return {
      title: formatText(texts.tipCreator, { creatorName: profile.name }),
      body: (
        <main className="foot">
          <h1 className="sr-only">{formatText(texts.tipCreator, { creatorName: profile.name })}</h1>
          <AuthorAvatar author={profile} />
          <ExternalLink href={href} className="who">
            <AuthorName author={profile} />
          </ExternalLink>
          <ExternalLink href={href} className="go go--main">
            {texts.tipButton}
          </ExternalLink>
        </main>
      ),
    };
  });
