import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'seo',
  dependsOn: ['accounts', 'entitlements', 'posts'],
});
