import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';

const LINKS = [
  { href: PUBLIC_PATHS.pricing, label: 'Pricing' },
  { href: PUBLIC_PATHS.plans, label: 'Plans' },
  { href: PUBLIC_PATHS.howItWorks, label: 'How it works' },
  { href: PUBLIC_PATHS.discovery, label: 'How we rank creators' },
  { href: PUBLIC_PATHS.becomeCreator, label: 'For creators' },
  { href: PUBLIC_PATHS.termsOfService, label: 'Terms of service' },
  { href: PUBLIC_PATHS.privacyPolicy, label: 'Privacy policy' },
  { href: PUBLIC_PATHS.communityRules, label: 'Community guidelines' },
  { href: PUBLIC_PATHS.policies, label: 'All policies' },
  { href: CASE_PATHS.complaints, label: 'Complaints' },
  { href: CASE_PATHS.contactUs, label: 'Contact us' },
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
