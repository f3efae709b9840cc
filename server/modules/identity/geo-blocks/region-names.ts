import { COUNTRIES } from '@stagedoor/contract/compliance/verification.ts';

export type RegionName = { readonly code: string; readonly name: string };

/** The codes are ISO 3166-2 and include the District of Columbia. */
const STATES =
  'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming';

const regionNames = new Intl.DisplayNames('en', { type: 'region' });
const sortByName = (regions: RegionName[]) => regions.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));

const countries = sortByName(COUNTRIES.map((code) => ({ code, name: regionNames.of(code) ?? code })));
const states = STATES.split(',').map((entry) => ({
  code: `US-${entry.slice(0, 2)}`,
  name: `United States: ${entry.slice(3)}`,
}));
const withStates = sortByName([...countries, ...states]);
const nameByCode = new Map(withStates.map(({ code, name }) => [code, name]));

/** Returns all regions, sorted by name. */
export function listRegions(hasStates: boolean): readonly RegionName[] {
  return hasStates ? withStates : countries;
}

export function findRegion(code: string): RegionName | undefined {
  const name = nameByCode.get(code);
  return name === undefined ? undefined : { code, name };
}
