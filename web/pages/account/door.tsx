/**
 * The intent of a visitor who must sign up or log in first. The address contains only the target. Its name and price
 * come from the server.
 */

import { DOOR_ACTS, type DoorAct, doorLoginPath, doorPath, PATHS } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { getPost } from '@stagedoor/contract/posts.ts';
import { getProfile } from '@stagedoor/contract/profiles.ts';
import type { ReactNode } from 'react';
import { matchPath } from 'react-router';
import { AccountFrame, type AccountFrameProps } from '../../features/account/account-frame.tsx';
import { describeMedia, leadPicture } from '../../features/posts/post-card.tsx';
import { coverProps } from '../../features/profiles/creator-card.tsx';
import { oneOf } from '../../kernel/address.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { isolated, isolatedParts } from '../../kernel/bidi.ts';
import type { PageRequest } from '../../kernel/page-data.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { ownDestination } from '../../kernel/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Name } from '../../ui/label.tsx';
import { Picture, Seal } from '../../ui/picture.tsx';

export type Door = { act: DoorAct; next: string; place: 'post' | 'profile'; id: string };

function placeOf(next: string): Pick<Door, 'place' | 'id'> | undefined {
  const { pathname, searchParams } = new URL(next, 'https://stagedoor.invalid');
  const post = matchPath('/post/:id', pathname)?.params.id;
  if (post) return { place: 'post', id: post };
  const creator =
    pathname === PATHS.fanChat ? searchParams.get('with') : matchPath('/profile/:id', pathname)?.params.id;
  return creator ? { place: 'profile', id: creator } : undefined;
}

export async function loadDoor({ client, url }: PageRequest): Promise<Door | null> {
  const act = oneOf(DOOR_ACTS, url.searchParams.get('for'));
  const next = ownDestination(url.searchParams.get('next'), url.origin)?.path;
  const place = next && placeOf(next);
  if (!act || !place) return null;
  const params = { id: place.id };
  try {
    if (place.place === 'post') await client.ensureQueryData(apiQuery(getPost, { params }));
    else await client.ensureQueryData(apiQuery(getProfile, { params }));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
  return { act, next, ...place };
}

export function otherDoor(door: Door | null, here: 'signup' | 'login'): { href: string; label: string } {
  if (here === 'signup') return { href: door ? doorLoginPath(door.act, door.next) : PATHS.login, label: 'Log in' };
  return { href: door ? doorPath(door.act, door.next) : PATHS.signup, label: 'Create account' };
}

const ASIDE = '(min-width: 60rem) 50vw, 1px';
const THUMB = '112px';

function reasonOf(act: DoorAct, name: string): ReactNode {
  const who = <bdi>{name}</bdi>;
  if (act === 'follow') return <>Follow {who}</>;
  if (act === 'message') return <>Message {who}</>;
  if (act === 'call') return <>Call {who}</>;
  return act === 'tip' ? <>Tip {who}</> : 'Like this post';
}

type FrameProps = Omit<AccountFrameProps, 'title' | 'lead' | 'opens' | 'beside'>;
type Opening = FrameProps & { door: Door };

function PostDoor({ door: { act, id }, ...frame }: Opening) {
  const post = useApi(getPost, { params: { id } });
  const { author, title, price, isUnlocked } = post;
  const lead = leadPicture(post);
  const isSold = act === 'unlock' && !isUnlocked;
  return (
    <AccountFrame
      {...frame}
      title={
        isSold
          ? `Unlock for ${formatUsd(price)}`
          : act === 'unlock'
            ? 'Welcome to Stagedoor'
            : reasonOf(act, author.name)
      }
      beside={
        lead && {
          picture: pictureProps(lead, ASIDE, { alt: '' }),
          who: title || `Post by ${isolated(author.name)}`,
          price: isUnlocked ? undefined : formatUsd(price),
        }
      }
      opens={
        <>
          <Picture
            {...(lead ? pictureProps(lead, THUMB, { priority: true }) : { alt: '' })}
            alt={isUnlocked ? '' : `Blurred preview of ${describeMedia(post)}`}
            ratio="4 / 5"
            fit="contain"
            className="w-28 flex-none"
          >
            {!isUnlocked && <Seal icon="lock">{formatUsd(price)}</Seal>}
          </Picture>
          <div className="grid min-w-0 content-center gap-1">
            <p className="line-clamp-2 font-semibold wrap-anywhere">
              <bdi>{title || 'Untitled'}</bdi>
            </p>
            <Name verified={author.isVerified}>{author.name}</Name>
            <p className="text-small text-muted">{describeMedia(post)}</p>
            {isSold && <p className="text-small text-muted">Pay once and keep it</p>}
          </div>
        </>
      }
    />
  );
}

function ProfileDoor({ door: { act, id }, ...frame }: Opening) {
  const profile = useApi(getProfile, { params: { id } });
  const cover = coverProps(profile, ASIDE, { alt: '' });
  const craft = isolatedParts([profile.craft, profile.city], ', ');
  return (
    <AccountFrame
      {...frame}
      title={reasonOf(act, profile.name)}
      beside={cover && { picture: cover, who: profile.name, price: craft }}
      opens={
        <>
          <Avatar size="l" name={profile.name} src={profile.avatarUrl} />
          <div className="grid min-w-0 content-center gap-1">
            <Name verified={profile.isVerified}>{profile.name}</Name>
            <p className="text-small text-muted wrap-anywhere">{craft || `@${profile.username}`}</p>
          </div>
        </>
      }
    />
  );
}

export function DoorFrame({ door, title, ...frame }: FrameProps & { door: Door | null; title: string }) {
  if (!door) return <AccountFrame {...frame} title={title} />;
  return door.place === 'post' ? <PostDoor {...frame} door={door} /> : <ProfileDoor {...frame} door={door} />;
}
