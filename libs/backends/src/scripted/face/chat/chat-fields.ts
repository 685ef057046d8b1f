/** Top-level fields of chat completions: OpenAI's own. */
const OPENAI = `audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages metadata
  modalities model moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options
  temperature tool_choice tools top_logprobs top_p user verbosity web_search_options`;

/** And those that compatible servers take beside them: OpenRouter, llama.cpp, vLLM, DeepSeek, Mistral, Z.ai, Together. */
const COMPATIBLES = `cache_control cache_prompt chat_template_kwargs enable_thinking guided_json include_reasoning keep_alive min_p models
  n_predict options plugins prompt_mode provider random_seed reasoning reasoning_format reasoning_split repeat_penalty
  repetition_penalty route safe_prompt session_id think thinking thinking_budget tool_stream top_a top_k transforms usage`;

export const CHAT_FIELDS: readonly string[] = `${OPENAI} ${COMPATIBLES}`.split(/\s+/);
