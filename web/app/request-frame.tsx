import { createContext, type ReactNode } from 'react';
import type { Visit } from '../kernel/visit.ts';

export interface Rendering {
  readonly visit: Visit;
  /** False if the page is sent without the app's script. */
  readonly isAlive: boolean;
  readonly hasStylesInside: boolean;
  readonly script?: string | undefined;
}

/** The placeholder for the styles. User text cannot contain it because `<` is escaped. */
export const STYLES_HERE = '<style></style>';

export const RequestContext = createContext<Rendering | undefined>(undefined);

export function RequestFrame({ children, ...rendering }: Rendering & { children: ReactNode }) {
  return <RequestContext value={rendering}>{children}</RequestContext>;
}
