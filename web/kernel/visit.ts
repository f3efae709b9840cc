import type { VisitFacts } from '@stagedoor/contract/page-frame.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createContext } from 'react-router';
import type { Theme } from './theme.ts';

export type Visit = Omit<VisitFacts, 'theme'> & { readonly client: QueryClient; readonly theme: Theme | undefined };

export const visitContext = createContext<Visit>();
