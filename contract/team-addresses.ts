/** Where teams are, apart from the addresses that every page carries. */
import { PATHS } from './addresses.ts';

/** A creator's own. */
export const TEAM_PATH = '/creator/team';
/** Whose teams one is in, and who asks one into theirs: a part of the settings. */
export const ownTeamsPath = (type: string) => `${type === 'creator' ? PATHS.creatorSettings : PATHS.fanProfile}#teams`;
