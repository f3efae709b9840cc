/** The key is also the URL path. */
import type { PolicyKey } from '@stagedoor/contract/trust/legal.ts';
import { communityRules } from './community-rules.ts';
import { creatorAgreement } from './creator-agreement.ts';
import { dmca } from './dmca.ts';
import { privacyPolicy } from './privacy-policy.ts';
import { records } from './records.ts';
import { termsOfService } from './terms-of-service.ts';
import type { Policy } from './text.ts';

export const POLICIES: Readonly<Record<PolicyKey, Policy>> = {
  'terms-of-service': termsOfService,
  'privacy-policy': privacyPolicy,
  'community-rules': communityRules,
  'creator-agreement': creatorAgreement,
  '2257': records,
  dmca,
};
