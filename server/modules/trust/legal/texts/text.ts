import type { CompanyDetails } from '@stagedoor/contract/admin/company-details.ts';
import type { PolicySection } from '@stagedoor/contract/trust/legal.ts';
import type { PlatformTerms } from '../../../finance/pricing/index.ts';

export type PolicyTextInput = { readonly companyDetails: CompanyDetails; readonly terms: PlatformTerms };

export type Version = {
  /** The version is in force from this day. */
  readonly version: string;
  readonly changes: string;
  /** Existing users must agree before they continue. Otherwise they are only notified. */
  readonly requiresAgreement?: boolean;
  readonly write: (input: PolicyTextInput) => PolicySection[];
};

/** A published version is never edited. A change is a new version at the end. */
export type Policy = {
  readonly title: string;
  readonly lead: string;
  readonly versions: readonly [Version, ...Version[]];
};

type SectionExtras = { points?: readonly string[]; table?: { columns: string[]; rows: string[][] } };

/** The id is derived from the title. */
export function createSection(
  title: string,
  paragraphs: readonly string[],
  { points = [], table }: SectionExtras = {},
): PolicySection {
  const id = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return { id, title, paragraphs: [...paragraphs], points: [...points], table: table ?? null };
}

/** Returns a neutral phrase while the company name is not set. */
export const getCompanyName = ({ company }: CompanyDetails): string => company || 'The operator of this site';

export function keepStrings(...lines: readonly (string | false)[]): string[] {
  return lines.filter((line) => line !== false);
}
