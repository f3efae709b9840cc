import type { ComponentType } from 'react';

export interface PageHandle {
  /** With false, visitors get this page without script and from the page cache. */
  hydrate?: false;
  /** Its forms show that they are being sent and are sent only once, also on pages without the app's script. */
  submitsOnce?: true;
  /** The search parameters that the page reads. They are the key of the page cache. */
  query?: readonly string[];
  /**
   * Search parameters with a code of letters and digits. Each valid code is a key of the page cache, however it is written,
   * and a page with a refused one is not cached.
   */
  codes?: readonly string[];
  /** Search parameters with free text. A page with one of them is not cached. */
  freeText?: readonly string[];
  /** 'none': the page brings its own layout. */
  shell?: 'none';
  width?: 'full' | 'wide' | 'column' | 'bleed';
  /** No space below the content. */
  flush?: boolean;
  /** No top bar on phones. */
  bare?: boolean;
  /** No tab bar on phones, for pages with a back button. */
  tabless?: boolean;
  /** With this search parameter the page is `bare` and `tabless`. */
  detailParam?: string;
  /** Below this address the page is `bare` and `tabless`. */
  detailBelow?: string;
  /** The navigation entry of the page, if its address does not determine it. */
  nav?: string;
  rightRail?: ComponentType;
  rightRailLabel?: string;
}

export function isPageHandle(value: unknown): value is PageHandle {
  return typeof value === 'object' && value !== null;
}

/** Merges the handles of the matched routes. The innermost wins. */
export function mergeHandles(matches: readonly { handle?: unknown }[]): PageHandle {
  const merged: PageHandle = {};
  for (const { handle } of matches) if (isPageHandle(handle)) Object.assign(merged, handle);
  return merged;
}
