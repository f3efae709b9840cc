/** What a text of the house is made of: versions, each written with the facts and terms of the moment it is read. */
import type { OperatorFacts, PolicySection } from '@stagedoor/contract/policies.ts';
import type { HouseTerms } from '../terms.ts';

export type Said = { readonly facts: OperatorFacts; readonly terms: HouseTerms };

export type Version = {
  /** The day since when it holds. */
  readonly version: string;
  /** What is different from the one before, in a sentence. */
  readonly changes: string;
  /** Whether people who are here agree to it before they go on; otherwise they are told. */
  readonly asks?: boolean;
  readonly write: (said: Said) => PolicySection[];
};

/** A version that was published is never edited: a change is a new one at the end. */
export type Policy = {
  readonly title: string;
  readonly lead: string;
  readonly versions: readonly [Version, ...Version[]];
};

type Part = { points?: readonly string[]; table?: { columns: string[]; rows: string[][] } };

/** A section. Its id is made of its title. */
export function section(
  title: string,
  paragraphs: readonly string[],
  { points = [], table }: Part = {},
): PolicySection {
  const id = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return { id, title, paragraphs: [...paragraphs], points: [...points], table: table ?? null };
}

/** Who runs the house, as a subject of a sentence; before an operator has said it, in words that hold all the same. */
export const houseOf = ({ company }: OperatorFacts): string => company || 'The operator of this site';

/** Sentences without what nobody has said yet. */
export function known(...lines: readonly (string | false)[]): string[] {
  return lines.filter((line) => line !== false);
}
