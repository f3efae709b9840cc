/** These paths are separate so that other pages do not load them. */
import { PATHS } from '../shared/addresses.ts';

export const TEAM_PATH = '/creator/team';
export const ownTeamsPath = (type: string) => `${type === 'creator' ? PATHS.creatorSettings : PATHS.fanProfile}#teams`;
