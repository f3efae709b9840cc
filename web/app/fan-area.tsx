import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, Outlet } from 'react-router';
import { loadInBrowser, loadOnServer } from '../platform/page-data.ts';
import { requireUserType } from './area.ts';

const load = requireUserType('customer');
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default Outlet;
