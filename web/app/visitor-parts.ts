/**
 * Provides the frames that most pages in the browser do not need, and the site notices. The server sets them directly,
 * browsers load them only for hydrated pages that use them.
 */
import type { PageSiteStatus } from '@stagedoor/contract/shared/page-frame.ts';
import type { ComponentType } from 'react';
import { lazyPart, loadWhenReachable } from '../platform/lazy-part.ts';
import type { DelegationLayoutProps } from './delegation-layout.tsx';
import type { VisitorFrameProps } from './visitor-frame.tsx';

const LazyVisitorFrame: ComponentType<VisitorFrameProps> = lazyPart(
  async () => (await import('./visitor-frame.tsx')).VisitorFrame,
);

const LazyNotices: ComponentType<PageSiteStatus> = lazyPart(
  async () => (await import('../modules/commerce/site-status/site-status-banners.tsx')).SiteStatusBanners,
);

const LazyDelegationLayout: ComponentType<DelegationLayoutProps> = lazyPart(
  async () => (await import('./visitor-frame.tsx')).DelegationLayout,
);

export const visitorParts = {
  Frame: LazyVisitorFrame,
  Notices: LazyNotices,
  DelegationLayout: LazyDelegationLayout,
};

/**
 * Loads the code of the frame that the server rendered, before the page is hydrated. Otherwise an update while the frame loads
 * would make React remove the whole page, and a press at that moment would be lost.
 */
export async function loadRenderedFrame(): Promise<void> {
  if (!document.querySelector('[data-lazy-frame]')) return;
  const { VisitorFrame, DelegationLayout } = await loadWhenReachable(() => import('./visitor-frame.tsx'));
  Object.assign(visitorParts, { Frame: VisitorFrame, DelegationLayout });
}
