/** Server-rendered pages; one build that the server mounts. Every route is in the first manifest: there are few. */
import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  ssr: true,
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
