import '../ui/styles/index.css';
import { currentUser } from '@stagedoor/contract/accounts.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, use, useEffect, useLayoutEffect, useState } from 'react';
import {
  Links,
  type LinksFunction,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
} from 'react-router';
import { ApiError } from '../kernel/api-error.ts';
import { browserClient, CACHE_ELEMENT, cacheText } from '../kernel/browser.ts';
import { apiQuery } from '../kernel/query.ts';
import { THEME_COLORS, type Theme } from '../kernel/theme.ts';
import { visitContext } from '../kernel/visit.ts';
import { fontPreloads } from '../ui/fonts/preload.ts';
import { ALIVE } from './alive.ts';
import { ErrorPage } from './error-page.tsx';
import { HOLD_PRESSES } from './hold-presses.ts';
import { RequestContext } from './request-frame.tsx';
import { type RootData, useRootData } from './root-data.ts';
import { Running } from './running.tsx';

export const links: LinksFunction = () => [
  // iPhones request /apple-touch-icon.png without a link.
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
];

export async function loader({ context }: LoaderFunctionArgs): Promise<RootData> {
  const visit = context.get(visitContext);
  let isBlocked = false;
  let isSignedIn = visit.isSignedIn;
  if (isSignedIn) {
    try {
      await visit.client.ensureQueryData(apiQuery(currentUser, {}));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      isBlocked = error.code === 'account_blocked';
      if (!isBlocked && error.code !== 'UNAUTHORIZED') throw error;
      isSignedIn = false;
    }
  }
  return {
    isSignedIn,
    hasEnded: visit.hasEnded,
    isBlocked,
    theme: visit.theme,
    isOfAge: visit.isOfAge,
    origin: visit.origin,
    contactMail: visit.contactMail,
    isDevelopment: visit.isDevelopment,
    ...visit.house,
    ...(visit.hindersInspection && isSignedIn && { hindersInspection: true }),
  };
}

/** The session and the theme change only when a new document is loaded. */
export function shouldRevalidate(): boolean {
  return false;
}

function ThemeColors({ theme }: { theme: Theme | undefined }) {
  if (theme) return <meta name="theme-color" content={THEME_COLORS[theme]} />;
  return (
    <>
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={THEME_COLORS.light} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={THEME_COLORS.dark} />
    </>
  );
}

const tellAlive = () => void dispatchEvent(new Event(ALIVE));

export function Layout({ children }: { children: ReactNode }) {
  const rendering = use(RequestContext);
  const visit = rendering?.visit;
  const root = useRootData();
  const isAlive = rendering?.isAlive !== false;
  useLayoutEffect(tellAlive, []);
  useEffect(tellAlive, []);
  return (
    <html lang="en" data-theme={root?.theme} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {isAlive && <meta property="csp-nonce" nonce={visit?.nonce} suppressHydrationWarning />}
        <ThemeColors theme={root?.theme} />
        {fontPreloads.map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <Meta />
        {rendering?.hasStylesInside ? (
          // The server replaces this with the styles and links (see entry.server.tsx).
          <style />
        ) : (
          // Styles need no nonce. Browsers hide nonce values, so one would cause a hydration mismatch.
          <Links nonce="" />
        )}
        {/* Last in the head, where hydration skips elements that the browser does not render itself. */}
        {import.meta.env.SSR && rendering?.isAlive && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours (hold-presses.ts)
          <script nonce={rendering.visit.nonce} dangerouslySetInnerHTML={{ __html: HOLD_PRESSES }} />
        )}
      </head>
      <body>
        {children}
        {import.meta.env.SSR && rendering?.script !== undefined && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours (send-once.ts)
          <script dangerouslySetInnerHTML={{ __html: rendering.script }} />
        )}
        {isAlive && (
          <>
            {visit && <CacheElement />}
            <ScrollRestoration nonce={visit?.nonce} />
            <Scripts nonce={visit?.nonce} />
          </>
        )}
      </body>
    </html>
  );
}

function CacheElement() {
  const visit = use(RequestContext)?.visit;
  if (!visit) return null;
  return (
    <script
      id={CACHE_ELEMENT}
      type="application/json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every < escaped
      dangerouslySetInnerHTML={{ __html: cacheText(visit.client) }}
      suppressHydrationWarning
    />
  );
}

export default function Root() {
  const visit = use(RequestContext)?.visit;
  const [client] = useState(() => visit?.client ?? browserClient());
  return (
    <QueryClientProvider client={client}>
      <Outlet />
      <Running />
    </QueryClientProvider>
  );
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorPage error={error} />;
}
