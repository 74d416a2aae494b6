// Bundles index.mjs of this folder for Node, without any setting for the addon.
import { build } from 'esbuild';

await build({
  entryPoints: ['index.mjs'],
  outfile: 'bundle.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'warning',
});
