import type { DemoPost } from './label.ts';
import { BAPTISTE, DEDE, DEFNE, MIRELE, YUKI } from './posts-bench.ts';
import { AURELIO, HANA, INES, TOMASZ } from './posts-stage.ts';

export const POSTS: readonly DemoPost[] = [MIRELE, INES, TOMASZ, HANA, BAPTISTE, DEDE, YUKI, AURELIO, DEFNE].flat();
