// Follow the `ollie-source` condition of package.json "imports", and write to dist/apps/NAME/src/main.js,
// which is where `nest start` looks for a monorepo application.
export default (nest) => ({
  ...nest,
  output: { ...nest.output, filename: nest.output.filename.replace(/main\.js$/, 'src/main.js') },
  resolve: { ...nest.resolve, conditionNames: ['ollie-source', '...'] },
});
