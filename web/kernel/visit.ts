/** What the server knows of one request for a page, handed to loaders and to the rendering through the load context. */
import type { QueryClient } from '@tanstack/react-query';
import { createContext } from 'react-router';
import type { Transport } from './api.ts';
import type { Theme } from './theme.ts';

/** Stylesheets by their addresses as one style element, for pages that carry their styles inside; nothing if one isn't known. */
export type Styles = (addresses: readonly string[]) => Uint8Array | undefined;

export interface Visit {
  /** In-process calls with the visitor's cookies. */
  readonly transport: Transport;
  readonly client: QueryClient;
  /** A living session came with the request. */
  readonly isSignedIn: boolean;
  /** The request's session has ended: nobody is logged in who was. */
  readonly hasEnded: boolean;
  readonly theme: Theme | undefined;
  readonly isOfAge: boolean;
  readonly nonce: string;
  /** `https://stagedoor.example`, for canonical and Open Graph addresses. */
  readonly origin: string;
  readonly contactMail: string;
  readonly isDevelopment: boolean;
  readonly styles: Styles;
}

export const visitContext = createContext<Visit>();
