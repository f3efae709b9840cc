import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { PageHandle } from '../../kernel/page.ts';

export { clientLoader, default, loader, meta } from '../referral.tsx';
export const handle: PageHandle = { width: 'wide', nav: PATHS.creatorProfile };
