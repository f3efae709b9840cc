import '../ui/styles/index.css';
import { getCurrentUser } from '@stagedoor/contract/identity/accounts.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, use, useEffect, useLayoutEffect, useState } from 'react';
import { Links, type LinksFunction, type LoaderFunctionArgs, Meta, Outlet, Scripts } from 'react-router';
import { ApiError } from '../platform/api-error.ts';
import { CACHE_ELEMENT, getBrowserClient, serializeCache } from '../platform/browser.ts';
import { type ColorScheme, THEME_COLORS } from '../platform/color-scheme.ts';
import { findErrorAction } from '../platform/error-actions.ts';
import { apiQuery } from '../platform/query.ts';
import { requestContextKey } from '../platform/request-context.ts';
import { UTC } from '../platform/time-zone.ts';
import { fontPreloads } from '../ui/fonts/preload.ts';
import { ErrorActionProvider } from '../ui/inline-error.tsx';
import { ErrorPage } from './error-page.tsx';
import { HydratedUi } from './hydrated-ui.tsx';
import { HYDRATION_EVENT } from './hydration-signal.ts';
import { PRE_HYDRATION_SCRIPT } from './pre-hydration-replay.ts';
import { RenderingContext } from './rendering-context.tsx';
import { type RootData, useRootData } from './root-data.ts';
import { ScrollRestoration } from './scroll-restoration.tsx';

export const links: LinksFunction = () => [
  // iPhones request /apple-touch-icon.png without a link.
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
];

export async function loader({ context }: LoaderFunctionArgs): Promise<RootData> {
  const requestContext = context.get(requestContextKey);
  let isBlocked = false;
  let isSignedIn = requestContext.isSignedIn;
  if (isSignedIn) {
    try {
      await requestContext.client.ensureQueryData(apiQuery(getCurrentUser, {}));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      isBlocked = error.code === 'account_blocked';
      if (!isBlocked && error.code !== 'UNAUTHORIZED') throw error;
      isSignedIn = false;
    }
  }
  return {
    isSignedIn,
    hasEnded: requestContext.hasEnded,
    isBlocked,
    theme: requestContext.theme,
    timeZone: requestContext.timeZone,
    isOfAge: requestContext.isOfAge,
    origin: requestContext.origin,
    contactMail: requestContext.contactMail,
    isDevelopment: requestContext.isDevelopment,
    ...requestContext.siteStatus,
    ...(requestContext.isContentProtected && isSignedIn && { isContentProtected: true }),
  };
}

/** The session and the theme change only when a new document is loaded. */
export function shouldRevalidate(): boolean {
  return false;
}

function ThemeColors({ theme }: { theme: ColorScheme | undefined }) {
  if (theme) return <meta name="theme-color" content={THEME_COLORS[theme]} />;
  return (
    <>
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={THEME_COLORS.light} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={THEME_COLORS.dark} />
    </>
  );
}

const dispatchHydrated = () => void dispatchEvent(new Event(HYDRATION_EVENT));

/** UTC is the default and needs no attribute. */
const toZoneAttribute = (zone: string | undefined) => (zone === UTC ? undefined : zone);

export function Layout({ children }: { children: ReactNode }) {
  const rendering = use(RenderingContext);
  const requestContext = rendering?.requestContext;
  const root = useRootData();
  const isHydrated = rendering?.isHydrated !== false;
  useLayoutEffect(dispatchHydrated, []);
  useEffect(dispatchHydrated, []);
  return (
    <html lang="en" data-theme={root?.theme} data-zone={toZoneAttribute(root?.timeZone)} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {isHydrated && <meta property="csp-nonce" nonce={requestContext?.nonce} suppressHydrationWarning />}
        <ThemeColors theme={root?.theme} />
        {fontPreloads.map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <Meta />
        {rendering?.hasInlineStyles ? (
          // The server replaces this with the styles and links (see entry.server.tsx).
          <style />
        ) : (
          // Styles need no nonce. Browsers hide nonce values, so one would cause a hydration mismatch.
          <Links nonce="" />
        )}
        {/* Last in the head, where hydration skips elements that the browser does not render itself. */}
        {import.meta.env.SSR && rendering?.isHydrated && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours (pre-hydration-replay.ts)
          <script nonce={rendering.requestContext.nonce} dangerouslySetInnerHTML={{ __html: PRE_HYDRATION_SCRIPT }} />
        )}
      </head>
      <body>
        {children}
        {import.meta.env.SSR && rendering?.script !== undefined && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours (submit-once.ts)
          <script dangerouslySetInnerHTML={{ __html: rendering.script }} />
        )}
        {isHydrated && (
          <>
            {requestContext && <CacheElement />}
            <ScrollRestoration nonce={requestContext?.nonce} />
            <Scripts nonce={requestContext?.nonce} />
          </>
        )}
      </body>
    </html>
  );
}

function CacheElement() {
  const requestContext = use(RenderingContext)?.requestContext;
  if (!requestContext) return null;
  return (
    <script
      id={CACHE_ELEMENT}
      type="application/json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every < escaped
      dangerouslySetInnerHTML={{ __html: serializeCache(requestContext.client, requestContext.readAt) }}
      suppressHydrationWarning
    />
  );
}

export default function Root() {
  const requestContext = use(RenderingContext)?.requestContext;
  const [client] = useState(() => requestContext?.client ?? getBrowserClient());
  return (
    <QueryClientProvider client={client}>
      <ErrorActionProvider value={findErrorAction}>
        <Outlet />
        <HydratedUi />
      </ErrorActionProvider>
    </QueryClientProvider>
  );
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorPage error={error} />;
}
