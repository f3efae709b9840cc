import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import { useRouteLoaderData } from 'react-router';
import type { Theme } from '../kernel/theme.ts';

export interface RootData extends HouseSaid {
  isSignedIn: boolean;
  /** The session of the caller has ended. */
  hasEnded: boolean;
  isBlocked: boolean;
  theme: Theme | undefined;
  isOfAge: boolean;
  origin: string;
  contactMail: string;
  isDevelopment: boolean;
  /** Set by pages with protected media (see kernel/protected-page.ts). */
  hindersInspection?: true;
}

/** Returns undefined if the root loader failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<() => RootData>('root');
}
