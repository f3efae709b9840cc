/** What a route says of itself: how its page is framed, and whether visitors get it without script. */
import type { ComponentType } from 'react';

export interface PageHandle {
  /** False: people without a session get this page without any script, and from memory. */
  hydrate?: false;
  /** Its forms say that they are being sent, and are not sent twice, also where the page is sent without the app. */
  sendsOnce?: true;
  /** The search parameters that the page reads; a kept page is looked up by these alone. */
  query?: readonly string[];
  /** Those of them that are free text: with one of these the page is made anew each time. */
  freeText?: readonly string[];
  /** 'none': the page brings its own frame. */
  shell?: 'none';
  width?: 'full' | 'wide' | 'column' | 'bleed';
  /** No room below the content. */
  flush?: boolean;
  /** No top bar on phones. */
  bare?: boolean;
  /** No tab bar on phones, for a place one goes back from. */
  tabless?: boolean;
  /** With this search parameter the page is a place one goes back from: `bare` and `tabless`. */
  deepWith?: string;
  /** Below this address the page is such a place. */
  deepBelow?: string;
  /** The navigation entry it belongs to, when its own address doesn't tell. */
  nav?: string;
  rightRail?: ComponentType;
  rightRailLabel?: string;
}

export function isPageHandle(value: unknown): value is PageHandle {
  return typeof value === 'object' && value !== null;
}

/** The handles of the matched routes as one; the innermost wins. */
export function mergeHandles(matches: readonly { handle?: unknown }[]): PageHandle {
  const merged: PageHandle = {};
  for (const { handle } of matches) if (isPageHandle(handle)) Object.assign(merged, handle);
  return merged;
}
