/** What the document knows of the visitor, for whoever stands inside it. */
import { useRouteLoaderData } from 'react-router';
import type { Stopped } from '../kernel/stopped.ts';
import type { Theme } from '../kernel/theme.ts';

export interface RootData {
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
  /** What operators have stopped (kernel/stopped.ts), and their words during maintenance: left out where all goes on. */
  stopped?: Stopped;
  maintenance?: string;
}

/** Nothing where the document itself failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<() => RootData>('root');
}
