import { createContext, type ReactNode } from 'react';
import type { PageRequestContext } from '../platform/request-context.ts';

export interface Rendering {
  readonly requestContext: PageRequestContext;
  /** False if the page is sent without the app's script. */
  readonly isHydrated: boolean;
  readonly hasInlineStyles: boolean;
  readonly script?: string | undefined;
}

/** The placeholder for the styles. User text cannot contain it because `<` is escaped. */
export const STYLES_PLACEHOLDER = '<style></style>';

export const RenderingContext = createContext<Rendering | undefined>(undefined);

export function RenderingProvider({ children, ...rendering }: Rendering & { children: ReactNode }) {
  return <RenderingContext value={rendering}>{children}</RenderingContext>;
}
