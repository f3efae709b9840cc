import { redirect } from 'react-router';
import { canOpenPage } from '../../modules/admin/console/nav-entries.ts';
import { isStepUpRequired, loadRoles, stepUpPath } from '../../platform/operator.ts';
import type { PageLoad, PageRequest } from '../../platform/page-data.ts';

/**
 * Loads data only for operators with two-factor authentication and the required role, and redirects to step-up
 * authentication if required. Returns the time of the request.
 */
export function createAdminLoad(loadData: (page: PageRequest) => Promise<unknown>): PageLoad<{ now: string }> {
  return async (page) => {
    const { client, url, viewer } = page;
    try {
      if ((await viewer())?.isTwoFactorEnabled && canOpenPage(url.pathname, await loadRoles(client)))
        await loadData(page);
    } catch (error) {
      throw isStepUpRequired(error) ? redirect(stepUpPath(url.pathname + url.search)) : error;
    }
    return { now: new Date().toISOString() };
  };
}
