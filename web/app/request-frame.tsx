/** Hands the request's facts to the rendering on the server; in the browser there is none of this. */
import { createContext, type ReactNode } from 'react';
import type { Visit } from '../kernel/visit.ts';

export interface Rendering {
  readonly visit: Visit;
  /** False: the page is sent without any script. */
  readonly isAlive: boolean;
  /** The styles are put in place of {@link STYLES_HERE} when the page is rendered. */
  readonly hasStylesInside: boolean;
  /** All the script of a page that is not alive. */
  readonly script?: string | undefined;
}

/** Where a page carries its styles. Nothing else on a page can read like this: texts have their `<` escaped. */
export const STYLES_HERE = '<style></style>';

export const RequestContext = createContext<Rendering | undefined>(undefined);

export function RequestFrame({ children, ...rendering }: Rendering & { children: ReactNode }) {
  return <RequestContext value={rendering}>{children}</RequestContext>;
}
