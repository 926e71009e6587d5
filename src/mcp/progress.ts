import { isRecord, type JsonObject } from '../base/json.ts';
import type { Progress } from './schema.ts';

/** A request's params with its progress token (MCP "Progress"): its own id, which is unique among what runs. */
export function withProgressToken(params: unknown, token: number): unknown {
  if (params !== undefined && !isRecord(params)) return params;
  const meta = isRecord(params?.['_meta']) ? params['_meta'] : {};
  return { ...params, _meta: { ...meta, progressToken: token } };
}

/** The params of a `notifications/progress`; what is no number or text is left out. */
export function readProgress({ progress, total, message }: JsonObject): Progress {
  return {
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}
