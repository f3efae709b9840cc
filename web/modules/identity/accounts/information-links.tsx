import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import * as texts from './texts.ts';

const LINKS = [
  { href: PUBLIC_PATHS.pricing, label: texts.pricing },
  { href: PUBLIC_PATHS.plans, label: texts.plans },
  { href: PUBLIC_PATHS.howItWorks, label: texts.howItWorks },
  { href: PUBLIC_PATHS.discovery, label: texts.howWeRankCreators },
  { href: PUBLIC_PATHS.becomeCreator, label: texts.forCreators },
  { href: PUBLIC_PATHS.termsOfService, label: texts.termsOfService },
  { href: PUBLIC_PATHS.privacyPolicy, label: texts.privacyPolicy },
  { href: PUBLIC_PATHS.communityRules, label: texts.communityGuidelines },
  { href: PUBLIC_PATHS.policies, label: texts.allPolicies },
  { href: CASE_PATHS.complaints, label: texts.complaints },
  { href: CASE_PATHS.contactUs, label: texts.contactUs },
];

export function InformationLinks() {
  return (
    <ul className="grid gap-x-6 sm:grid-cols-2">
      {LINKS.map(({ href, label }) => (
        <li key={href}>
          <a className="link inline-flex min-h-11 items-center" href={href}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
