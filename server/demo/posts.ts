import type { DemoPost } from './demo-post.ts';
import { BAPTISTE, DEDE, DEFNE, MIRELE, YUKI } from './posts-makers.ts';
import { AURELIO, HANA, INES, TOMASZ } from './posts-performers.ts';

export const POSTS: readonly DemoPost[] = [MIRELE, INES, TOMASZ, HANA, BAPTISTE, DEDE, YUKI, AURELIO, DEFNE].flat();
