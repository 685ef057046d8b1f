import { replaceFile } from './_lib/replace-file.mjs';
import { runTool, toPath } from './_lib/run-tool.mjs';

runTool(({ file_path, content }) => {
  const path = toPath(file_path);
  const bytes = Buffer.from(content, 'utf8');
  const isNew = replaceFile(path, bytes);
  const lines = content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0);
  return `${isNew ? 'created' : 'replaced'} ${path}: ${lines} lines, ${bytes.length} bytes\n`;
});
