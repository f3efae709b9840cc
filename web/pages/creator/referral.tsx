import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { PageHandle } from '../../platform/page.ts';

export { clientLoader, default, loader, meta } from '../referral.tsx';
export const handle: PageHandle = { width: 'wide', nav: PATHS.creatorProfile };
