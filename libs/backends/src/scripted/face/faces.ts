import { anthropicFace } from './anthropic/anthropic-face.js';
import { chatFace } from './chat/chat-face.js';
import type { Face, FaceCall } from './face.js';
import { geminiFace } from './gemini/gemini-face.js';
import { ollamaFace } from './ollama/ollama-face.js';
import { responsesFace } from './responses/responses-face.js';

/** All faces of the server; the first that knows a path answers it. */
export const faces: readonly Face[] = [anthropicFace, chatFace, responsesFace, geminiFace, ollamaFace];

export function faceOf(call: FaceCall): Face | undefined {
  return faces.find((face) => face.route(call) !== undefined);
}
