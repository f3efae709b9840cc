import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({ name: 'ccbill' });
