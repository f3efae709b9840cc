/**
 * The document of an embed (row B11) for iframes on other sites, without shell, script and session. Every paid action
 * links out of the frame.
 */
import type { Author } from '@stagedoor/contract/posts.ts';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { LoaderFunctionArgs } from 'react-router';
import { ApiError } from '../../kernel/api-error.ts';
import type { PageRequest } from '../../kernel/page-data.ts';
import { asTheme } from '../../kernel/theme.ts';
import { visitContext } from '../../kernel/visit.ts';
import { initials } from '../../ui/avatar.tsx';
import { Tick } from '../../ui/label.tsx';
import { Mark } from '../../ui/logo.tsx';
import css from './embed.css?inline';

type Frame = { title: string; body: ReactNode };
export type EmbedRequest = Pick<PageRequest, 'params' | 'client'> & { origin: string };

export function Out({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <a href={href} className={className} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

export function Face({ person }: { person: Pick<Author, 'name' | 'avatarUrl'> }) {
  return (
    <span className="face" aria-hidden="true">
      {initials(person.name)}
      {person.avatarUrl && <img src={person.avatarUrl} alt="" />}
    </span>
  );
}

export function PersonName({ person }: { person: Pick<Author, 'name' | 'isVerified'> }) {
  return (
    <span className="name">
      <bdi>{person.name}</bdi>
      {person.isVerified && <Tick />}
    </span>
  );
}

function Gone({ origin }: { origin: string }) {
  return (
    <main className="gone">
      <Mark />
      <h1 className="sr-only">Not found</h1>
      <p>This content is no longer available.</p>
      <Out href={origin} className="go">
        Explore Stagedoor
      </Out>
    </main>
  );
}

export async function embed(
  { context, params, request }: LoaderFunctionArgs,
  make: (request: EmbedRequest) => Promise<Frame>,
): Promise<Response> {
  const { client, origin } = context.get(visitContext);
  const theme = asTheme(new URL(request.url).searchParams.get('theme'));
  let status = 200;
  const { title, body } = await make({ params, client, origin }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
    status = 404;
    return { title: 'Not found', body: <Gone origin={origin} /> };
  });
  const html = renderToStaticMarkup(
    <html lang="en" data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Stagedoor`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>{body}</body>
    </html>,
  );
  return new Response(`<!doctype html>${html}`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}
