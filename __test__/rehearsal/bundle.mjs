// Bundles index.mjs of this folder for Node, as either kind of module, without any setting for the addon.
import { build } from 'esbuild';

for (const [format, outfile] of [
  ['esm', 'bundle.mjs'],
  ['cjs', 'bundle.cjs'],
]) {
  await build({ entryPoints: ['index.mjs'], outfile, format, bundle: true, platform: 'node', logLevel: 'warning' });
}
