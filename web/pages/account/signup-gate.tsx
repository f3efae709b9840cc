/**
 * The intent of a visitor who must sign up or log in first. The address contains only the target. Its name and price
 * come from the server.
 */

import { getPost } from '@stagedoor/contract/content/posts.ts';
import { getProfile } from '@stagedoor/contract/content/profiles.ts';
import {
  GATE_INTENTS,
  type GateIntent,
  loginGatePath,
  loginPath,
  PATHS,
  signupGatePath,
  signupPath,
} from '@stagedoor/contract/shared/addresses.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ReactNode } from 'react';
import { matchPath } from 'react-router';
import { describeMedia, findLeadPicture } from '../../modules/content/posts/post-card.tsx';
import { toCoverProps } from '../../modules/content/profiles/creator-card.tsx';
import { AccountFrame, type AccountFrameProps } from '../../modules/identity/accounts/account-frame.tsx';
import { parseOption } from '../../platform/address.ts';
import { ApiError } from '../../platform/api-error.ts';
import { isolateText, joinIsolated } from '../../platform/bidi.ts';
import type { PageRequest } from '../../platform/page-data.ts';
import { toPictureProps } from '../../platform/pictures.ts';
import { apiQuery, useApi } from '../../platform/query.ts';

import { Avatar } from '../../ui/avatar.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { VerifiedName } from '../../ui/label.tsx';
import { Picture, PictureBadge } from '../../ui/picture.tsx';
import * as texts from './texts.ts';

export type GateTarget = { intent: GateIntent; next: string; kind: 'post' | 'profile'; id: string };

function findTarget(next: string): Pick<GateTarget, 'kind' | 'id'> | undefined {
  const { pathname, searchParams } = new URL(next, 'https://stagedoor.invalid');
  const post = matchPath('/post/:id', pathname)?.params.id;
  if (post) return { kind: 'post', id: post };
  const creator =
    pathname === PATHS.fanChat ? searchParams.get('with') : matchPath('/profile/:id', pathname)?.params.id;
  return creator ? { kind: 'profile', id: creator } : undefined;
}

export async function loadGate({ client, url }: PageRequest): Promise<GateTarget | null> {
  const intent = parseOption(GATE_INTENTS, url.searchParams.get('for'));
  const next = parseDestination(url.searchParams.get('next'), url.origin)?.path;
  const target = next && findTarget(next);
  if (!intent || !target) return null;
  const params = { id: target.id };
  try {
    if (target.kind === 'post') await client.ensureQueryData(apiQuery(getPost, { params }));
    else await client.ensureQueryData(apiQuery(getProfile, { params }));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
  return { intent, next, ...target };
}

/** The link to the other page of the two, which continues to the same path. `next` is an internal path. */
export function getOtherGateLink(
  gate: GateTarget | null,
  page: 'signup' | 'login',
  next: string | undefined,
): { href: string; label: string } {
  if (page === 'signup') {
    const href = gate ? loginGatePath(gate.intent, gate.next) : next ? loginPath(next) : PATHS.login;
    return { href, label: texts.logIn };
  }
  const href = gate ? signupGatePath(gate.intent, gate.next) : next ? signupPath(next) : PATHS.signup;
  return { href, label: texts.createAccount };
}

const ASIDE = '(min-width: 60rem) 50vw, 1px';
const THUMB = '112px';

function formatIntent(intent: GateIntent, name: string): ReactNode {
  const creatorName = <bdi>{name}</bdi>;
  if (intent === 'follow') return <>{formatNodes(texts.followCreator, { creatorName })}</>;
  if (intent === 'message') return <>{formatNodes(texts.messageCreator, { creatorName })}</>;
  if (intent === 'call') return <>{formatNodes(texts.callCreator, { creatorName })}</>;
  if (intent === 'subscribe') return <>{formatNodes(texts.subscribeToCreator, { creatorName })}</>;
  return intent === 'tip' ? formatNodes(texts.tipCreator, { creatorName }) : texts.likeThisPost;
}

type GateFrameProps = Omit<AccountFrameProps, 'title' | 'lead' | 'opens' | 'aside'>;
type GateProps = GateFrameProps & { gate: GateTarget };

function PostGate({ gate: { intent, id }, ...frame }: GateProps) {
  const post = useApi(getPost, { params: { id } });
  const { author, title, price, isUnlocked } = post;
  const lead = findLeadPicture(post);
  const isSold = intent === 'unlock' && !isUnlocked;
  return (
    <AccountFrame
      {...frame}
      title={
        isSold
          ? formatText(texts.unlockFor, { price: formatUsd(price) })
          : intent === 'unlock'
            ? texts.welcomeToStagedoor
            : formatIntent(intent, author.name)
      }
      aside={
        lead && {
          picture: toPictureProps(lead, ASIDE, { alt: '' }),
          creatorName: title || formatText(texts.postBy, { name: isolateText(author.name) }),
          subtitle: isUnlocked ? undefined : formatUsd(price),
        }
      }
      opens={
        <>
          <Picture
            {...(lead ? toPictureProps(lead, THUMB, { priority: true }) : { alt: '' })}
            alt={isUnlocked ? '' : formatText(texts.blurredPostPreview, { post: describeMedia(post) })}
            ratio="4 / 5"
            fit="contain"
            className="w-28 flex-none"
          >
            {!isUnlocked && <PictureBadge icon="lock">{formatUsd(price)}</PictureBadge>}
          </Picture>
          <div className="grid min-w-0 content-center gap-1">
            <p className="line-clamp-2 font-semibold wrap-anywhere">
              <bdi>{title || texts.untitled}</bdi>
            </p>
            <VerifiedName verified={author.isVerified}>{author.name}</VerifiedName>
            <p className="text-small text-muted">{describeMedia(post)}</p>
            {isSold && <p className="text-small text-muted">{texts.payOnceHint}</p>}
          </div>
        </>
      }
    />
  );
}

function ProfileGate({ gate: { intent, id }, ...frame }: GateProps) {
  const profile = useApi(getProfile, { params: { id } });
  const cover = toCoverProps(profile, ASIDE, { alt: '' });
  const craft = joinIsolated([profile.craft, profile.city], ', ');
  return (
    <AccountFrame
      {...frame}
      title={formatIntent(intent, profile.name)}
      aside={cover && { picture: cover, creatorName: profile.name, subtitle: craft }}
      opens={
        <>
          <Avatar size="l" name={profile.name} src={profile.avatarUrl} />
          <div className="grid min-w-0 content-center gap-1">
            <VerifiedName verified={profile.isVerified}>{profile.name}</VerifiedName>
            <p className="text-small text-muted wrap-anywhere">{craft || `@${profile.username}`}</p>
          </div>
        </>
      }
    />
  );
}

export function SignupGate({ gate, title, ...frame }: GateFrameProps & { gate: GateTarget | null; title: string }) {
  if (!gate) return <AccountFrame {...frame} title={title} />;
  return gate.kind === 'post' ? <PostGate {...frame} gate={gate} /> : <ProfileGate {...frame} gate={gate} />;
}
