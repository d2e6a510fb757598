import { accessToken } from './access.ts';
import { lostConnection } from './connection.ts';
import { ApiProblem } from './problem.ts';

/**
 * Sends the bytes of a file, which `fetch` cannot say the progress of.
 *
 * @param onProgress told the part that is sent, from 0 to 1
 * @throws ApiProblem; the reason of the signal where it ends it
 */
export async function uploadFile<T>(
  path: string,
  file: Blob,
  { signal, onProgress }: { signal: AbortSignal; onProgress(part: number): void },
): Promise<T> {
  const token = await accessToken(signal);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const request = new XMLHttpRequest();
  request.open('POST', path);
  request.setRequestHeader('authorization', `Bearer ${token}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
  request.onload = () => {
    const { status, response } = request;
    if (status < 300) resolve(response as T);
    else reject(new ApiProblem(status, response?.message ?? `HTTP ${status}`));
  };
  request.onerror = () => {
    lostConnection();
    reject(new ApiProblem(0, 'The connection broke off.'));
  };
  signal.addEventListener('abort', () => {
    request.abort();
    reject(signal.reason);
  });
  request.send(file);
  return promise;
}
