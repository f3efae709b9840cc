/** The frame of sign-up, log-in and their kin: a creator's picture on the left of a desk, the form on the right, alone on a phone. */
import { profilePath } from '@stagedoor/contract/addresses.ts';
import { type CreatorCard, listCreators } from '@stagedoor/contract/profiles.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery } from '../../kernel/query.ts';
import { Label } from '../../ui/label.tsx';
import { Wordmark } from '../../ui/logo.tsx';
import { Picture } from '../../ui/picture.tsx';

const pictures = () => apiQuery(listCreators, { query: { limit: 10 } });

/** Asks for the picture beside the form; without one the page stands all the same. */
export async function loadFrame(client: QueryClient): Promise<void> {
  await client.prefetchQuery(pictures());
}

function CreatorPicture({ creator }: { creator: CreatorCard }) {
  const { cover, name, craft, city, username } = creator;
  if (!cover) return null;
  return (
    <aside className="sticky top-0 flex h-dvh flex-col p-6" aria-label="On Stagedoor">
      <Picture
        src={cover.url}
        alt={cover.alt}
        sources={cover.sources.map(({ type, srcset }) => ({ type, srcSet: srcset }))}
        sizes="(min-width: 960px) 50vw, 1px"
        ratio="auto"
        className="min-h-0 flex-1"
      />
      <a href={profilePath(username)}>
        <Label who={name} price={[craft, city].filter(Boolean).join(', ')} />
      </a>
    </aside>
  );
}

/** `other` is the link at the top right: to the log-in from the sign-up, and back. */
export function AccountFrame({
  title,
  lead,
  other,
  children,
}: {
  title: string;
  lead?: ReactNode;
  other?: { href: string; label: string } | undefined;
  children: ReactNode;
}) {
  const creators = useQuery(pictures()).data?.data ?? [];
  const creator = creators.find(({ cover }) => cover !== null);
  return (
    <div className={creator ? 'lg:grid lg:min-h-dvh lg:grid-cols-2' : 'lg:min-h-dvh'}>
      {creator && (
        <div className="hidden lg:block">
          <CreatorPicture creator={creator} />
        </div>
      )}
      <div className="mx-auto w-full max-w-[500px] px-edge pb-20 lg:max-w-[540px]">
        <header className="flex h-16 items-center justify-between lg:h-22">
          <a href="/" aria-label="Stagedoor, home" className="flex min-h-11 items-center">
            <Wordmark />
          </a>
          {other && (
            <a href={other.href} className="btn btn--quiet -mr-3 text-ink">
              {other.label}
            </a>
          )}
        </header>
        <main id="main" tabIndex={-1} className="pt-3 lg:pt-16">
          <h1 className="display d2">{title}</h1>
          {lead !== undefined && <p className="mt-4 text-muted">{lead}</p>}
          <div className="mt-6">{children}</div>
        </main>
      </div>
    </div>
  );
}
