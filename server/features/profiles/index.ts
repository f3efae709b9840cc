/** Profiles: finding creators, showing them, editing oneself. Above accounts, media and follows. */
import './events.ts';

export { register } from './routes.ts';
export { countProfileView } from './views.ts';
