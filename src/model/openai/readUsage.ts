import { isRecord, type JsonObject } from '../../base/json.ts';
import type { WireUsage } from './wireTypes.ts';

/** Finds the token figures of a chunk: at its top, in its choice, under `x_groq`, or in llama.cpp's `timings`. Zeros alone say nothing. */
export function readUsage(chunk: JsonObject, choice: JsonObject | undefined): WireUsage | undefined {
  const groq = chunk['x_groq'];
  const candidates = [chunk['usage'], choice?.['usage'], isRecord(groq) ? groq['usage'] : undefined];
  for (const candidate of candidates) {
    const usage = isRecord(candidate) ? usageOf(candidate) : undefined;
    if (usage !== undefined) return usage;
  }
  return isRecord(chunk['timings']) ? timingsOf(chunk['timings']) : undefined;
}

function usageOf(usage: JsonObject): WireUsage | undefined {
  const details = usage['prompt_tokens_details'] ?? usage['input_tokens_details'];
  return toUsage({
    inputTokens: count(usage['prompt_tokens']) ?? count(usage['input_tokens']),
    outputTokens: count(usage['completion_tokens']) ?? count(usage['output_tokens']),
    cachedTokens:
      (isRecord(details) ? count(details['cached_tokens']) : undefined) ??
      count(usage['prompt_cache_hit_tokens']) ??
      count(usage['cache_read_input_tokens']),
  });
}

/** `prompt_n` counts what was computed anew, `cache_n` what was kept. */
function timingsOf(timings: JsonObject): WireUsage | undefined {
  const cached = count(timings['cache_n']);
  const computed = count(timings['prompt_n']);
  return toUsage({
    inputTokens: computed === undefined ? undefined : computed + (cached ?? 0),
    outputTokens: count(timings['predicted_n']),
    cachedTokens: cached,
  });
}

function toUsage(figures: Record<keyof WireUsage, number | undefined>): WireUsage | undefined {
  const { inputTokens, outputTokens, cachedTokens } = figures;
  if ((inputTokens ?? 0) === 0 && (outputTokens ?? 0) === 0) return undefined;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cachedTokens !== undefined && { cachedTokens }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}
