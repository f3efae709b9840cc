import type { PageSiteStatus } from '@stagedoor/contract/shared/page-frame.ts';
import { useRouteLoaderData } from 'react-router';
import type { ColorScheme } from '../platform/color-scheme.ts';

export interface RootData extends PageSiteStatus {
  isSignedIn: boolean;
  /** The session of the caller has ended. */
  hasEnded: boolean;
  isBlocked: boolean;
  theme: ColorScheme | undefined;
  /** The time zone in which the server rendered the page. */
  timeZone: string;
  isOfAge: boolean;
  origin: string;
  contactMail: string;
  isDevelopment: boolean;
  /** Set by pages with protected media (see platform/use-content-protection.ts). */
  isContentProtected?: true;
}

/** Returns undefined if the root loader failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<() => RootData>('root');
}
