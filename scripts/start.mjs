/** `npm start`: installs, builds and prepares what is missing, then serves. Arguments after `--` go to the server. */
import { loadEnvFile } from './lib/env-file.mjs';
import { replaceProcess, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';
import { createServerEnvironment, serverArguments } from './lib/serve.mjs';
import { ensureWebBuild } from './lib/web-build.mjs';

await runMain(async (args) => {
  await enterRuntime();
  await ensureWebBuild();
  loadEnvFile();
  await replaceProcess(process.execPath, [...serverArguments, ...args], createServerEnvironment());
});
