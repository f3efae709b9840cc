/**
 * Provides the visitor frame and site notices. The server sets them directly, browsers load them only for hydrated
 * pages that use them.
 */
import type { PageSiteStatus } from '@stagedoor/contract/shared/page-frame.ts';
import type { ComponentType } from 'react';
import { lazyPart } from '../platform/lazy-part.ts';
import type { VisitorFrameProps } from './visitor-frame.tsx';

const LazyVisitorFrame: ComponentType<VisitorFrameProps> = lazyPart(
  async () => (await import('./visitor-frame.tsx')).VisitorFrame,
);

const LazyNotices: ComponentType<PageSiteStatus> = lazyPart(
  async () => (await import('../modules/commerce/site-status/site-status-banners.tsx')).SiteStatusBanners,
);

export const visitorParts = { Frame: LazyVisitorFrame, Notices: LazyNotices };
export const DelegationLayout = lazyPart(async () => (await import('./visitor-frame.tsx')).DelegationLayout);
