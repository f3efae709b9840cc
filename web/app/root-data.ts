/** What the document knows of the visitor, for whoever stands inside it. */
import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import { useRouteLoaderData } from 'react-router';
import type { Theme } from '../kernel/theme.ts';

/** With what the house says (kernel/house.ts), of which what is nothing is left out. */
export interface RootData extends HouseSaid {
  isSignedIn: boolean;
  /** Whoever asked was logged in, and is no more. */
  hasEnded: boolean;
  isBlocked: boolean;
  theme: Theme | undefined;
  isOfAge: boolean;
  origin: string;
  contactMail: string;
  isDevelopment: boolean;
  /** Pages with protected media ask for it (kernel/protected-page.ts). */
  hindersInspection?: true;
}

/** Nothing where the document itself failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<() => RootData>('root');
}
