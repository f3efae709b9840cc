import type { PageContext } from '@stagedoor/contract/shared/page-frame.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createContext } from 'react-router';
import type { ColorScheme } from './color-scheme.ts';

export type PageRequestContext = Omit<PageContext, 'theme' | 'timeZone'> & {
  readonly client: QueryClient;
  readonly theme: ColorScheme | undefined;
  readonly timeZone: string;
};

export const requestContextKey = createContext<PageRequestContext>();
