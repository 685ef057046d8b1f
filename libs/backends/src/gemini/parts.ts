import type { ImageContent, JsonObject, ToolContent } from '#model';

const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'];

export function isImage(part: ToolContent): part is ImageContent {
  return part.type === 'image' && IMAGE_TYPES.includes(part.mimeType);
}

/** Empty text is refused. */
export function shown(part: ToolContent): readonly JsonObject[] {
  if (isImage(part)) return [inline(part)];
  const value = said(part);
  return value === '' ? [] : [text(value)];
}

export function said(part: ToolContent): string {
  return part.type === 'text' ? part.text : `[image: ${part.mimeType}, not shown]`;
}

export function inline({ mimeType, data }: ImageContent): JsonObject {
  return { inlineData: { mimeType, data } };
}

export function text(value: string): JsonObject {
  return { text: value };
}
