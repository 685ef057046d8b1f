import { Allow, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsString, Min, ValidateBy, ValidateIf, validateSync } from 'class-validator';
import { IllegalInputError, isJsonObject, parseJson, type GenerationParams, type JsonObject, type JsonValue } from '#model';
import type { FeedMode } from './profile.js';

/** A key may be left out; null is no value. */
const Optional = () => ValidateIf((_file, value) => value !== undefined);

const IsToolOffer = () =>
  ValidateBy({
    name: 'isToolOffer',
    validator: { validate: isToolOffer, defaultMessage: () => 'tools must be true, false, or a list of names or globs' },
  });

/** A profile as it stands in its JSON file. */
export class ProfileFile implements GenerationParams {
  @Optional() @IsString() readonly prompt?: string;
  @Optional() @IsString() readonly systemPrompt?: string;
  @Optional() @IsString() readonly backend?: string;
  @Optional() @IsString() readonly model?: string;
  @Optional() @IsToolOffer() readonly tools?: boolean | readonly string[];
  @Optional() @IsArray() @IsString({ each: true }) readonly autoLoad?: readonly string[];
  @Optional() @IsInt() @Min(0) readonly maxSteps?: number;
  @Optional() @IsString() readonly compactionModel?: string;
  @Optional() @IsIn(['manual', 'prompt']) readonly feed?: FeedMode;
  @Optional() @IsInt() @Min(1) readonly maxTokens?: number;
  @Optional() @IsInt() @Min(1) readonly maxCompletionTokens?: number;
  @Optional() @IsNumber() readonly temperature?: number;
  @Optional() @IsNumber() readonly topP?: number;
  @Optional() @IsInt() readonly topK?: number;
  @Optional() @IsNumber() readonly minP?: number;
  @Optional() @IsNumber() readonly topA?: number;
  @Optional() @IsNumber() readonly frequencyPenalty?: number;
  @Optional() @IsNumber() readonly presencePenalty?: number;
  @Optional() @IsNumber() readonly repetitionPenalty?: number;
  @Optional() @IsInt() @Min(0) readonly thinkingBudget?: number;
  @Optional() @IsString() readonly reasoningEffort?: string;
  @Optional() @IsBoolean() readonly includeReasoning?: boolean;
  @Allow() readonly responseFormat?: JsonValue;
  @Optional() @IsArray() @IsString({ each: true }) readonly stop?: readonly string[];
  @Optional() @IsString() readonly verbosity?: string;
}

/** Checks a profile's JSON text. Throws IllegalInputError that names the file and what is wrong with which key. */
export function readProfileFile(text: string, file: string): ProfileFile {
  const values = objectOf(text, file);
  const profile = Object.assign(new ProfileFile(), values);
  const [fault] = validateSync(profile, { whitelist: true, forbidNonWhitelisted: true });
  if (fault === undefined) return profile;
  if (fault.constraints && 'whitelistValidation' in fault.constraints) throw new IllegalInputError('key', `${fault.property} in ${file}`);
  const why = Object.values(fault.constraints ?? {}).join(', ');
  throw new IllegalInputError('value', `${fault.property}=${JSON.stringify(values[fault.property])} in ${file}: ${why}`);
}

function objectOf(text: string, file: string): JsonObject {
  const value = parsed(text, file);
  if (!isJsonObject(value)) throw new IllegalInputError('value', `${file}: a profile is one JSON object`);
  return value;
}

function parsed(text: string, file: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new IllegalInputError('value', `${file}: ${error.message}`);
  }
}

function isToolOffer(value: unknown): boolean {
  return typeof value === 'boolean' || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'));
}
