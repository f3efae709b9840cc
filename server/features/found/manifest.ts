import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'found',
  dependsOn: ['accounts', 'entitlements', 'posts'],
});
