import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { presentDebt } from './present.ts';
export { decideDebt, viewDebtors } from './service.ts';

export const featureModule = { ...manifest, register };
