/**
 * The layout of sign-up, login and related pages: a creator's picture next to the form on wide screens, the form alone
 * on phones.
 */

import { type CreatorCard, listCreators } from '@stagedoor/contract/content/profiles.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { joinIsolated } from '../../../platform/bidi.ts';
import { toPictureProps } from '../../../platform/pictures.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Label } from '../../../ui/label.tsx';
import { Wordmark } from '../../../ui/logo.tsx';
import { Picture, type PictureProps } from '../../../ui/picture.tsx';
import * as texts from './texts.ts';

const creatorsQuery = () => apiQuery(listCreators, { query: { limit: 10 } });

export async function loadAccountFrame(client: QueryClient): Promise<void> {
  await client.prefetchQuery(creatorsQuery());
}

type SidePicture = {
  picture: PictureProps;
  creatorName: string;
  subtitle?: string | undefined;
  href?: string | undefined;
};

function findSidePicture(creators: readonly CreatorCard[]): SidePicture | undefined {
  for (const { cover, name, craft, city, username } of creators) {
    if (!cover) continue;
    const picture = toPictureProps(cover, '(min-width: 60rem) 50vw, 1px');
    return { picture, creatorName: name, subtitle: joinIsolated([craft, city], ', '), href: profilePath(username) };
  }
  return undefined;
}

function Aside({ picture, creatorName, subtitle, href }: SidePicture) {
  const label = <Label title={creatorName} price={subtitle} />;
  return (
    <aside className="sticky top-0 flex h-dvh flex-col p-6" aria-label={texts.onStagedoor}>
      <Picture {...picture} ratio="auto" className="min-h-0 flex-1" />
      {href === undefined ? label : <a href={href}>{label}</a>}
    </aside>
  );
}

export type AccountFrameProps = {
  title: ReactNode;
  lead?: ReactNode;
  headerLink?: { href: string; label: string } | undefined;
  opens?: ReactNode;
  aside?: SidePicture | undefined;
  children: ReactNode;
};

export function AccountFrame({ title, lead, headerLink, opens, aside, children }: AccountFrameProps) {
  const creators = useQuery(creatorsQuery()).data?.data ?? [];
  const shownPicture = aside ?? findSidePicture(creators);
  return (
    <div className={shownPicture ? 'lg:grid lg:min-h-dvh lg:grid-cols-2' : 'lg:min-h-dvh'}>
      {shownPicture && (
        <div className="hidden lg:block">
          <Aside {...shownPicture} />
        </div>
      )}
      <div className="mx-auto w-full max-w-[500px] px-edge pb-20 lg:max-w-[540px]">
        <header className="flex min-h-16 flex-wrap items-center justify-between lg:min-h-22">
          <a href="/" aria-label={texts.homeLink} className="flex min-h-11 items-center">
            <Wordmark />
          </a>
          {headerLink && (
            <a href={headerLink.href} className="btn btn--quiet -mr-[12px] ml-auto text-ink">
              {headerLink.label}
            </a>
          )}
        </header>
        <main id="main" tabIndex={-1} className="pt-3 lg:pt-16">
          <h1 className="display d2">{title}</h1>
          {lead !== undefined && <p className="mt-4 text-muted">{lead}</p>}
          {opens !== undefined && <div className="mt-5 flex gap-4">{opens}</div>}
          <div className="mt-6">{children}</div>
        </main>
      </div>
    </div>
  );
}
