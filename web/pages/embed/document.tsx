/**
 * The document of an embed (row B11) for iframes on other sites, without shell, script and session. Every paid action
 * links out of the frame.
 */
import type { Author } from '@stagedoor/contract/content/posts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { LoaderFunctionArgs } from 'react-router';
import { ApiError } from '../../platform/api-error.ts';
import { parseColorScheme } from '../../platform/color-scheme.ts';
import type { PageRequest } from '../../platform/page-data.ts';
import { requestContextKey } from '../../platform/request-context.ts';
import { getInitials } from '../../ui/avatar.tsx';
import { VerifiedTick } from '../../ui/label.tsx';
import { LogoMark } from '../../ui/logo.tsx';
import css from './embed.css?inline';
import * as texts from './texts.ts';

type EmbedContent = { title: string; body: ReactNode };
export type EmbedRequest = Pick<PageRequest, 'params' | 'client'> & { origin: string };

export function ExternalLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <a href={href} className={className} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

export function AuthorAvatar({ author }: { author: Pick<Author, 'name' | 'avatarUrl'> }) {
  return (
    <span className="face" aria-hidden="true">
      {getInitials(author.name)}
      {author.avatarUrl && <img src={author.avatarUrl} alt="" />}
    </span>
  );
}

export function AuthorName({ author }: { author: Pick<Author, 'name' | 'isVerified'> }) {
  return (
    <span className="name">
      <bdi>{author.name}</bdi>
      {author.isVerified && <VerifiedTick />}
    </span>
  );
}

function NotFoundEmbed({ origin }: { origin: string }) {
  return (
    <main className="gone">
      <LogoMark />
      <h1 className="sr-only">{texts.missingPage}</h1>
      <p>{texts.contentUnavailable}</p>
      <ExternalLink href={origin} className="go">
        {texts.exploreStagedoor}
      </ExternalLink>
    </main>
  );
}

export async function renderEmbed(
  { context, params, request }: LoaderFunctionArgs,
  build: (request: EmbedRequest) => Promise<EmbedContent>,
): Promise<Response> {
  const { client, origin } = context.get(requestContextKey);
  const theme = parseColorScheme(new URL(request.url).searchParams.get('theme'));
  let status = 200;
  const { title, body } = await build({ params, client, origin }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
    status = 404;
    return { title: texts.missingPage, body: <NotFoundEmbed origin={origin} /> };
  });
  const html = renderToStaticMarkup(
    <html lang="en" data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{formatText(texts.documentTitle, { title })}</title>
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
