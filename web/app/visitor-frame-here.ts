/**
 * Provides the visitor frame and site notices. The server sets them directly, browsers load them only for hydrated
 * pages that use them.
 */
import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import type { ComponentType } from 'react';
import { lazyPart } from '../kernel/lazy-part.ts';
import type { VisitorFrameProps } from './visitor-frame.tsx';

const Later: ComponentType<VisitorFrameProps> = lazyPart(
  async () => (await import('./visitor-frame.tsx')).VisitorFrame,
);

const NoticesLater: ComponentType<HouseSaid> = lazyPart(
  async () => (await import('../features/house/notices.tsx')).Notices,
);

export const visitors = { Frame: Later, Notices: NoticesLater };
export const ActingFrame = lazyPart(async () => (await import('./visitor-frame.tsx')).ActingFrame);
