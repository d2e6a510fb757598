import type { ErrorBody } from '#shared/api/errors.ts';

/** What the appliance refused, in its own words. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The dotted paths of the members of the body that are wrong. */
  readonly fields: readonly string[];

  constructor(status: number, message: string, fields: readonly string[] = []) {
    super(message);
    this.status = status;
    this.fields = fields;
  }

  /** What the appliance says of one member of the body, without its path; undefined where that is right. */
  fieldMessage(path: string): string | undefined {
    const start = `${path}: `;
    return this.message
      .split('; ')
      .find((part) => part.startsWith(start))
      ?.slice(start.length);
  }
}

/** No answer came: the network, or the appliance, is away. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 0;
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  const message = body?.message ?? `HTTP ${response.status}`;
  return new ApiProblem(response.status, message, body?.validation?.keys ?? []);
}
