/** Hands the request's facts to the rendering on the server; in the browser there is none of this. */
import { createContext, type ReactNode } from 'react';
import type { Visit } from '../kernel/visit.ts';

export interface Rendering {
  readonly visit: Visit;
  /** The page's styles, if they can be carried inside. */
  readonly css: string | undefined;
}

export const RequestContext = createContext<Rendering | undefined>(undefined);

export function RequestFrame({ children, ...rendering }: Rendering & { children: ReactNode }) {
  return <RequestContext value={rendering}>{children}</RequestContext>;
}
