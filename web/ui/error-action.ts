import { createContext } from 'react';

/** The action that resolves an error. It opens in a new tab, so that what was typed here remains. */
export type ErrorAction = { label: string; href: string };

/** Provides the actions of messages that any request can return. */
export const ErrorActionContext = createContext<(message: string) => ErrorAction | undefined>(() => undefined);
