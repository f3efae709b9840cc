/** `npm start`: installs, builds and prepares what is missing, then serves. Arguments after `--` go to the server. */
import { become, command } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';
import { serverArguments, serverEnvironment } from './lib/serve.mjs';
import { ensureWebBuild } from './lib/web-build.mjs';

await command(async (args) => {
  await enterRuntime();
  await ensureWebBuild();
  await become(process.execPath, [...serverArguments, ...args], serverEnvironment());
});
