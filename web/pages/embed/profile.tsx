/** A creator's card in an iframe (row B11), with a link to the profile. */

import { getProfile, type Profile } from '@stagedoor/contract/content/profiles.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { toProfileHref } from '../../modules/content/profiles/creator-card.tsx';
import { joinIsolated } from '../../platform/bidi.ts';
import { formatCount } from '../../platform/dates.ts';
import { toAverageColor } from '../../platform/pictures.ts';
import { apiQuery } from '../../platform/query.ts';
import { formatNodes } from '../../ui/format-nodes.ts';
import { LogoMark } from '../../ui/logo.tsx';
import { AuthorAvatar, AuthorName, ExternalLink, renderEmbed } from './document.tsx';
import { EMBED_HANDLE } from './handle.ts';
import * as texts from './texts.ts';

export const handle = EMBED_HANDLE;

function Cover({ profile }: { profile: Profile }) {
  const { cover, coverFocus } = profile;
  if (!cover) return <div className="cover" />;
  return (
    <picture className="cover">
      {cover.sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes="100vw" />
      ))}
      <img
        src={cover.url}
        alt=""
        style={{ objectPosition: `${coverFocus.x}% ${coverFocus.y}%`, background: toAverageColor(cover.thumbhash) }}
      />
    </picture>
  );
}

function ProfileEmbed({ profile, origin }: { profile: Profile; origin: string }) {
  const href = `${origin}${toProfileHref(profile)}`;
  const craft = joinIsolated([profile.craft, profile.city], ', ');
  return (
    <>
      <Cover profile={profile} />
      <main className="card">
        <AuthorAvatar author={profile} />
        <h1>
          <ExternalLink href={href}>
            <AuthorName author={profile} />
          </ExternalLink>
        </h1>
        <p className="small">
          @{profile.username}
          {craft && ` · ${craft}`}
        </p>
        {profile.bio && (
          <p className="bio" dir="auto">
            {profile.bio}
          </p>
        )}
        <div className="row">
          <span className="small">
            {formatCount(profile.totalPostCount, 'post')} · {formatCount(profile.totalFollowersCount, 'follower')}
          </span>
          <ExternalLink href={href} className="go go--main">
            {formatNodes(texts.viewProfile, { logo: <LogoMark size={20} /> })}
          </ExternalLink>
        </div>
      </main>
    </>
  );
}

export const loader = (args: LoaderFunctionArgs) =>
  renderEmbed(args, async ({ params, client, origin }) => {
    const profile = await client.ensureQueryData(apiQuery(getProfile, { params: { id: params.id ?? '' } }));
    return { title: profile.name, body: <ProfileEmbed profile={profile} origin={origin} /> };
  });
