/** What the server knows of one request for a page, handed to loaders and to the rendering through the load context. */
import type { QueryClient } from '@tanstack/react-query';
import { createContext } from 'react-router';
import type { Transport } from './api.ts';
import type { Theme } from './theme.ts';

export interface Visit {
  /** In-process calls with the visitor's cookies. */
  readonly transport: Transport;
  readonly client: QueryClient;
  /** A living session came with the request. */
  readonly isSignedIn: boolean;
  readonly theme: Theme | undefined;
  readonly isOfAge: boolean;
  readonly nonce: string;
  /** `https://stagedoor.example`, for canonical and Open Graph addresses. */
  readonly origin: string;
  readonly contactMail: string;
  readonly isDevelopment: boolean;
  /** The text of a stylesheet by its address, for pages that carry their styles inside. */
  readonly styles: ReadonlyMap<string, string>;
}

export const visitContext = createContext<Visit>();
