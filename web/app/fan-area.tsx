import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, Outlet } from 'react-router';
import { inBrowser, onServer } from '../kernel/page-data.ts';
import { onlyFor } from './area.ts';

const load = onlyFor('customer');
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default Outlet;
