/** A creator's card in an iframe (row B11), with a link to the profile. */

import { getProfile, type Profile } from '@stagedoor/contract/profiles.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { profileHref } from '../../features/profiles/creator-card.tsx';
import { isolatedParts } from '../../kernel/bidi.ts';
import { plural } from '../../kernel/dates.ts';
import { averageColour } from '../../kernel/pictures.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Mark } from '../../ui/logo.tsx';
import { embed, Face, Out, PersonName } from './document.tsx';
import { EMBED_HANDLE } from './handle.ts';

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
        style={{ objectPosition: `${coverFocus.x}% ${coverFocus.y}%`, background: averageColour(cover.thumbhash) }}
      />
    </picture>
  );
}

function ProfileEmbed({ profile, origin }: { profile: Profile; origin: string }) {
  const href = `${origin}${profileHref(profile)}`;
  const craft = isolatedParts([profile.craft, profile.city], ', ');
  return (
    <>
      <Cover profile={profile} />
      <main className="card">
        <Face person={profile} />
        <h1>
          <Out href={href}>
            <PersonName person={profile} />
          </Out>
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
            {plural(profile.totalPostCount, 'post')} · {plural(profile.totalFollowersCount, 'follower')}
          </span>
          <Out href={href} className="go go--main">
            <Mark size={20} />
            View profile
          </Out>
        </div>
      </main>
    </>
  );
}

export const loader = (args: LoaderFunctionArgs) =>
  embed(args, async ({ params, client, origin }) => {
    const profile = await client.ensureQueryData(apiQuery(getProfile, { params: { id: params.id ?? '' } }));
    return { title: profile.name, body: <ProfileEmbed profile={profile} origin={origin} /> };
  });
